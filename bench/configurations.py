#!/usr/bin/env python3
"""Distinct bugs of every published configuration (hunt --like), and of solver options, in equal time.

    bench/configurations.py FALSUM SEEDS OUT [SECONDS]      every configuration on z3 4.8.6 and 4.8.9
    bench/configurations.py FALSUM --options OUT [SECONDS]  the newest z3 and cvc5 with and without other options

SECONDS is 600 without it. One hunt after the other with one worker, the same key, and nothing else on the machine. The
report of every run is kept in OUT, and a run that has one is not made again: the same command goes on where it was
stopped. The table goes to stdout as Markdown at the end.

A bug is a signature after triage. If `yinyang` is installed for Python, its three tools run for the same time on the same
seeds. Its triggers are files, which it does not deduplicate: each is checked by `falsum check`, and the column of distinct
bugs counts kinds, culprits and places of crashes among those that are confirmed. WITH in the environment is a command
that every run is started with (a lock, `nice`)."""

import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import time

LIKE = "opfuzz typefuzz fuzzchick data-driven yinyang concatfuzz et janus sparrow strings optfuzz".split()
OLD = ["-s", "z3@4.8.6", "-s", "z3@4.8.9", "-r", "cvc5@1.4.2"]
WITH = shlex.split(os.environ.get("WITH", ""))
HEAD = "| configuration | cases | bugs | wrong answers | wrong models | crashes | others |\n|---|---|---|---|---|---|---|"


def run(command, **more):
    words = [str(word) for word in command]
    return subprocess.run(words, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **more)


def kept(out, name, make):
    """What a run reported: read if it was made before, made otherwise."""
    path = out / f"{name}.json"
    if not path.exists():
        out.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(make()))
    return json.loads(path.read_text())


def hunt(falsum, out, seconds, args):
    shutil.rmtree(out, ignore_errors=True)
    run([*WITH, falsum, "hunt", *args, "--for", f"{seconds}s", "-j", "1", "-q", "--key", "configurations", "--out", out])
    told = subprocess.run([falsum, "report", str(out), "--format", "json"], capture_output=True, check=False)
    return json.loads(told.stdout or b"{}")


def counts(kinds):
    wrong = [kind for kind in kinds if kind in ("refutation-unsound", "solution-unsound")]
    models = [kind for kind in kinds if kind == "invalid-model"]
    crashes = [kind for kind in kinds if kind == "crash"]
    others = len(kinds) - len(wrong) - len(models) - len(crashes)
    return [len(kinds), len(wrong), len(models), len(crashes), others]


def row(name, cases, kinds):
    print("| " + " | ".join(str(cell) for cell in [name, cases, *counts(kinds)]) + " |", flush=True)


def of_report(name, report):
    row(name, report.get("summary", {}).get("cases", 0), [bug["kind"] for bug in report.get("bugs", [])])


def distinct(falsum, triggers):
    """Kinds of the distinct bugs among the triggers of another tool, as far as falsum confirms them."""
    found = set()
    for path in triggers:
        told = subprocess.run([falsum, "check", str(path), *OLD, "--json"], capture_output=True, check=False)
        for line in told.stdout.splitlines():
            for finding in json.loads(line).get("findings", []):
                place = finding["evidence"][0]["detail"] if finding["kind"] == "crash" else ""
                found.add((finding["kind"], " ".join(finding["culprits"]).split("@")[0], place))
    return sorted(kind for kind, _, _ in found)


def readable(seeds, into, sat_only):
    """A copy of the seeds that yinyang's typed tools can read: they end at the first bit-vector or float. Fusion to `sat`
    is right only about satisfiable seeds."""
    shutil.rmtree(into, ignore_errors=True)
    into.mkdir(parents=True)
    for path in sorted(seeds.rglob("*.smt2")):
        text = path.read_text(errors="replace")
        typed = "BitVec" not in text and "FloatingPoint" not in text and "(_ bv" not in text and "#x" not in text and "#b" not in text
        if typed and (not sat_only or path.parent.name == "sat"):
            shutil.copy(path, into)
    return into


def peer(falsum, seeds, out, seconds, tool, flags):
    path = lambda spec: subprocess.run([falsum, "solvers", "path", spec], capture_output=True, text=True).stdout.strip()
    solvers = ";".join(path(spec) for spec in ("cvc5@1.4.2", "z3@4.8.6", "z3@4.8.9"))
    bugs = out / f"peer-{tool}"
    shutil.rmtree(bugs, ignore_errors=True)
    bugs.mkdir(parents=True)
    if tool != "opfuzz":
        seeds = readable(seeds, out / f"seeds-{tool}", tool == "yinyang")
    # Ten mutants of a seed: with the usual 300 it spends the time on a few seeds. With -q it would end at once. A run
    # that ends early is followed by another.
    end = time.monotonic() + seconds
    runs = 0
    while (left := end - time.monotonic()) > 1 and runs < 200:
        run([*WITH, "timeout", "-s", "INT", f"{left:.0f}", tool, solvers, seeds, *flags, "-i", "10", "-b", bugs], cwd=out)
        runs += 1
    triggers = sorted(bugs.glob("*.smt2"))
    return {"triggers": len(triggers), "runs": runs, "kinds": distinct(falsum, triggers)}


def options(falsum, out, seconds):
    needs = []
    print(HEAD)
    for name in ("none", "regular", "all"):
        args = ["-s", "z3", "-s", "cvc5", "--options", name]
        report = kept(out, name, lambda: hunt(falsum, out / name, seconds, args))
        of_report(f"options {name}", report)
        needs += [(name, bug["kind"], " ".join(bug["options"])) for bug in report.get("bugs", []) if bug["options"]]
    print("\n| run | kind | needs |\n|---|---|---|")
    for cells in needs:
        print("| " + " | ".join(cells) + " |")


def main():
    falsum, seeds, out = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]).resolve()
    seconds = int(sys.argv[4]) if len(sys.argv) > 4 else 600
    if seeds == "--options":
        return options(falsum, out, seconds)
    seeds = pathlib.Path(seeds).resolve()
    reports = []
    for name in LIKE:
        args = [seeds, "--like", name, *OLD]
        reports.append((name, kept(out, name, lambda: hunt(falsum, out / name, seconds, args))))
    others = []
    for tool, flags in (("opfuzz", []), ("typefuzz", []), ("yinyang", ["-o", "sat"])):
        if shutil.which(tool):
            make = lambda: peer(falsum, seeds, out, seconds, tool, flags)
            others.append((tool, kept(out, f"peer-{tool}", make)))
    print(HEAD)
    for name, report in reports:
        of_report(name, report)
    for tool, told in others:
        row(f"{tool} 0.3.0 itself: {told['triggers']} triggers", "", told["kinds"])


main()
