#!/usr/bin/env bash
# Cases judged per second, falsum against yinyang 0.3.0, in one run: same z3, same cvc5, same seeds, one core.
# usage: bench/vs-yinyang.sh [SEED_FOLDER] [SECONDS] [SEEDS] [ROUNDS] [PAIRS]
#
# PAIRS is "opfuzz:opswap typefuzz:regrow" unless given. With FALSUM_QUICK=1 only small seeds count of which
# ten mutants of yinyang's opfuzz end within a second each: its best case, in which it does not wait for timeouts. FALSUM_TARGET is the release of z3 (5.4.0).
# yinyang is installed by package name into a scratch folder; the solvers are falsum's own installed releases. SEEDS files
# of the folder are chosen by the hash of their text. The two tools take turns, so that a busy machine affects both
# alike; figures are given per second of wall time and per second of processor time (tool and solvers together), which are
# equal on an otherwise idle core.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
seeds=$(realpath "${1:-${FALSUM_CORPUS:-../shared/corpus}}")
seconds=${2:-60}
count=${3:-120}
rounds=${4:-3}
pairs=${5:-opfuzz:opswap typefuzz:regrow}
release=${FALSUM_TARGET:-5.4.0}
core=${FALSUM_CORE:-0}
profile=${FALSUM_PROFILE:-release}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

falsum=${FALSUM:-}
if [ -z "$falsum" ]; then
    cargo build --quiet --profile "$profile" --package falsum
    falsum=$(realpath "${CARGO_TARGET_DIR:-target}/$profile/falsum")
fi
"$falsum" solvers add "z3@$release" cvc5@1.4.2 2>/dev/null
z3=$("$falsum" solvers path "z3@$release")
# The same start as falsum's own, without the shell that stands in for a program.
cvc5="$falsum cvc5-driver --lib $(dirname "$("$falsum" solvers path cvc5@1.4.2)")/lib --"
python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --target "$scratch/yinyang" yinyang==0.3.0
export PYTHONPATH="$scratch/yinyang"

python3 - "$seeds" "$scratch/seeds" "$count" "$z3 -smt2" "$cvc5 -q --lang=smt2 --strings-exp" <<'PYTHON'
import hashlib, os, pathlib, resource, shutil, subprocess, sys
folder, into, count = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), int(sys.argv[3])
into.mkdir()
def is_quick(path):
    """Whether opfuzz makes ten mutants of it in little processor time: each timeout would cost a second."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run([f"{into.parent}/yinyang/bin/opfuzz", ";".join(sys.argv[4:]), path, "-i", "10", "-t", "1"],
                         capture_output=True, text=True, cwd=into.parent)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return "1 valid" in run.stdout and cpu < 1.5
# yinyang leaves out files over 100,000 bytes, so both do; the quick ones are small.
quick = os.environ.get("FALSUM_QUICK")
files = [p for p in folder.rglob("*.smt2") if p.stat().st_size <= (2_000 if quick else 100_000)]
kept = 0
for path in sorted(files, key=lambda p: hashlib.sha256(p.read_bytes()).digest()):
    if kept < count and (not quick or is_quick(path)):
        shutil.copy(path, into / (hashlib.sha256(path.read_bytes()).hexdigest()[:16] + ".smt2"))
        kept += 1
print(f"{kept} seeds", file=sys.stderr)
PYTHON

# typefuzz ends with an error at the first seed that its type checker does not know; both get the seeds it takes.
mkdir "$scratch/typed"
python3 - "$scratch/seeds" "$scratch/typed" <<'PYTHON'
import contextlib, io, pathlib, shutil, sys
from yinyang.src.parsing.Parse import parse_file
from yinyang.src.parsing.Typechecker import typecheck
for path in sorted(pathlib.Path(sys.argv[1]).iterdir()):
    with contextlib.suppress(BaseException), contextlib.redirect_stdout(io.StringIO()):
        script, names = parse_file(str(path), silent=True)
        if script and names is not None:
            typecheck(script, names)
            shutil.copy(path, sys.argv[2])
PYTHON

TIMEFORMAT='%R %U %S'
# Each prints: cases, wall seconds, processor seconds.
yinyang() { # TOOL ROUND SEEDS
    local log="$scratch/$1-$2.log" time="$scratch/$1-$2.time" dir="$scratch/$1-$2"
    mkdir -p "$dir"
    # A few mutants per seed, so that it gets around: in its own order it would spend the time on two or three seeds.
    { time env -C "$dir" timeout "$seconds" taskset -c "$core" \
        "$scratch/yinyang/bin/$1" "$z3 -smt2;$cvc5 -q --lang=smt2 --strings-exp" "$3" -i 10 -t 5 >"$log" 2>&1 || true; } 2>"$time"
    python3 - "$log" "$time" <<'PYTHON'
import re, sys
log = open(sys.argv[1]).read()
calls = [int(n) for n in re.findall(r"Performed (\d+) solver calls", log)]
answered = re.findall(r"eff: ([0-9.]+)%", log)
print(f"  yinyang: {(answered or ['no'])[-1]} % of its solver calls answered in time", file=sys.stderr)
wall, user, system = map(float, open(sys.argv[2]).read().split()[-3:])
print((calls or [0])[-1] / 2, wall, user + system)
PYTHON
}
falsum() { # STRATEGY ROUND SEEDS
    local out="$scratch/$1-$2" time="$scratch/$1-$2.time"
    { time taskset -c "$core" "$falsum" hunt "$3" --strategy "$1" -s "z3@$release" -s cvc5@1.4.2 -j 1 \
        --for "${seconds}s" --timeout 5s --key "round $2" --no-reduce --out "$out" --json >"$out.json" 2>"$out.err" || true; } 2>"$time"
    python3 - "$out.json" "$time" <<'PYTHON'
import json, sys
summary = json.loads(open(sys.argv[1]).read().splitlines()[-1])
wall, user, system = map(float, open(sys.argv[2]).read().split()[-3:])
print(summary["cases"], wall, user + system)
targets = summary["targets"].values()
share = lambda key: 100 * sum(t[key] for t in targets) / max(1, summary["tests"])
print(f"  {summary['cases']} cases, {summary['tests']} tests, {share('timeouts'):.0f} % at a limit, {share('errors'):.1f} % refused, "
      f"{100 * summary.get('outside_solvers', 0):.0f} % of processor time outside solvers, {summary['findings']} findings", file=sys.stderr)
PYTHON
}

printf '%-8s %-8s %14s %14s %8s\n' '' per 'yinyang' 'falsum' ratio
for pair in $pairs; do
    folder="$scratch/seeds"
    [ "$pair" = opfuzz:opswap ] || folder="$scratch/typed"
    : >"$scratch/theirs"; : >"$scratch/ours"
    for round in $(seq "$rounds"); do
        yinyang "${pair%%:*}" "$round" "$folder" >>"$scratch/theirs"
        falsum "${pair##*:}" "$round" "$folder" >>"$scratch/ours"
    done
    python3 - "${pair##*:}" "$scratch/theirs" "$scratch/ours" <<'PYTHON'
import sys
name, *files = sys.argv[1:]
theirs, ours = ([sum(column) for column in zip(*(map(float, line.split()) for line in open(f)))] for f in files)
for at, unit in ((1, "second"), (2, "cpu s")):
    a, b = theirs[0] / theirs[at], ours[0] / ours[at]
    ratio = f"{b / a:8.1f}" if a else "   none: it judged no mutant"
    print(f"{name:8} {unit:8} {a:14.1f} {b:14.1f} {ratio}")
PYTHON
done
