#!/usr/bin/env bash
# Queries per second of fresh, reset and scoped sessions against bare spawning, a shell loop and yinyang 0.3.0's runner,
# in one run, in turns, on small real formulas. z3 5.4.0 and cvc5 1.4.2 and yinyang are installed by package name.
# usage: bench/sessions.sh [SEED_FOLDER] [COUNT]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
seeds=$(realpath "${1:-${FALSUM_CORPUS:-../shared/corpus}}")
count=${2:-500}
profile=${FALSUM_PROFILE:-release}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cargo build --quiet --profile "$profile" --package falsum
FALSUM_DRIVER=$(realpath "${CARGO_TARGET_DIR:-target}/$profile/falsum")
export FALSUM_DRIVER FALSUM_HOME=${FALSUM_HOME:-$scratch/home}
python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --target "$scratch/yinyang" yinyang==0.3.0
YINYANG="$scratch/yinyang" cargo bench --quiet --profile "$profile" --package solver --bench sessions -- "$seeds" "$count"
