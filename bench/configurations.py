#!/usr/bin/env python3
"""Distinct bugs of every published configuration (hunt --like), and of solver options, in equal time.

    bench/configurations.py FALSUM SEEDS OUT [SECONDS]      every configuration on z3 4.8.6 and 4.8.9
    bench/configurations.py FALSUM --options OUT [SECONDS]  the newest z3 and cvc5 with and without other options

One hunt after the other with one worker, the same key, and nothing else on the machine; the table goes to stdout as
Markdown. A bug is a signature after triage. If `yinyang` is installed for Python, its three tools run for the same time on
the same seeds; its bug triggers are files, which it does not deduplicate."""

import json
import pathlib
import subprocess
import sys

LIKE = "opfuzz typefuzz fuzzchick data-driven yinyang concatfuzz et janus sparrow strings optfuzz".split()
OLD = ["-s", "z3@4.8.6", "-s", "z3@4.8.9", "-r", "cvc5@1.4.2"]


def hunt(falsum, out, seconds, args):
    command = [falsum, "hunt", *args, "--for", f"{seconds}s", "-j", "1", "-q", "--key", "configurations", "--out", out]
    subprocess.run([str(word) for word in command], check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    told = subprocess.run([falsum, "report", str(out), "--format", "json"], capture_output=True, check=False)
    return json.loads(told.stdout or b"{}")


def row(name, report):
    bugs, summary = report.get("bugs", []), report.get("summary", {})
    wrong = [bug for bug in bugs if bug["kind"] in ("refutation-unsound", "solution-unsound")]
    models = [bug for bug in bugs if bug["kind"] == "invalid-model"]
    crashes = [bug for bug in bugs if bug["kind"] == "crash"]
    cells = [name, summary.get("cases", 0), len(bugs), len(wrong), len(models), len(crashes)]
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def peers(seeds, out, seconds, falsum):
    path = lambda spec: subprocess.run([falsum, "solvers", "path", spec], capture_output=True, text=True).stdout.strip()
    solvers = ";".join(path(spec) for spec in ("cvc5@1.4.2", "z3@4.8.6", "z3@4.8.9"))
    for tool, flags in (("opfuzz", []), ("typefuzz", []), ("yinyang", ["-o", "sat"])):
        bugs = out / f"peer-{tool}"
        bugs.mkdir(parents=True, exist_ok=True)
        command = ["timeout", "-s", "INT", str(seconds), tool, solvers, str(seeds), *flags, "-b", str(bugs), "-q"]
        try:
            subprocess.run(command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=out)
        except FileNotFoundError:
            return
        print(f"| {tool} 0.3.0 itself | | {len(list(bugs.glob('*.smt2')))} triggers | | | |", flush=True)


def main():
    falsum, seeds, out = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    seconds = int(sys.argv[4]) if len(sys.argv) > 4 else 600
    print("| configuration | cases | bugs | wrong answers | wrong models | crashes |\n|---|---|---|---|---|---|")
    if seeds == "--options":
        for options in ("none", "regular", "all"):
            report = hunt(falsum, out / options, seconds, ["-s", "z3", "-s", "cvc5", "--options", options])
            row(f"options {options}", report)
            for bug in report.get("bugs", []):
                if bug["options"]:
                    print(f"<!-- {bug['kind']} needs {' '.join(bug['options'])} -->")
        return
    for name in LIKE:
        row(name, hunt(falsum, out / name, seconds, [seeds, "--like", name, *OLD]))
    peers(pathlib.Path(seeds).resolve(), out.resolve(), seconds, falsum)


main()
