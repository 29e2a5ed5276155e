#!/bin/bash
# The manifest of `falsum cluster kubernetes`, checked against the schemas of Kubernetes with kubernetes-validate (PyPI), and
# its commands run here, index by index, without a container: the contract is the same.
#
#   bench/kubernetes.sh [FALSUM] [CASES]
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
falsum=${1:-$here/target/quick/falsum}; cases=${2:-400}
dir=$(mktemp -d /tmp/falsum-kubernetes.XXXXXX); trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"; "$dir/venv/bin/pip" -q install kubernetes-validate
mkdir "$dir/seeds"; ln -s "$here/target/quick/fake-solver" "$dir/z3"
for n in 1 2 3 4; do echo "(set-logic QF_BV)(declare-const a (_ BitVec 4))(assert (bvult a #x$n))(check-sat)" >"$dir/seeds/$n.smt2"; done
hunt=("$dir/seeds" --strategy seeds,opswap --key k --no-reduce --cases "$cases" --epoch 32 -s "liar=$dir/z3 --instant unsat")
"$falsum" cluster kubernetes --shards 4 --image falsum:latest --claim data -- "${hunt[@]}" >"$dir/job.yaml"
for version in 1.29 1.33 1.37; do "$dir/venv/bin/kubernetes-validate" --strict -k $version "$dir/job.yaml"; done
sed 's/completionMode/completionMood/' "$dir/job.yaml" >"$dir/wrong.yaml"
"$dir/venv/bin/kubernetes-validate" --strict --quiet "$dir/wrong.yaml" >/dev/null 2>&1 && { echo "a wrong manifest passes"; exit 1; }
"$falsum" hunt "${hunt[@]}" --out "$dir/whole" -q || [ $? = 10 ]
python3 - "$falsum" "$dir" <<'PY'
import json, os, sqlite3, subprocess, sys
falsum, folder = sys.argv[1:]
text = open(f"{folder}/job.yaml").read()
jobs = [json.loads(part) for part in text.split("---\n") if part.strip()]
def run(job, index):
    container = job["spec"]["template"]["spec"]["containers"][0]
    env = dict(os.environ, PATH=os.path.dirname(falsum) + ":" + os.environ["PATH"], JOB_COMPLETION_INDEX=str(index))
    env.update({e["name"]: e["value"].replace("/campaign", folder + "/campaign") for e in container["env"] if e["name"] != "FALSUM_HOME"})
    command = [word.replace("/campaign", folder + "/campaign") for word in container["command"]]
    command = [falsum if word == "falsum" else word.replace("exec falsum", f"exec {falsum}") for word in command]
    os.makedirs(f"{folder}/campaign", exist_ok=True)
    return subprocess.Popen(command, env=env, cwd=f"{folder}/campaign")
pods = [run(jobs[0], index) for index in range(jobs[0]["spec"]["completions"])]
codes = [pod.wait() for pod in pods]
merged = run(jobs[1], 0).wait()
def cases(name):
    db = sqlite3.connect(f"file:{folder}/{name}/falsum.db?mode=ro", uri=True)
    return sorted(db.execute("select strategy, unit, step, hash, verdict from case_list"))
same = cases("whole") == cases("campaign/merged")
print(f"exit codes of the pods {codes}, of the merge {merged}; {len(cases('whole'))} cases, merge {'equal to' if same else 'DIFFERS from'} one machine")
sys.exit(not same)
PY
