#!/usr/bin/env bash
# Checks the reports of a campaign with other tools: JUnit with `junitparser` (pip), SARIF against the schema in
# `@microsoft/jest-sarif` (npm) with `jsonschema` (pip). Both are installed by package name into a folder that is
# removed again; the schema is not part of this repository.
#
# usage: bench/check-report-formats.sh FALSUM CAMPAIGN
set -eu
falsum=$(realpath "$1"); campaign=$(realpath "$2")
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -q junitparser jsonschema
(cd "$work" && npm pack --silent @microsoft/jest-sarif > /dev/null && tar xzf ./*.tgz)
schema=$(find "$work/package" -path '*schema*' -name '*sarif*.json' | head -n 1)
"$falsum" report "$campaign" --format junit --out "$work/report.xml" > /dev/null
"$falsum" report "$campaign" --format sarif --out "$work/report.sarif" > /dev/null
"$falsum" report "$campaign" --format json --out "$work/report.json" > /dev/null
"$work/venv/bin/python" - "$work" "$schema" <<'PY'
import json, sys
import jsonschema, junitparser
work, schema = sys.argv[1:]
report = json.load(open(f'{work}/report.json'))
suites = junitparser.JUnitXml.fromfile(f'{work}/report.xml')
cases = [case for suite in suites for case in suite]
failed = [case for case in cases if any(isinstance(r, junitparser.Failure) for r in case.result)]
assert suites.tests == len(cases) and suites.failures == len(failed), (suites.tests, suites.failures)
print(f'JUnit: {len(cases)} cases, {len(failed)} failures, counts agree; {len(report["bugs"])} bugs')
rules = json.load(open(schema))
# Its own pattern for languages has a stray bracket, which strict readers refuse; we set no language.
def mend(node):
    if isinstance(node, dict):
        if '}]?$' in str(node.get('pattern', '')): del node['pattern']
        for child in node.values(): mend(child)
    elif isinstance(node, list):
        for child in node: mend(child)
mend(rules)
log = json.load(open(f'{work}/report.sarif'))
errors = sorted(jsonschema.validators.validator_for(rules)(rules).iter_errors(log), key=str)
for error in errors: print('SARIF:', list(error.path), error.message)
assert not errors
results = log['runs'][0]['results']
assert len(results) == len(report['bugs'])
print(f'SARIF: valid against {rules.get("$id") or rules.get("id")}; {len(results)} results')
PY
