#!/usr/bin/env python3
"""What solvers say to constructed formulas, for every theory and both expectations.

    cargo build --profile quick -p oracle --example answered
    bench/constructed.py --rows constructed.tsv --keep contradictions            # all rows, or go on after a stop
    bench/constructed.py --rows constructed.tsv --table                          # the table of docs/guides/construction.md

A row is a theory, an expectation and a solver that has the theory: `--count` formulas of `model` (sat) or `pinned`
(unsat), 200 in one script (one by one to yices, which has no limit per formula). Where most formulas are hard,
`--session forked` asks each in a copy of a started process, which is cheaper than to start another one so often. A solver gives up after `--soft` milliseconds, of
the clock on the wall for z3, and its process is ended after `--limit` milliseconds of processor time.
Only the answer is compared with the expectation; what contradicts is asked again in a process of its own
(`examples/answered.rs`) and kept. A row that is in the file of rows is not run again.
"""
import argparse, os, subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
TOOL = os.path.join(HERE, "..", "target", "quick", "examples", "answered")
Z3, CVC5, BITWUZLA, YICES = "z3@5.4.0", "cvc5@1.4.2", "bitwuzla@0.9.1", "yices@2.6.5"
BOTH, MOST, ALL = [Z3, CVC5], [Z3, CVC5, BITWUZLA], [Z3, CVC5, BITWUZLA, YICES]
# The theory, the stages of `construct`, and who has it.
THEORIES = [
    ("Core", "bool", ALL),
    ("Ints", "int,linear-int", [Z3, CVC5, YICES]),
    ("Reals, and Ints with Reals", "real,linear-real,int-and-real", [Z3, CVC5, YICES]),
    ("Bitvectors", "bits-few,bits-three,bits-four,bits-many,bits-odd", ALL),
    ("Bitvectors with Ints", "bits-and-int", BOTH),
    ("Floats, with bitvectors, rounding modes", "float-single,float-and-bits,rounding", MOST),
    ("Floats of 5 to 7 bits", "float-tiny,float-five", [Z3, BITWUZLA]),
    ("Floats with Reals", "float-and-real", [Z3]),
    ("Strings", "string", BOTH),
    ("Arrays", "array-int,array-nested", BOTH),
    ("Arrays of bitvectors", "array-bits", ALL),
    ("Datatypes, parametric, of arrays", "datatype,datatype-of-arrays,parametric", BOTH),
    ("Sequences", "sequence,sequence-of-bits", BOTH),
    ("Sets (cvc5)", "set", [CVC5]),
    ("Finite sets (z3)", "finite-set", [Z3]),
    ("Bags (cvc5)", "bag", [CVC5]),
    ("Finite fields", "field", [CVC5]),
    ("Across theories", "mixed", BOTH),
    ("Across theories, structures", "mixed-structures", BOTH),
]
PARTS = {"sat": "model", "unsat": "pinned"}
COLUMNS = ["asked", "agrees", "no answer", "refused", "wrong", "wrong only in a session", "crashes"]


def run(args, theory, stages, solver, expected):
    """Asks a solver about one row; {result: count} with the seconds of processor time."""
    keep = os.path.join(args.keep, expected, theory.replace(" ", "-"))
    command = [TOOL, "construct", f"{PARTS[expected]},{stages}", str(args.count), "-s", solver, "--session", args.session,
               "--soft", str(args.soft), "--limit", str(args.limit), "--keep", keep]
    command += ["--for", str(args.seconds)] if args.seconds else []
    is_batched = args.session == "scoped" and not solver.startswith("yices")
    command += ["--batch", "200"] if is_batched else []
    said = subprocess.run(command, stdout=subprocess.PIPE, text=True).stdout.split()
    return dict(word.split("=") for word in said if "=" in word)


def counted(found, expected):
    """The columns of a row."""
    of = lambda *names: sum(int(found.get(name, 0)) for name in names)
    wrong = {"sat": "wrong-unsat", "unsat": "wrong-sat"}[expected]
    asked, counts = of("asked"), [of(expected), 0, of("unsupported", "error"), of(wrong), of(wrong + "-once"), of("crash")]
    counts[1] = asked - sum(counts)
    return [asked, *counts]


def cells(row):
    """A row as five cells: the troubles share the last one."""
    if not row:
        return [""] * 5
    *plain, wrong, once, crashes = (f"{int(n):,}" for n in row)
    troubles = [wrong, *(f"{n} {word}" for n, word in [(once, "only in a session"), (crashes, "crashes")] if n != "0")]
    return [*plain, ", ".join(troubles)]


def table(rows):
    names = [f"{expected}: {name}" for expected in PARTS for name in COLUMNS[:5]]
    out = ["| theory | solver | " + " | ".join(names) + " |", "|---|---|" + "--:|" * len(names)]
    for theory, _, solvers in THEORIES:
        for solver in solvers:
            found = [rows.get((theory, solver, expected)) for expected in PARTS]
            if any(found):
                numbers = " | ".join(cell for row in found for cell in cells(row))
                out.append(f"| {theory} | {solver.replace('@', ' ')} | {numbers} |")
    return "\n".join(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=10_000, help="formulas in a row")
    parser.add_argument("--soft", type=int, default=10, help="milliseconds after which a solver gives up")
    parser.add_argument("--limit", type=int, default=25, help="milliseconds of processor time for a formula")
    parser.add_argument("--session", choices=["scoped", "forked"], default="scoped", help="how formulas are asked")
    parser.add_argument("--for", dest="seconds", type=float, help="end a row after so much processor time of the solver")
    parser.add_argument("--rows", required=True, help="the file of rows")
    parser.add_argument("--keep", default="contradictions", help="a folder for formulas that contradict")
    parser.add_argument("--theory", action="append", help="only theories whose name begins so")
    parser.add_argument("--solver", action="append", help="only these solvers")
    parser.add_argument("--expect", choices=PARTS, help="only rows of this expectation")
    parser.add_argument("--table", action="store_true", help="only print the table")
    args = parser.parse_args()
    rows = {}
    for line in open(args.rows) if os.path.exists(args.rows) else []:
        theory, solver, expected, *numbers = line.rstrip("\n").split("\t")
        rows[theory, solver, expected] = numbers[:len(COLUMNS)]
    for theory, stages, solvers in THEORIES if not args.table else []:
        if args.theory and not any(theory.startswith(name) for name in args.theory):
            continue
        for expected in [args.expect] if args.expect else PARTS:
            for solver in solvers:
                if (theory, solver, expected) in rows or (args.solver and solver not in args.solver):
                    continue
                found = run(args, theory, stages, solver, expected)
                row = [str(n) for n in counted(found, expected)]
                rows[theory, solver, expected] = row
                with open(args.rows, "a") as file:
                    file.write("\t".join([theory, solver, expected, *row, found.get("cpu", ""), found.get("wall", "")]) + "\n")
    print(table(rows))


if __name__ == "__main__":
    main()
