#!/usr/bin/env bash
# A hunt in which every case is a hit of one of two planted bugs: `bench/hits.sh HITS FOLDER [FALSUM]`.
# Of 500 hits one is of the second bug. Prints how many bugs, folders and bytes there are in the end.
set -euo pipefail
hits=${1:?usage: bench/hits.sh HITS FOLDER [FALSUM]} folder=${2:?a new folder}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
falsum=${3:-$here/../target/release/falsum}
mkdir -p "$folder/seeds" && cd "$folder"
cc -O1 -o z3 "$here/hits/planted.c"
python3 - "$hits" <<'PY'
import os, sys
for n in range(int(sys.argv[1])):
    folder = f"seeds/{n // 1000:03}"
    os.makedirs(folder, exist_ok=True)
    term = f"(= (bvcomp x (bvadd y #x{n:08x})) #b1)" if n % 500 == 7 else f"(bvult (bvxnor x y) #x{n:08x})"
    with open(f"{folder}/{n:06}.smt2", "w") as file:
        file.write(f"(set-logic QF_BV)\n(declare-const x (_ BitVec 32))\n(declare-const y (_ BitVec 32))\n(assert {term})\n(check-sat)\n")
PY
"$falsum" hunt seeds --strategy seeds --schedule fixed --options none -s planted=./z3 --cases "$hits" -j1 --key hits --out out -q || true
"$falsum" status out
echo "folders $(find out/findings -mindepth 1 -maxdepth 1 | wc -l), kilobytes $(du -sk out | cut -f1)"
