#!/usr/bin/env python3
"""Unique bugs per generator, in the shape of Table 5.2 of Dewey's dissertation.

    cargo build --workspace --profile quick --example answered
    bench/generators.py --for 60 -s z3@4.8.5 -s z3@4.8.6 … -s z3@5.4.0 --reference z3@5.4.0 --reference bitwuzla

Phase one puts the formulas of a generator to every release but the newest, oldest first, until its time is over; each
release has an equal share. Phase two needs no person: every formula on which some release was wrong goes to all of them.
A formula on which release R is wrong and all later ones are right triggers the bug that the release after R fixed, and
formulas that share that release trigger the same bug. What is wrong in the newest release counts once, as not fixed.
Wrong is an answer against the expectation, or a model that the formula refutes; of a `syntactic` generator, an answer
against enumeration, or where that does not decide, against all references. A process that dies is a bug too, but not one
of correctness. `examples/answered.rs` asks the solvers.
"""
import argparse, collections, os, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOOL = os.path.join(HERE, "..", "target", "quick", "examples", "answered")
GENERATORS = ["bv_few_syntactic", "bv_few_sat", "bv_few_unsat", "bv_many_syntactic", "bv_many_sat", "bv_many_unsat",
              "fp_few_syntactic", "fp_few_sat", "fp_many_syntactic", "fp_many_sat", "fp_few_unsat", "fp_many_unsat"]
KINDS = {"wrong-sat": "answer", "wrong-unsat": "answer", "invalid-model": "model", "crash": "crash"}
MOST = 20_000


def asked(args, generator, release, *more):
    """What a release says to formulas of a generator: {number: kind of trouble or None}."""
    with tempfile.NamedTemporaryFile("r", suffix=".tsv") as each:
        command = [TOOL, "construct", generator, str(MOST), "-s", release, "--models", "--limit", str(args.limit)]
        for reference in args.reference if "syntactic" in generator else []:
            command += ["--reference", reference]
        subprocess.run(command + ["--each", each.name, *more], stdout=subprocess.DEVNULL)
        rows = [line.rstrip("\n").split("\t") for line in each]
    return {int(row[2]): KINDS.get(row[5]) for row in rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-s", dest="releases", action="append", default=[], help="releases, oldest first")
    parser.add_argument("--reference", action="append", default=[])
    parser.add_argument("--for", dest="seconds", type=float, default=60, help="seconds per generator")
    parser.add_argument("--limit", type=int, default=200, help="milliseconds of processor time per formula")
    parser.add_argument("--generator", action="append", choices=GENERATORS)
    parser.add_argument("--keep", help="a folder for the formulas of phase two")
    args = parser.parse_args()
    print("| generator | formulas | wrong inputs | unique bugs | of correctness | fixed by |\n|---|--:|--:|--:|--:|---|")
    for generator in args.generator or GENERATORS:
        share, count, suspects = args.seconds / max(1, len(args.releases) - 1), 0, set()
        for release in args.releases[:-1]:
            said = asked(args, generator, release, "--for", str(share))
            count += len(said)
            suspects |= {number for number, kind in said.items() if kind}
        bugs = collections.defaultdict(set)
        if suspects:
            only = ["--only", ",".join(map(str, sorted(suspects)))]
            only += ["--keep", os.path.join(args.keep, generator)] if args.keep else []
            said = [asked(args, generator, release, *only) for release in args.releases]
            for number in suspects:
                wrong = [(n, answers[number]) for n, answers in enumerate(said) if answers.get(number)]
                if wrong:  # An answer that did not come again is no bug that can be told from others.
                    last, _ = wrong[-1]
                    fixed = args.releases[last + 1] if last + 1 < len(args.releases) else "not fixed"
                    bugs[fixed].update(kind for n, kind in wrong if n == last)
        fixes = ", ".join(f"{fix} ({', '.join(sorted(bugs[fix]))})" for fix in sorted(bugs))
        correct = sum(kinds != {"crash"} for kinds in bugs.values())
        print(f"| {generator} | {count:,} | {len(suspects)} | {len(bugs)} | {correct} | {fixes} |")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
