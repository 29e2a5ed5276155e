#!/bin/sh
# What a release consists of, into a folder: the wheel, the program, completions and manual pages; prints the sizes.
# PROFILE=quick builds faster and larger.
set -eu
out=$(mkdir -p "${1:?usage: bench/artefacts.sh FOLDER}" && cd "$1" && pwd)
cd "$(dirname "$0")/.."
profile=${PROFILE:-release}
maturin build --profile "$profile" --out "$out"
cargo build --profile "$profile" --locked --package falsum
program=${CARGO_TARGET_DIR:-target}/$profile/falsum
cp "$program" "$out/falsum"
mkdir -p "$out/completions" "$out/man"
for shell in bash zsh fish elvish powershell; do "$program" completions "$shell" > "$out/completions/falsum.$shell"; done
"$program" man > "$out/man/falsum.1"
for command in $("$program" help | sed -n '/^Commands:/,/^$/s/^  \([a-z][a-z0-9-]*\) .*/\1/p'); do
    [ "$command" = help ] || "$program" man "$command" > "$out/man/falsum-$command.1"
done
du -h "$out/falsum" "$out"/*.whl
