#!/usr/bin/env python3
"""Compares `falsum reduce` with ddSMT 2.0.6: the same triggers, the same interestingness program, the same cores.

usage: bench/reduce-vs-ddsmt.py FALSUM BUGS SEEDS OUT [--want N] [--jobs N] [--limit CPU-SECONDS] [--only make|ddsmt|falsum|own|table]

BUGS is a folder of scripts on which some release of z3 4.8.5 to 4.8.9 is wrong (against z3 5.4.0), prints a model
that its own validator refuses, or crashes; whichever shows first is pinned. Each is grown to between 1 and 20 KB with
declarations and assertions of satisfiable scripts (SEEDS/LOGIC/sat), names made distinct, as long as the bug still shows: the choice
depends on the name of the bug alone, so the same folders give the same triggers. Then both reducers are run, one
after the other, with one program that exits with 0 where the bug shows. `own` is falsum as people use it: it runs the
solvers itself, from copies of started processes, and knows by its evaluator what is wrong. Solver limits are processor seconds, so that
a loaded machine changes nothing. Sizes are compared after canonical printing of both results by the same printer.

Everything is kept in OUT (triggers, results, results.json), so that a part can be run again by itself. Solvers and
ddSMT are installed by package name.
"""
import argparse, functools, json, os, pathlib, random, re, resource, statistics, subprocess, sys, time, venv

RELEASES = ['4.8.6', '4.8.9', '4.8.7', '4.8.5', '4.8.8']
NEWEST = '5.4.0'

args = argparse.ArgumentParser()
args.add_argument('falsum'), args.add_argument('bugs'), args.add_argument('seeds'), args.add_argument('out')
args.add_argument('--want', type=int, default=32), args.add_argument('--jobs', type=int, default=1)
args.add_argument('--limit', type=int, default=180), args.add_argument('--only', default='')
args = args.parse_args()
falsum, out = os.path.realpath(args.falsum), pathlib.Path(args.out).resolve()
(out / 'triggers').mkdir(parents=True, exist_ok=True)
(out / 'tmp').mkdir(exist_ok=True)
book = out / 'results.json'
results = json.loads(book.read_text()) if book.exists() else {}


def save():
    """Parts may run at the same time, each with its own column."""
    there = json.loads(book.read_text()) if book.exists() else {}
    for name, row in there.items(): results.setdefault(name, {}).update({key: row[key] for key in row if key not in results[name]})
    book.with_suffix('.new').write_text(json.dumps(results, indent=1, sort_keys=True))
    book.with_suffix('.new').rename(book)


@functools.cache
def z3(version):
    subprocess.run([falsum, 'solvers', 'add', f'z3@{version}'], check=True, capture_output=True)
    path = subprocess.run([falsum, 'solvers', 'path', f'z3@{version}'], check=True, capture_output=True, text=True)
    return path.stdout.strip()


def check_text(kind, version, new):
    """The interestingness program: exit code 0 where the bug shows."""
    # A script that the release does not understand shows nothing.
    head = '#!/bin/sh\nulimit -t 1\nexec 2>&1\nunderstood() { case "$1" in *unknown*|*"nvalid "[!m]*) exit 1 ;; esac; }\n'
    old = z3(version)
    if kind in ('sat', 'unsat'):
        other = {'sat': 'unsat', 'unsat': 'sat'}[kind]
        return head + (f'a=$("{old}" "$1"); understood "$a"\n[ "${{a%%[!a-z]*}}" = {kind} ] || exit 1\n'
                       f'b=$("{new}" "$1")\n[ "${{b%%[!a-z]*}}" = {other} ]\n')
    if kind == 'model':
        return head + f'a=$("{old}" model_validate=true "$1"); understood "$a"\ncase "$a" in *"invalid model"*) ;; *) exit 1 ;; esac\n'
    return head + f'a=$("{old}" "$1"); c=$?; understood "$a"\n[ $c -eq 139 ] || [ $c -eq 134 ] || [ $c -eq 136 ]\n'


def commands(text):
    """Top-level forms, comments left out."""
    found, depth, start, i = [], 0, 0, 0
    while i < len(text):
        c = text[i]
        if c == ';':
            i = text.find('\n', i) if '\n' in text[i:] else len(text)
        elif c in '"|':
            i = text.find(c, i + 1)
            if i < 0: break
        elif c == '(':
            if depth == 0: start = i
            depth += 1
        elif c == ')':
            depth -= 1
            if depth == 0: found.append(text[start:i + 1])
        i += 1
    return found


def holds(program, text, at):
    at.write_text(text)
    return subprocess.run([program, at], capture_output=True).returncode == 0


