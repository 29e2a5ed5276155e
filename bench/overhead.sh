#!/usr/bin/env bash
# What falsum itself costs, in one run: cases per second and core through the whole pipeline with a solver that answers
# at once, and the share of processor time outside the solvers in a hunt against z3 5.4.0 and cvc5 1.4.2.
# usage: bench/overhead.sh [SECONDS] [CASES]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
seconds=${1:-180}
cases=${2:-100000}
profile=${FALSUM_PROFILE:-release}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cargo build --quiet --profile "$profile" --package falsum
cargo build --quiet --profile "$profile" --package testkit --bin fake-solver
built=$(realpath "${CARGO_TARGET_DIR:-target}/$profile")
export FALSUM_HOME=${FALSUM_HOME:-$scratch/home}

# It is called z3 so that it is spoken to as z3 is; it never disagrees with an expectation, so nothing is found.
ln -s "$built/fake-solver" "$scratch/z3"
TIMEFORMAT='%R %U %S'
instant() { # WORKERS
    { time "$built/falsum" hunt --strategy opswap,regrow -s "instant=$scratch/z3 --instant unknown" -j "$1" --cases "$cases" \
        --session scoped --key overhead --no-reduce --out "$scratch/instant$1" --json >"$scratch/json" 2>/dev/null || true; } 2>"$scratch/time"
    python3 - "$1" "$scratch" <<'PYTHON'
import json, pathlib, sys
workers, scratch = int(sys.argv[1]), pathlib.Path(sys.argv[2])
summary = json.loads((scratch / "json").read_text().splitlines()[-1])
wall, user, system = map(float, (scratch / "time").read_text().split()[-3:])
cases = summary["cases"]
print(f"instant solver, {workers} worker(s): {cases} cases in {wall:.1f} s: {cases / wall:.0f} /s; "
      f"{cases / (user + system):.0f} per processor second, the fake solver's included")
PYTHON
}
instant 1
instant 2

"$built/falsum" solvers add z3@5.4.0 cvc5@1.4.2 >/dev/null 2>&1
"$built/falsum" hunt -s z3@5.4.0 -s cvc5@1.4.2 -j 2 --for "${seconds}s" --key overhead --no-reduce --out "$scratch/real" --json \
    >"$scratch/json" 2>/dev/null || true
python3 - "$scratch/json" <<'PYTHON'
import json, sys
summary = json.loads(open(sys.argv[1]).read().splitlines()[-1])
print(f"z3 and cvc5, every strategy: {summary['cases']} cases, {summary['tests']} tests, "
      f"{100 * summary['outside_solvers']:.1f} % of processor time outside the solvers")
PYTHON
