#!/usr/bin/env python3
"""How well `falsum check` names the release that is wrong, on formulas whose history is known.

usage: bench/known-bugs.py FALSUM FOLDER [--all]

FOLDER holds formulas and a matrix.csv of releases x answers. For each formula with a wrong sat/unsat answer (high
confidence), the newest wrong installed release (with --all: every one) is the target; the newest z3 and cvc5 are the
references; the file's own status is ignored. Prints one line per check and the totals.
"""
import csv, json, pathlib, re, subprocess, sys

falsum, folder = sys.argv[1], pathlib.Path(sys.argv[2])
every = "--all" in sys.argv
installed = {f'{r["name"]}-{r["version"]}' for r in json.loads(subprocess.check_output([falsum, "solvers", "list", "--json"]))}


def release(column):
    """The column `z3-4.8.6.0` as `z3-4.8.6`."""
    return re.sub(r"\.0$", "", column) if column.startswith("z3-") else column


def wrong_releases(row, columns):
    expected = row["expected"].split(";")
    for column in columns:
        answers = row[column].split(":")[0].split(";") if row[column] else []
        wrong = any(a in ("sat", "unsat") and e in ("sat", "unsat") and a != e for a, e in zip(answers, expected))
        if wrong and release(column) in installed:
            yield release(column)


totals = dict(rows=0, named=0, other=0, inconclusive=0, certified=0, satisfiable=0)
with open(folder / "matrix.csv", newline="") as matrix:
    reader = csv.DictReader(matrix)
    columns = [c for c in reader.fieldnames if re.match(r"(z3|cvc5|cvc4)-", c)]
    for row in reader:
        if row["confidence"] != "high":
            continue
        found = list(wrong_releases(row, columns))
        for target in found if every else found[-1:]:
            spec = target.replace("-", "@", 1)
            command = [falsum, "check", str(folder / (row["formula"] + ".smt2")), "--status", "ignore", "--json",
                       "-s", spec, "-r", "z3@5.4.0", "-r", "cvc5@1.4.2"]
            result = subprocess.run(command, capture_output=True, text=True)
            totals["rows"] += 1
            try:
                report = json.loads(result.stdout)
            except ValueError:
                totals["inconclusive"] += 1
                print(f'{row["formula"]:45} {spec:12} no report: {result.stderr.strip()[:100]}')
                continue
            culprits = report["culprits"]
            kinds = [e["kind"] for e in report["evidence"]]
            named, other = spec in culprits, [c for c in culprits if c != spec]
            totals["named"] += named
            totals["other"] += bool(other)
            totals["inconclusive"] += not named
            if row["expected"] == "sat":
                totals["satisfiable"] += 1
                totals["certified"] += named and "model" in kinds
            answers = " ".join(a["target"].split("@")[0] + "=" + a["answer"].replace(" ", "/") for a in report["answers"])
            print(f'{row["formula"]:45} {spec:12} expected {row["expected"][:12]:12} {report["verdict"]:20} '
                  f'{"named" if named else "MISSED"}{" OTHER " + str(other) if other else ""} {",".join(kinds)} [{answers[:90]}] {(report.get("why") or "")[:110]}')
print(json.dumps(totals))