def renamed(text, prefix):
    names = set(re.findall(r'\((?:declare|define)-\w+(?:-\w+)*\s+([^\s()|]+)', text))
    if not names: return text
    edge = r'[\w.!@$%^&*+=<>?/|~-]'
    pattern = re.compile(f'(?<!{edge})(' + '|'.join(map(re.escape, sorted(names, key=len, reverse=True))) + f')(?!{edge})')
    return pattern.sub(lambda m: prefix + m.group(1), text)


def larger(script, body, rng):
    """Ways to put another script into one: beside it, as a part of an assertion, or as a tautology."""
    at = script.index('(check-sat')
    yield script[:at] + body + '\n' + script[at:]
    forms = commands(body)
    declared = '\n'.join(c for c in forms if not c.startswith('(assert'))
    terms = [c[len('(assert'):-1].strip() for c in forms if c.startswith('(assert')]
    if not terms: return
    both = '(and ' + ' '.join(terms) + ')' if len(terms) > 1 else terms[0]
    own = [c for c in commands(script) if c.startswith('(assert')]
    if own:
        chosen = rng.choice(own)
        inner = chosen[len('(assert'):-1].strip()
        place = script.index(chosen)
        yield script[:place] + declared + f'\n(assert (or {inner} (and {both} false)))' + script[place + len(chosen):]
    yield script[:at] + declared + f'\n(assert (or (not {both}) {both}))\n' + script[at:]


def grow(name, text, program, others):
    """A larger script that shows the same, or None."""
    rng, best, at = random.Random(name), text, out / 'tmp' / f'{name}.smt2'
    target, tried = rng.randint(1500, 9000), 0
    for number in range(200):
        if len(best) >= target or tried >= 16: break
        other = rng.choice(others)
        forms = [c for c in commands(other.read_text(errors='replace')) if re.match(r'\((declare-|define-fun |define-sort|assert)', c)]
        body = renamed('\n'.join(forms), f'p{number}_')
        if not 300 < len(body) < 3000 or '(assert (!' in body: continue
        tried += 1
        for candidate in larger(best, body, rng):
            at.write_text(candidate)
            if len(candidate) >= 20000 or subprocess.run([falsum, 'parse', '--check', at], capture_output=True).returncode: continue
            if holds(program, candidate, at):
                best = candidate
                break
    return best if len(best) >= 1000 and holds(program, best, at) else None


def make():
    new = z3(NEWEST)
    # What is added must be satisfiable, or it decides everything.
    logics = ['QF_LIA', 'QF_LRA', 'QF_AX', 'QF_AUFLIA', 'QF_ALIA', 'QF_BV', 'QF_UF', 'LIA']
    others = sorted(p for logic in logics for p in pathlib.Path(args.seeds).glob(f'{logic}/sat/*.smt2') if p.stat().st_size < 4000)
    for bug in sorted(pathlib.Path(args.bugs).rglob('*.smt2'), key=lambda p: ('z3' not in p.name, p.name)):
        if len([r for r in results.values() if r.get('bytes')]) >= args.want: return
        if bug.stem in results: continue
        forms = commands(bug.read_text(errors='replace'))
        # Logics would forbid what is added; get-model and the like only print.
        kept = [c for c in forms if not re.match(r'\((set-logic|set-info|get-|exit|echo)', c)]
        if sum(c.startswith('(check-sat') for c in kept) != 1 or any('(push' in c for c in kept): continue
        text, at = '\n'.join(kept) + '\n', out / 'tmp' / 'probe.smt2'
        results[bug.stem] = {}
        for version in RELEASES:
            old, answer = z3(version), ''
            at.write_text(text)
            ask = lambda p, *more: subprocess.run(['sh', '-c', 'ulimit -t 1; exec "$@"', 'sh', p, *more, at], capture_output=True, text=True, errors='replace')
            run = ask(old)
            answer = run.stdout.split('\n')[0]
            kind = None
            if run.returncode in (-11, -6, -8): kind = 'crash'
            elif answer in ('sat', 'unsat') and ask(new).stdout.split('\n')[0] == {'sat': 'unsat', 'unsat': 'sat'}[answer]: kind = answer
            elif answer == 'sat' and 'invalid model' in (lambda r: r.stdout + r.stderr)(ask(old, 'model_validate=true')): kind = 'model'
            if not kind: continue
            program = out / 'triggers' / f'{bug.stem}.check'
            program.write_text(check_text(kind, version, new))
            program.chmod(0o755)
            grown = grow(bug.stem, text, program, others)
            if grown:
                (out / 'triggers' / f'{bug.stem}.smt2').write_text(grown)
                results[bug.stem] = {'kind': kind, 'release': version, 'bytes': len(grown.encode())}
                print(bug.stem, kind, version, len(grown), file=sys.stderr, flush=True)
                break
        save()


