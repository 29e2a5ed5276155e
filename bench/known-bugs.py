#!/usr/bin/env python3
"""How well `falsum check` names the release that is wrong, on formulas whose history is known.

usage: bench/known-bugs.py FALSUM FOLDER [--every] [--only TEXT] [--jobs N] [--cvc4 PATH] [--table FILE] [--alone]

FOLDER holds formulas and a matrix.csv of releases x answers: wrong answers, crashes, and models that the solver's own
validator refused. For each formula and each of these three the newest and the oldest installed release (with --every:
all of them) and every variant with options is the target; the newest z3 and cvc5 are the references; the file's own
status is ignored. With --alone there is no reference: only falsum's own evidence can accuse.
Prints one line per check and the totals; --table writes them as Markdown. No solver but the target may ever be accused.
"""
import argparse, collections, concurrent.futures, csv, json, pathlib, re, subprocess

VARIANTS = {"z3str3": "smt.string_solver=z3str3", "flat": "rewriter.flat=false",
            "euf": "tactic.default_tactic=smt sat.euf=true"}
arguments = argparse.ArgumentParser()
arguments.add_argument("falsum")
arguments.add_argument("folder", type=pathlib.Path)
arguments.add_argument("--every", action="store_true")
arguments.add_argument("--only", default="")
arguments.add_argument("--jobs", type=int, default=2)
arguments.add_argument("--cvc4")
arguments.add_argument("--table", type=pathlib.Path)
arguments.add_argument("--alone", action="store_true")
args = arguments.parse_args()
listed = json.loads(subprocess.check_output([args.falsum, "solvers", "list", "--json"]))
installed = {f'{r["name"]}@{r["version"]}' for r in listed}


def spec(column):
    """The column `z3-4.8.6.0+euf` as what `-s` takes, and the name it has in reports; None if it is not here."""
    if column == "cvc4":
        return (f"cvc4={args.cvc4}", "cvc4") if args.cvc4 else None
    match = re.fullmatch(r"(z3|cvc5)-([0-9.]+?)(?:\.0(?=$|\+))?(?:\+(\w+))?", column)
    if not match or f"{match[1]}@{match[2]}" not in installed:
        return None
    name = f"{match[1]}@{match[2]}"
    if not match[3]:
        return name, name
    path = subprocess.check_output([args.falsum, "solvers", "path", name], text=True).strip()
    return f"{name}+{match[3]}={path} {VARIANTS[match[3]]}", f"{name}+{match[3]}"


def trouble(cell, expected):
    """What a cell of the matrix says went wrong."""
    answers = cell.split(":")[0].split(";")
    if any({a, e} == {"sat", "unsat"} for a, e in zip(answers, expected)):
        return "wrong"
    return "crash" if "CRASH" in cell else "model" if "INVALIDMODEL" in cell else None


def checks():
    with open(args.folder / "matrix.csv", newline="") as matrix:
        for row in csv.DictReader(matrix):
            if args.only not in row["formula"]:
                continue
            by_trouble = collections.defaultdict(list)
            for column in (c for c in row if re.match(r"(z3|cvc5)-|cvc4$", c)):
                what = trouble(row[column] or "", row["expected"].split(";"))
                target = spec(column) if what else None
                if target:
                    by_trouble[what].append(target)
            for what, targets in by_trouble.items():
                plain = [t for t in targets if "+" not in t[1]]
                other = [t for t in targets if "+" in t[1]]
                chosen = plain if args.every or len(plain) < 2 else [plain[0], plain[-1]]
                for target in chosen + other:
                    yield row, what, target


def check(job):
    row, what, (target, name) = job
    references = [] if args.alone else [r for r in ("z3@5.4.0", "cvc5@1.4.2") if r != name]
    command = [args.falsum, "check", str(args.folder / (row["formula"] + ".smt2")), "--status", "ignore", "--json", "-s", target]
    for reference in references:
        command += ["-r", reference]
    result = subprocess.run(command, capture_output=True, text=True)
    try:
        return job, json.loads(result.stdout)
    except ValueError:
        return job, {"verdict": "no report", "culprits": [], "evidence": [], "answers": [], "why": result.stderr.strip()}


totals = collections.Counter()
lines = []
with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
    for (row, what, (_, name)), report in pool.map(check, list(checks())):
        kinds = list(dict.fromkeys(e["kind"] for e in report["evidence"]))
        named, others = name in report["culprits"], [c for c in report["culprits"] if c != name]
        group = f'{what}, {row["confidence"]}'
        totals[group] += 1
        totals[f"{group}: named"] += named
        totals["others accused"] += bool(others)
        if what == "wrong" and row["confidence"] == "high" and set(row["expected"].split(";")) == {"sat"}:
            totals["wrong, high, satisfiable"] += 1
            totals["wrong, high, satisfiable: certified"] += named and bool({"model", "enumeration"} & set(kinds))
        own = next((a.get("models", []) for a in report["answers"] if a["target"] == name), [])
        if what == "model" and not named and own:
            totals[f"{group}: the model is true, or false only where an operator is under-specified"] += all(m.startswith("true") or "under-spec" in m for m in own)
        answers = " ".join(a["target"].split("@")[0] + "=" + a["answer"].replace(" ", "/") + ("" if a["ended"] == "by itself" else "!" + a["ended"]) for a in report["answers"])
        why = (report.get("why") or "").replace("\n", " ")
        print(f'{row["formula"]:44} {what:5} {row["confidence"]:6} {name:14} {row["expected"][:14]:14} {report["verdict"]:20} '
              f'{"named" if named else "MISSED"}{" OTHERS " + str(others) if others else ""} {",".join(kinds)} [{answers[:110]}] {why[:140]}', flush=True)
        lines.append(f'| {row["formula"]} | {row["theory"]} | {what} | {name} | {row["expected"]} | {report["verdict"]} | {"yes" if named else "no"} | {", ".join(kinds)} |')
print(json.dumps(totals, indent=1))
if args.table:
    head = "| formula | theory | trouble | release | right answer | verdict | named | evidence |\n|---|---|---|---|---|---|---|---|\n"
    args.table.write_text(head + "\n".join(lines) + "\n")
