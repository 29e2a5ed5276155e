#!/usr/bin/env python3
"""Puts constructed formulas to solvers and counts what they say.

    cargo build --profile quick -p strategy --example constructed
    bench/constructed.py STRATEGY PARTS COUNT --solver z3=PATH --solver cvc5=PATH [--limit 1000] [--batch 100] [--fresh]
                         [--seed N] [--table]

Formulas go in batches to one process, each between push and pop (`--fresh`: one process each, as the paper did it). An
answer that contradicts what is expected is asked again in a fresh process and written with its script to the folder of
`--keep`. `--table` prints rows in the shape of Table 4 of Bugariu and Mueller: per category the incorrect models (IM),
incorrect cores (IC), sat (S), unsat (U), unknown (K), timeouts (T) and errors (E). Models and cores need `--fresh`; a
model is checked by `falsum eval`, a core by comparing it with the promised one: one that lacks a member is not
unsatisfiable, one that has more is only not minimal and is not counted. Exit code 1 if anything was contradicted.
"""
import argparse, collections, json, os, re, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
TOOL = os.path.join(HERE, "..", "target", "quick", "examples", "constructed")

RENAMED = {"str.to_re": "str.to.re", "str.in_re": "str.in.re", "str.to_int": "str.to.int", "str.from_int": "int.to.str",
           "re.none": "re.nostr", "re.comp": "re.complement"}


def old(script, version):
    """z3 before 4.8.9 has the names of the draft that preceded the standard."""
    if version and version < (4, 8, 9):
        for new, name in RENAMED.items():
            script = re.sub(r"(?<![\w.])" + re.escape(new) + r"(?![\w.])", name, script)
    return script


class Solver:
    def __init__(self, spec):
        self.name, self.path = spec.split("=", 1)
        self.kind = re.match(r"z3|[a-z]+5?", os.path.basename(self.name)).group()
        found = re.search(r"(\d+)\.(\d+)\.(\d+)", self.name)
        self.version = tuple(map(int, found.groups())) if found and self.kind == "z3" else None

    def command(self, limit, seed, file, live):
        if self.kind == "z3":
            args = [f"smt.random_seed={seed}", f"sat.random_seed={seed}"] if seed is not None else []
            return [self.path, "-smt2", f"-t:{limit}", *args, file]
        if self.kind == "cvc5":
            args = ["--arrays-exp", "--strings-exp"] + (["--incremental"] if live else [])
            args += [f"--seed={seed}", f"--sat-random-seed={seed}"] if seed is not None else []
            return [self.path, "-q", "--lang=smt2", f"--tlimit-per={limit}", *args, file]
        if self.kind == "bitwuzla":
            return [self.path, f"--time-limit-per={limit}", file]
        if self.kind == "yices":
            return [self.path] + (["--incremental"] if live else []) + [file]
        return [self.path, file]

    def run(self, text, limit, seed, live, seconds):
        with tempfile.NamedTemporaryFile("w", suffix=".smt2", delete=False) as file:
            file.write(text)
        try:
            done = subprocess.run(self.command(limit, seed, file.name, live), capture_output=True, timeout=seconds)
            return done.stdout.decode("utf-8", "replace"), done.returncode
        except subprocess.TimeoutExpired as late:
            return (late.stdout or b"").decode("utf-8", "replace"), "timeout"
        finally:
            os.unlink(file.name)


def body(script):
    """A script without its logic, for a scope in a process that has another one."""
    return "\n".join(line for line in script.splitlines() if not line.startswith("(set-logic"))


def scoped(solver, formulas, limit, seed):
    """The answers to formulas, each in a scope of one process; None where the process gave none."""
    answers = [None] * len(formulas)
    begin = 0
    while begin < len(formulas):
        text = "(set-logic ALL)\n"
        for n in range(begin, len(formulas)):
            text += f'(echo "case {n}")\n(push 1)\n{old(body(formulas[n]["script"]), solver.version)}\n(pop 1)\n'
        output, _ = solver.run(text, limit, seed, True, 20 + (len(formulas) - begin) * limit / 500)
        at = None
        for line in output.splitlines():
            mark = re.match(r'"?case (\d+)"?$', line)
            if mark:
                at = int(mark.group(1))
            elif at is not None and answers[at] is None:
                word = line.split(" ")[0]  # cvc5 adds the reason to `unknown`
                answers[at] = word if word in ("sat", "unsat", "unknown") else "error: " + line
        # A process that died is begun again after the case that killed it.
        begin = len(formulas) if at is None else at + 1
        if at is None:
            break
    return answers


