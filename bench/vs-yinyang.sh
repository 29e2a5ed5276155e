#!/usr/bin/env bash
# Cases judged per second, falsum against yinyang 0.3.0, in one run: same z3, same cvc5, same seeds, one core each.
# usage: bench/vs-yinyang.sh [SEED_FOLDER] [SECONDS]
# yinyang is installed by package name into a scratch folder; the solvers are falsum's own installed releases.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
seeds=${1:-${FALSUM_CORPUS:-../shared/corpus}}
seconds=${2:-60}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cargo build --quiet --release --package falsum
falsum=${CARGO_TARGET_DIR:-target}/release/falsum
"$falsum" solvers add z3@5.4.0 cvc5@1.4.2
z3=$("$falsum" solvers path z3@5.4.0)
cvc5=$("$falsum" solvers path cvc5@1.4.2)

python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install --quiet yinyang==0.3.0

measure_yinyang() { # NAME: its own last figure, mutants per second
    (cd "$scratch" && taskset -c 0 timeout "$seconds" "venv/bin/$1" "$z3;$cvc5 -q" "$seeds" -i 300 -t 5 -q 2>/dev/null || true) |
        sed -n 's/.* \([0-9.]*\) mutants\/s).*/\1/p' | tail -1
}
measure_falsum() { # STRATEGY: cases per second from the summary
    taskset -c 0 "$falsum" hunt "$seeds" --strategy "$1" -s z3@5.4.0 -s cvc5@1.4.2 -j 1 --for "${seconds}s" \
        --timeout 5s --out "$scratch/out-$1" --json 2>/dev/null | tail -1 |
        python3 -c 'import json, sys; print(round(json.load(sys.stdin)["cases_per_s"], 1))'
}

printf '%-10s %16s %16s %8s\n' strategy 'yinyang /s' 'falsum /s' ratio
for pair in opfuzz:opswap typefuzz:regrow; do
    theirs=$(measure_yinyang "${pair%%:*}")
    ours=$(measure_falsum "${pair##*:}")
    ratio=$(python3 -c "print(round($ours / max(${theirs:-0.001}, 0.001), 1))")
    printf '%-10s %16s %16s %8s\n' "${pair##*:}" "${theirs:-none}" "$ours" "$ratio"
done
