#!/bin/bash
# A real Slurm on one machine: a controller and two daemons from Debian's packages, an array of eight shards of which one
# is killed with -9 and one is preempted, and the comparison of their merge with the same campaign on one machine. It
# succeeds if both are equal case for case and bug for bug, if the preempted shard ended by itself with everything saved
# before Slurm started it again, and if the killed one was lost and started again.
#
#   bench/slurm.sh [FALSUM] [CASES]      needs root (apt-get, munge); FALSUM is target/quick/falsum without it
#
# About two minutes on two quiet cores. FAKE is the test kit's fake solver, if it is not in target/quick.
# The solver under test is the test kit's fake solver, which always says unsat, so that there are bugs and no limits.
# SOLVERS="-s z3@4.8.9 -r cvc5@1.4.2" takes real ones; SEEDS is a folder with seeds.
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
falsum=${1:-$here/target/quick/falsum}; cases=${2:-2000}
dir=$(mktemp -d /tmp/falsum-slurm.XXXXXX); chmod 755 "$dir"
echo "folder $dir"
export FALSUM_HOME=${FALSUM_HOME:-$HOME/.local/share/falsum}
pids=()
stop() { for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null; done; }
trap stop EXIT
fail() { echo "FAILED: $*"; exit 1; }

command -v slurmctld >/dev/null && command -v munged >/dev/null ||
  apt-get install -y --no-install-recommends slurmctld slurmd slurm-client munge >"$dir/apt.log" 2>&1 || fail "apt-get, see $dir/apt.log"

# Munge, with a key and a socket of its own.
mkdir -p "$dir"/{munge,state,log,spool1,spool2}; chown munge "$dir/munge"; chmod 711 "$dir/munge"
dd if=/dev/urandom of="$dir/munge/key" bs=1024 count=1 2>/dev/null; chown munge "$dir/munge/key"; chmod 400 "$dir/munge/key"
runuser -u munge -- munged --foreground --force --key-file="$dir/munge/key" --socket="$dir/munge/socket" \
  --pid-file="$dir/munge/pid" --log-file="$dir/munge/log" --seed-file="$dir/munge/seed" >"$dir/munge.out" 2>&1 & pids+=($!)