def spent(session):
    """Processor seconds of all processes of a session and of those they have waited for."""
    total = 0
    for stat in pathlib.Path('/proc').glob('[0-9]*/stat'):
        try: fields = stat.read_text().rpartition(')')[2].split()
        except OSError: continue
        if int(fields[3]) == session: total += sum(map(int, fields[11:15]))
    return total / os.sysconf('SC_CLK_TCK')


def timed(command):
    """Wall and processor seconds, and whether it ended by itself. The limit is one of processor seconds."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    ended = False
    while not ended:
        try:
            process.wait(0.5)
            ended = True
        except subprocess.TimeoutExpired:
            if spent(process.pid) < args.limit: continue
            last = spent(process.pid)
            os.killpg(process.pid, 9)
            process.wait()
            return {'wall': round(time.monotonic() - began, 2), 'cpu': round(last, 2), 'ended': False}
    wall, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {'wall': round(wall, 2), 'cpu': round(cpu, 2), 'ended': ended}


def canonical(path):
    printed = subprocess.run([falsum, 'parse', '--format', 'canonical', path], capture_output=True)
    return len(printed.stdout) if printed.returncode == 0 else None


def reduce_all(tool):
    if tool == 'ddsmt' and not (out / 'venv/bin/ddsmt').exists():
        venv.create(out / 'venv', with_pip=True)
        subprocess.run([out / 'venv/bin/pip', 'install', '-q', 'ddsmt==2.0.6'], check=True)
    # What ends soon first.
    for name, row in sorted(results.items(), key=lambda item: (item[1].get('kind') in ('sat', 'unsat'), item[0])):
        if not row.get('bytes') or (tool in row and tool == 'ddsmt'): continue
        trigger, program = out / 'triggers' / f'{name}.smt2', out / 'triggers' / f'{name}.check'
        result = out / f'{name}.{tool}.smt2'
        result.write_bytes(trigger.read_bytes())
        if tool == 'ddsmt':
            command = [out / 'venv/bin/ddsmt', '-j', str(args.jobs), '--ignore-output', trigger, result, program]
        elif tool == 'own':
            goal = {'sat': 'wrong', 'unsat': 'wrong', 'model': 'invalid-model', 'crash': 'crash'}[row['kind']]
            command = [falsum, 'reduce', trigger, '--goal', goal, '-s', f"z3@{row['release']}", '-r', f'z3@{NEWEST}',
                       '-j', str(args.jobs), '--timeout', '1s', '-o', result]
        else:
            command = [falsum, 'reduce', trigger, '--script', program, '-j', str(args.jobs), '--timeout', '60s', '-o', result]
        row[tool] = timed([str(word) for word in command])
        row[tool]['bytes'] = canonical(result)
        row[tool]['shows'] = subprocess.run([program, result]).returncode == 0
        print(name, tool, row[tool], file=sys.stderr, flush=True)
        save()


def table():
    for tool in ('falsum', 'own'):
        compare(tool)


def compare(tool):
    """One row a trigger, then the medians."""
    print(f'| trigger | z3 | bytes | {tool} s (cpu) | ddSMT s (cpu) | times faster (cpu) | {tool} bytes | ddSMT bytes |\n|---|---|---|---|---|---|---|---|')
    wall, cpu, larger, count = [], [], [], 0
    for name, row in sorted(results.items()):
        if 'ddsmt' not in row or tool not in row: continue
        f, d, count = row[tool], row['ddsmt'], count + 1
        wall.append(d['wall'] / f['wall']), cpu.append(d['cpu'] / f['cpu'])
        if (f['bytes'] or 1 << 30) > (d['bytes'] or 1 << 30): larger.append(name)
        cut = '' if d['ended'] else '≥ '
        print(f"| {name} | {row['release']} {row['kind']} | {row['bytes']} | {f['wall']:.1f} ({f['cpu']:.1f}) | {cut}{d['wall']:.1f} ({d['cpu']:.1f}) "
              f"| {cut}{wall[-1]:.1f} ({cpu[-1]:.1f}) | {f['bytes']} | {d['bytes'] or 'ill-typed'} |")
    if count:
        ended = sum(row['ddsmt']['ended'] for row in results.values() if 'ddsmt' in row and tool in row)
        print(f"\n{count} triggers; median times faster: wall {statistics.median(wall):.1f}, cpu {statistics.median(cpu):.1f}; "
              f"larger than ddSMT's: {len(larger)} {larger}; ddSMT ended by itself within {args.limit} processor seconds: {ended}\n")


for part in ('make', 'falsum', 'own', 'ddsmt', 'table'):
    if args.only not in ('', part): continue
    if part in ('make', 'table'): {'make': make, 'table': table}[part]()
    else: reduce_all(part)