def fresh(solver, formula, limit, seed):
    """The answer of a process of its own, with the model or the core that it prints."""
    expected = formula["expects"][0]["answer"] if formula["expects"] else None
    head, tail = "(set-option :produce-models true)\n", "(get-model)\n"
    if expected == "unsat":
        head, tail = "(set-option :produce-unsat-cores true)\n", "(get-unsat-core)\n"
        if solver.kind == "z3":
            head += "(set-option :smt.core.minimize true)\n"
        elif solver.kind == "cvc5":
            head += "(set-option :minimal-unsat-cores true)\n"
    output, code = solver.run(head + old(formula["script"], solver.version) + tail, limit, seed, False, limit / 1000 * 3 + 5)
    # Old releases say that they ignore a logic.
    lines = [line for line in output.split("\n") if line != "unsupported" and not line.startswith("; ignoring")]
    first, rest = lines[0], "\n".join(lines[1:])
    if first in ("sat", "unsat", "unknown"):
        return first, rest
    return ("timeout" if code == "timeout" or first == "timeout" or "timeout" in output else "error: " + first + output[:200]), rest


def core_is_wrong(formula, said):
    promised = formula["expects"][0].get("core")
    found = re.search(r"\(([^()]*)\)", said)
    return bool(promised and found) and not set(promised) <= set(found.group(1).split())


def model_is_wrong(falsum, formula, said):
    if not falsum or not said.strip().startswith("("):
        return False
    with tempfile.TemporaryDirectory() as folder:
        script, model = os.path.join(folder, "f.smt2"), os.path.join(folder, "f.model")
        open(script, "w").write(formula["script"])
        open(model, "w").write(said)
        done = subprocess.run([falsum, "eval", script, "--model", model, "--json"], capture_output=True, timeout=60)
        try:
            return json.loads(done.stdout)["value"] == "false"
        except (ValueError, KeyError):
            return False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("strategy")
    parser.add_argument("parts")
    parser.add_argument("count", type=int)
    parser.add_argument("--solver", action="append", default=[], metavar="NAME=PATH")
    parser.add_argument("--limit", type=int, default=1000, help="milliseconds per formula")
    parser.add_argument("--batch", type=int, default=100)
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--key", default="falsum")
    parser.add_argument("--every", type=int, default=1, help="use every n-th formula only")
    parser.add_argument("--for", dest="seconds", type=float, default=1e9, help="seconds for each solver")
    parser.add_argument("--keep", default="contradictions")
    parser.add_argument("--falsum", help="the program that checks models")
    parser.add_argument("--table", action="store_true")
    args = parser.parse_args()
    made = subprocess.run([TOOL, args.strategy, args.parts, str(args.count * args.every), args.key], capture_output=True, check=True)
    formulas = [json.loads(line) for line in made.stdout.splitlines()][:: args.every]
    formulas = [formula for formula in formulas if len(formula["expects"]) <= 1]
    counts = {}
    contradicted = 0
    for solver in map(Solver, args.solver):
        end = time.time() + args.seconds
        said = collections.Counter()
        asked = 0
        for begin in range(0, len(formulas), args.batch):
            if time.time() > end:
                break
            batch = formulas[begin : begin + args.batch]
            if args.fresh:
                answers = [fresh(solver, formula, args.limit, args.seed) for formula in batch]
            else:
                answers = [(answer, "") for answer in scoped(solver, batch, args.limit, args.seed)]
            for formula, (answer, rest) in zip(batch, answers):
                asked += 1
                expected = formula["expects"][0]["answer"] if formula["expects"] else None
                kind = "error" if answer is None or answer.startswith("error") else answer
                if kind in ("sat", "unsat") and expected and kind != expected:
                    again, _ = fresh(solver, formula, args.limit * 5, args.seed)
                    kind = f"{expected} but {again}" if again == kind else f"{expected}, {kind} only in a session"
                    contradicted += 1
                    os.makedirs(args.keep, exist_ok=True)
                    name = f"{solver.name}-{args.parts.replace(',', '-')}-{begin}-{asked}.json"
                    json.dump(dict(formula, said=answer, again=again), open(os.path.join(args.keep, name), "w"), indent=1)
                elif kind == "unsat" and core_is_wrong(formula, rest):
                    kind = "incorrect core"
                elif kind == "sat" and model_is_wrong(args.falsum, formula, rest):
                    kind = "incorrect model"
                if kind == "error" and os.environ.get("SHOW"):
                    print(answer, "\n", formula["script"], file=sys.stderr)
                said[kind] += 1
        counts[solver.name] = said
        if args.table:
            columns = ["incorrect model", "incorrect core", "sat", "unsat", "unknown", "timeout", "error"]
            other = {kind: n for kind, n in said.items() if kind not in columns}
            print(f"| {args.parts} | {asked} | {solver.name} | " + " | ".join(str(said[c]) for c in columns) + f" | {other or ''} |")
        else:
            print(solver.name, args.parts, asked, dict(said))
        sys.stdout.flush()
    return 1 if contradicted else 0


if __name__ == "__main__":
    sys.exit(main())
