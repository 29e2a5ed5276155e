#!/usr/bin/env python3
"""Unique bugs per generator, in the shape of Table 5.2 of Dewey's dissertation.

    cargo build --profile quick -p strategy --example constructed
    bench/generators.py --for 60 --solver z3-4.8.5=PATH --solver z3-4.8.6=PATH … --solver z3-5.4.0=PATH

Phase one puts the formulas of a generator to every release of one solver, oldest first, until its time is over. Phase
two needs no person: an input on which release R is wrong and the next one R' is right triggers the bug that R' fixed, and
inputs that share R' trigger the same bug. Inputs that are wrong in the newest release count once, as not fixed.
Wrong is an answer against the expectation of a `sat` or `unsat` generator; of a `syntactic` one, an answer against the
newest release, if another program (`--reference`) agrees with that one. A process that dies is a bug too, but not one of
correctness.
"""
import argparse, collections, json, subprocess, sys, time

from constructed import TOOL, Solver, scoped

GENERATORS = ["bv_few_syntactic", "bv_few_sat", "bv_few_unsat", "bv_many_syntactic", "bv_many_sat", "bv_many_unsat",
              "fp_few_syntactic", "fp_few_sat", "fp_many_syntactic", "fp_many_sat", "fp_few_unsat", "fp_many_unsat"]


def fixed_by(releases, wrong):
    """The release that fixed what is wrong in some; None if the newest has it still."""
    last = max(n for n, bad in enumerate(wrong) if bad)
    return releases[last + 1].name if last + 1 < len(releases) else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--solver", action="append", default=[], metavar="NAME=PATH", help="releases, oldest first")
    parser.add_argument("--reference", metavar="NAME=PATH")
    parser.add_argument("--for", dest="seconds", type=float, default=60, help="seconds per generator")
    parser.add_argument("--limit", type=int, default=1000)
    parser.add_argument("--batch", type=int, default=100)
    parser.add_argument("--generator", action="append", choices=GENERATORS)
    args = parser.parse_args()
    releases = [Solver(spec) for spec in args.solver]
    reference = Solver(args.reference) if args.reference else None
    print("| generator | formulas | unique bugs | of correctness | fixed by |\n|---|---|---|---|---|")
    for generator in args.generator or GENERATORS:
        end, key, asked = time.time() + args.seconds, 0, 0
        bugs = collections.defaultdict(set)
        while time.time() < end:
            made = subprocess.run([TOOL, "construct", generator, str(args.batch), str(key)], capture_output=True, check=True)
            formulas = [json.loads(line) for line in made.stdout.splitlines()]
            key, asked = key + 1, asked + len(formulas)
            said = [scoped(release, formulas, args.limit, 0) for release in releases]
            agreed = scoped(reference, formulas, args.limit, 0) if reference else said[-1]
            for n, formula in enumerate(formulas):
                expected = formula["expects"][0]["answer"] if formula["expects"] else None
                if expected is None and said[-1][n] == agreed[n] and agreed[n] in ("sat", "unsat"):
                    expected = agreed[n]
                against = [bool(expected) and a[n] in ("sat", "unsat") and a[n] != expected for a in said]
                died = [a[n] is None for a in said]
                for kind, wrong in (("correctness", against), ("crash", died)):
                    if any(wrong):
                        bugs[fixed_by(releases, wrong)].add(kind)
        fixes = ", ".join(f"{fix or 'not fixed'} ({'/'.join(sorted(kinds))})" for fix, kinds in bugs.items())
        right = sum("correctness" in kinds for kinds in bugs.values())
        print(f"| {generator} | {asked} | {len(bugs)} | {right} | {fixes} |")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
