#!/bin/sh
# Both ways of installing falsum, tried from the built artefact in an empty environment: `cargo install`, and a wheel into a
# new virtual environment. They use the profile and the target folder of the tests, so that almost nothing is compiled
# again; what a release is built of is in bench/artefacts.sh.
set -eu
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-$(pwd)/target}
empty=$(mktemp -d)
trap 'rm -rf "$empty"' EXIT
began=$(date +%s)
past() { echo $(( $(date +%s) - began )); }

cargo install --quiet --path crates/falsum --profile quick --locked --target-dir "$target" --root "$empty/cargo" --no-track
echo "cargo install: after $(past) s, $(du -h "$empty/cargo/bin/falsum" | cut -f1)"
python3 -m venv "$empty/maker"
"$empty/maker/bin/pip" install --quiet --disable-pip-version-check 'maturin>=1.7,<2'
CARGO_TARGET_DIR=$target PATH="$empty/maker/bin:$PATH" \
    maturin build --quiet --profile quick --locked --out "$empty/dist"
python3 -m venv "$empty/venv"
"$empty/venv/bin/pip" install --quiet --disable-pip-version-check --no-index "$empty"/dist/*.whl
echo "pip install: after $(past) s, $(du -h "$empty"/dist/*.whl | cut -f1)"

# A liar that needs no network: the check must accuse it, and a hunt must end in time with a bug.
cat >"$empty/liar" <<'LIAR'
#!/bin/sh
while read -r line; do case $line in *check-sat*) echo unsat ;; esac; done <"$1"
LIAR
chmod +x "$empty/liar"
printf '(set-logic QF_LIA)\n(declare-const x Int)\n(assert (> x 0))\n(check-sat)\n' >"$empty/a.smt2"
for program in "$empty/cargo/bin/falsum" "$empty/venv/bin/falsum"; do
    mkdir "$empty/home"
    cd "$empty/home"
    run() { env -i HOME="$empty/home" PATH=/usr/bin:/bin "$program" "$@"; }
    run --version
    status=0
    run check ../a.smt2 -s "$empty/liar" >check.txt || status=$?
    [ $status = 10 ] && grep -q refutation-unsound check.txt || { cat check.txt; echo "check ended with $status"; exit 1; }
    status=0
    run hunt ../a.smt2 -s "$empty/liar" --strategy seeds,opswap --for 3s -j 1 --no-reduce --quiet || status=$?
    [ $status = 10 ] || { echo "hunt ended with $status"; exit 1; }
    run status | grep -q 'refutation-unsound' || { run status; exit 1; }
    cd - >/dev/null
    rm -r "$empty/home"
done
echo "both installed and tried after $(past) s"
