#!/bin/bash
# How a merge scales: SHARDS shards of 1,000,000 cases each, 200 bugs that every shard hits 50 times.
#
#   bench/merge.sh [FOLDER] [SHARDS] [ROWS]     FOLDER should be in memory or on a fast disk; ROWS cases of each shard have rows
#
# Prints the time, the processor time and the peak memory of `falsum merge`, and what the folders take.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
folder=${1:-/dev/shm/falsum-merge}; shards=${2:-1000}; rows=${3:-0}
rm -rf "$folder"; mkdir -p "$folder"
cd "$here"
FALSUM_FOLDER=$folder/shards FALSUM_SHARDS=$shards FALSUM_ROWS=$rows \
  cargo test --workspace --profile quick --test shards -- --ignored a_large_campaign >"$folder/make.log" 2>&1
echo "$shards shards, $rows rows of cases in each: $(du -sh --apparent-size "$folder/shards" | cut -f1), $(find "$folder/shards" -type f | wc -l) files"
python3 - "$here/target/quick/falsum" "$folder" <<'PY'
import os, resource, subprocess, sys, time
falsum, folder = sys.argv[1:]
shards = sorted(os.path.join(folder, "shards", name) for name in os.listdir(os.path.join(folder, "shards")))
def run(what, args):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.time()
    done = subprocess.run([falsum, "merge", *args], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"{what}: {time.time() - began:.1f} s, processor {cpu:.1f} s, peak {after.ru_maxrss / 1024:.0f} MB; {(done.stdout or done.stderr).strip()}")
run("merge of a tenth", [*shards[: max(1, len(shards) // 10)], "--out", f"{folder}/tenth"])
run("merge of all", [*shards, "--out", f"{folder}/merged"])
run("one shard more", [shards[0], "--out", f"{folder}/merged"])
PY
du -sh --apparent-size "$folder/merged" "$folder/merged/falsum.db" "$folder/merged/parts"; find "$folder/merged" -type f | wc -l