sleep 1
cat >"$dir/slurm.conf" <<CONF
ClusterName=falsum
SlurmctldHost=localhost(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$dir/munge/socket,cred_expire=5
CredType=cred/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
ReturnToService=2
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/%n.pid
SlurmctldPort=16817
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool-%n
SlurmctldLogFile=$dir/log/ctld.log
SlurmdLogFile=$dir/log/%n.log
SwitchType=switch/none
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=2,sched_interval=2,default_queue_depth=100
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
KillWait=20
NodeName=one NodeHostname=localhost NodeAddr=127.0.0.1 Port=17001 CPUs=4 RealMemory=4000 State=UNKNOWN
NodeName=two NodeHostname=localhost NodeAddr=127.0.0.1 Port=17002 CPUs=4 RealMemory=4000 State=UNKNOWN
PartitionName=low Nodes=one,two Default=YES PriorityTier=1 PreemptMode=REQUEUE MaxTime=INFINITE State=UP
PartitionName=high Nodes=one,two PriorityTier=10 PreemptMode=OFF MaxTime=INFINITE State=UP
CONF
export SLURM_CONF=$dir/slurm.conf
mkdir -p "$dir/spool-one" "$dir/spool-two"
slurmctld -D -f "$dir/slurm.conf" >"$dir/log/ctld.out" 2>&1 & pids+=($!)
for node in one two; do slurmd -D -N $node -f "$dir/slurm.conf" >"$dir/log/$node.out" 2>&1 & pids+=($!); done
for _ in $(seq 30); do [ "$(sinfo -h -N -p low -o %T 2>/dev/null | grep -c idle)" = 2 ] && break; sleep 1; done
sinfo -N -p low || fail "no Slurm; see $dir/log"
[ "$(sinfo -h -N -p low -o %T | grep -c idle)" = 2 ] || fail "two daemons do not run on one machine; see $dir/log"

# Seeds and a solver.
if [ -z "${SOLVERS:-}" ]; then
  cp "${FAKE:-$here/target/quick/fake-solver}" "$dir/z3"
  set -- -s "liar=$dir/z3 --instant unsat"
else
  # shellcheck disable=SC2086
  set -- $SOLVERS
fi
seeds=${SEEDS:-$dir/seeds}
if [ -z "${SEEDS:-}" ]; then
  mkdir "$seeds"; n=0
  for operator in bvult bvule bvsge = bvslt bvugt distinct bvsle; do
    echo "(set-logic QF_BV)(declare-const a (_ BitVec 4))(declare-const b (_ BitVec 4))(assert ($operator (bvadd a b) #x$n))(check-sat)" >"$seeds/$n.smt2"
    n=$((n + 1))
  done
fi
hunt=("$seeds" --strategy seeds,opswap,fusion --key slurm --no-reduce --cases "$cases" --epoch 64 "$@")

began=$(date +%s.%N)
"$falsum" hunt "${hunt[@]}" --out "$dir/whole" -j 2 -q; echo "one machine: exit $?, $(echo "$(date +%s.%N) - $began" | bc) s"
began=$(date +%s.%N)
"$falsum" cluster slurm --shards 8 --out "$dir/campaign" --sbatch=--partition=low --every 2s -- "${hunt[@]}" >"$dir/cluster.out" 2>"$dir/cluster.err" & watcher=$!; pids+=($watcher)
for _ in $(seq 60); do [ "$(squeue -h -r -t R -p low | wc -l)" -ge 8 ] && break; sleep 0.5; done
squeue -r
sleep "${WAIT:-4}"

# One is preempted by a job that needs a core of a full machine.
sbatch --parsable -p high -n 1 --wrap "sleep 5" --output=/dev/null >"$dir/high" && echo "submitted a job that preempts: $(cat "$dir/high")"
for _ in $(seq 40); do grep -q "preempted" "$dir/log/ctld.log" && break; sleep 0.5; done
grep -i "preempt" "$dir/log/ctld.log" | tail -3
preempted=$(sed -n 's/.*preempted JobId=[0-9]*_\([0-9]*\).*/\1/p' "$dir/log/ctld.log" | head -1)
[ -n "$preempted" ] || fail "nothing was preempted"
# Another one is killed with -9.
task=$(squeue -h -r -t R -p low -o %K | tail -1)
victim=$(pgrep -f "cluster shard -- " | while read -r pid; do tr '\0' '\n' <"/proc/$pid/environ" 2>/dev/null | grep -qx "SLURM_ARRAY_TASK_ID=$task" && echo "$pid"; done | head -1)
[ -n "$victim" ] && kill -9 "$victim" && echo "killed shard $task, process $victim" || fail "no shard to kill"
"$falsum" status "$dir/campaign" | head -14
wait $watcher; echo "cluster: exit $?, $(echo "$(date +%s.%N) - $began" | bc) s"
cat "$dir/cluster.err" "$dir/cluster.out"
grep -iE "requeue" "$dir/log/ctld.log" | tail -3
[ "$preempted" != "$task" ] || fail "the preempted shard is the killed one"
grep -q "lost        shard $task " "$dir/cluster.err" || fail "the watcher did not see that shard $task was lost"

python3 - "$dir/campaign/shards" "$preempted" "$task" <<'PY' || fail "the shards did not end as they should"
import json, sys
shards, preempted, killed = sys.argv[1], *map(int, sys.argv[2:])
def runs(shard):
    """For each run of a shard: whether it ended by itself, with everything saved."""
    ends = []
    for line in open(f"{shards}/{shard:06}/events.jsonl"):
        event = json.loads(line)["event"]
        if event == "campaign-started":
            ends.append(False)
        elif event == "summary":
            ends[-1] = True
    return ends
for shard, wanted in (preempted, [True, True]), (killed, [False, True]):
    word = {True: "ended cleanly", False: "was killed"}
    print(f"shard {shard}: its runs", ", then ".join(word[end] for end in runs(shard)))
    assert runs(shard) == wanted, f"shard {shard}: {runs(shard)}, not {wanted}"
for shard in set(range(8)) - {preempted, killed}:
    assert runs(shard) == [True], f"shard {shard}: {runs(shard)}"
PY

python3 - "$dir/whole" "$dir/campaign/merged" <<'PY' || fail "the merge differs"
import sqlite3, sys
def read(folder):
    db = sqlite3.connect(f"file:{folder}/falsum.db?mode=ro", uri=True)
    cases = {row[:3]: row[3:] for row in db.execute("select strategy, unit, step, hash, verdict from case_list")}
    return cases, dict(db.execute("select id, kind from bugs")), {row[0] for row in db.execute("select id from findings")}
(a, bugs_a, found_a), (b, bugs_b, found_b) = map(read, sys.argv[1:])
verdicts = sum(a[k][1] != b[k][1] for k in a.keys() & b.keys())
print(f"cases: {len(a)} on one machine, {len(b)} merged, {sum(a[k][0] != b[k][0] for k in a.keys() & b.keys())} scripts and {verdicts} verdicts differ")
print(f"bugs: {len(bugs_a)} on one machine, {len(bugs_b)} merged, {len(bugs_a.keys() ^ bugs_b.keys())} differ")
sys.exit(not (a == b and bugs_a == bugs_b))
PY
echo "equal, case for case and bug for bug"
