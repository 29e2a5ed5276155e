#!/usr/bin/env bash
# Compares `falsum reduce` with ddSMT 2.0.6: the same triggers, the same interestingness command, the same cores.
#
# usage: bench/reduce-vs-ddsmt.sh FALSUM OLD_Z3 NEW_Z3 SEEDS_DIR TRIGGER.smt2...
#
# A trigger is a script to which OLD_Z3 and NEW_Z3 give different definite answers. Each is padded with the
# declarations and assertions of a few scripts of SEEDS_DIR (names made distinct) as long as the answers still
# differ, until it has between 1 and 20 KB. Sizes are compared after canonical printing of both results.
# Environment: JOBS (default 2), LIMIT seconds per reduction (default 600), WANT triggers at most (default 30).
set -eu
falsum=$(realpath "$1"); old=$(realpath "$2"); new=$(realpath "$3"); seeds=$4; shift 4
jobs=${JOBS:-2}; limit=${LIMIT:-600}; want=${WANT:-30}
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -q ddsmt==2.0.6

# The interestingness command: exit 0 if both answer and the answers differ.
cat > "$work/differ" <<SH
#!/bin/sh
a=\$(timeout 2 "$old" "\$1" 2>&1 | head -n 1)
case "\$a" in sat) w=unsat ;; unsat) w=sat ;; *) exit 1 ;; esac
b=\$(timeout 2 "$new" "\$1" 2>&1 | head -n 1)
[ "\$b" = "\$w" ]
SH
chmod +x "$work/differ"

# Pads a trigger with other scripts: declarations first, then assertions, all names prefixed.
cat > "$work/pad.py" <<'PY'
import random, re, subprocess, sys
trigger, out, check, *others = sys.argv[1:]
rng = random.Random(trigger)
def commands(text):
    text, depth, start, found = re.sub(r'(?m)^\s*;.*$', '', text), 0, 0, []
    in_string = False
    for i, c in enumerate(text):
        if c == '"': in_string = not in_string
        if in_string: continue
        if c == '(':
            if depth == 0: start = i
            depth += 1
        elif c == ')':
            depth -= 1
            if depth == 0: found.append(text[start:i + 1])
    return found
def interesting(text):
    open(out, 'w').write(text)
    return subprocess.run([check, out]).returncode == 0
best = open(trigger).read()
if not interesting(best): sys.exit(1)
target = rng.randint(1500, 15000)
rng.shuffle(others)
for number, other in enumerate(others[:60]):
    if len(best) >= target: break
    new = [c for c in commands(open(other, errors='replace').read())
           if re.match(r'\((declare|define|assert)', c)]
    text = '\n'.join(new)
    if not 100 < len(text) < 4000: continue
    names = set(re.findall(r'\((?:declare|define)-\w+(?:-\w+)*\s+([^\s()|]+)', text))
    for name in names:
        text = re.sub(r'(?<![\w.!@$%^&*+=<>?/|~-])' + re.escape(name) + r'(?![\w.!@$%^&*+=<>?/|~-])', f'p{number}_{name}', text)
    lines = best.split('\n')
    at = next(i for i, line in enumerate(lines) if '(check-sat' in line)
    candidate = '\n'.join(lines[:at] + [text] + lines[at:])
    if len(candidate) < 20000 and interesting(candidate): best = candidate
sys.exit(0 if len(best) >= 1000 and interesting(best) else 1)
PY

canonical() { "$falsum" parse --format canonical "$1" | wc -c; }
printf '%-36s %7s %9s %9s %8s %8s %7s\n' trigger bytes 'falsum s' 'ddsmt s' 'falsum B' 'ddsmt B' ratio
count=0
for trigger in "$@"; do
  [ "$count" -lt "$want" ] || break
  padded=$work/$(basename "$trigger")
  mapfile -t others < <(find "$seeds" -name '*.smt2' -size -8k | sort)
  python3 "$work/pad.py" "$trigger" "$padded" "$work/differ" "${others[@]}" || continue
  count=$((count + 1))
  s=$(date +%s.%N)
  timeout "$limit" "$falsum" reduce "$padded" --script "$work/differ" -j "$jobs" -o "$work/f.smt2" --json > /dev/null 2>&1 || true
  m=$(date +%s.%N)
  cp "$padded" "$work/d.smt2"
  timeout "$limit" "$work/venv/bin/ddsmt" -j "$jobs" --ignore-output "$padded" "$work/d.smt2" "$work/differ" > /dev/null 2>&1 || true
  e=$(date +%s.%N)
  printf '%-36s %7d %9.1f %9.1f %8d %8d %7.1f\n' "$(basename "$trigger")" "$(wc -c < "$padded")" \
    "$(echo "$m - $s" | bc)" "$(echo "$e - $m" | bc)" "$(canonical "$work/f.smt2")" "$(canonical "$work/d.smt2")" \
    "$(echo "scale=3; ($e - $m) / ($m - $s)" | bc)"
done
