#!/usr/bin/env python3
"""Mutation testing with all mutants in one build.

Usage: bench/mutants.py COPY --plant [--sample N] [--seed S] [--again OLD.json]
       bench/mutants.py COPY --trace [--longest SECONDS]
       bench/mutants.py COPY --run [--only N,N…] [--within SECONDS]

COPY is a copy of the repository, which is changed.

`--plant` puts a random sample of mutants into the code that decides (oracle, evaluator, symptoms), each behind a switch that
the environment variable MUTANT sets, and writes COPY/mutants.json. With `--again` it plants the mutants of an earlier
mutants.json instead of a sample, wherever their lines are now.

`--trace` takes the test programs in COPY/programs.json (a list of {"argv": [program], "cwd", "without": [tests]}; see below), runs each
test of each of them alone, and writes to COPY/traces.json how long it takes and which mutants it reaches. Tests that take longer
than `--longest` (20 s) are left out, and it says so.

`--run` runs each mutant against the tests that reach it, the quickest first, until one fails. A test that takes three times as
long as without a mutant, and ten seconds more, counts as failed. `--within` ends the tests of one mutant after that many seconds;
it is then listed as surviving, with the number of tests that were left.

The programs are those that cargo names:

    cargo test --profile quick --no-run -p semantics -p oracle -p triage --message-format=json |
        jq -s '[.[] | select(.executable) | {argv: [.executable], cwd: (.manifest_path | sub("/Cargo.toml$"; ""))}]' > COPY/programs.json

Mutants: a condition is negated, a comparison is negated, a function returns something else at once.
"""
import json, os, random, re, subprocess, sys, tempfile, time
from collections import Counter, defaultdict
from pathlib import Path

PLACES = [("oracle", "src"), ("semantics", "src/eval"), ("triage", "src/symptom.rs")]
VALUES = {"bool": ["true", "false"], "usize": ["0", "1"], "u64": ["0", "1"], "u32": ["0", "1"], "String": ["String::new()"]}
SWITCH = """
#[doc(hidden)]
#[allow(clippy::all, clippy::pedantic, warnings)]
pub fn mutant(n: u32) -> bool {
    use std::io::Write;
    use std::sync::atomic::{AtomicBool, Ordering};
    static ON: std::sync::OnceLock<(u32, Option<std::fs::File>)> = std::sync::OnceLock::new();
    static REACHED: [AtomicBool; 4096] = [const { AtomicBool::new(false) }; 4096];
    let (on, trace) = ON.get_or_init(|| {
        let trace = std::env::var_os("MUTANT_TRACE").and_then(|path| std::fs::File::options().append(true).create(true).open(path).ok());
        (std::env::var("MUTANT").ok().and_then(|n| n.parse().ok()).unwrap_or(u32::MAX), trace)
    });
    if let Some(mut file) = trace.as_ref() {
        if !REACHED[n as usize].swap(true, Ordering::Relaxed) {
            let _ = file.write_all(format!("{n}\\n").as_bytes());
        }
    }
    *on == n
}
"""
OPERAND = r"[\w.&*]+(?:\([\w.&, ]*\))?(?:\.\w+(?:\([\w.&, ]*\))?)*"
COMPARE = re.compile(r"(?P<before>\bif |&& |\|\| |\(|=> |= |\| |return )(?P<it>" + OPERAND + r" (?:==|!=|<=|>=|<|>) " + OPERAND + r")(?P<after> \{| &&| \|\||\)|;|,)")
BRANCH = re.compile(r"(?P<before>\bif )(?P<it>(?!let )(?:(?!let |\{|\}| if |=>).)+?)(?P<after> \{(?: |$)| =>)")
HEAD = re.compile(r"^(?P<it> *(?:pub(?:\([\w:]+\))? )?fn (?P<name>\w+).*-> (?P<type>bool|usize|u64|u32|String|Option<.*>|Vec<.*>) \{)$")


def files(root):
    for crate, place in PLACES:
        path = root / "crates" / crate / place
        for file in [path] if path.is_file() else sorted(path.rglob("*.rs")):
            yield crate, file


def sites(root):
    """(crate, file, line, start, end, kind, what, text of the line) of all mutants that could be made."""
    found = []
    for crate, file in files(root):
        lines = file.read_text().split("\n")
        for number, line in enumerate(lines):
            if "#[cfg(test)]" in line:
                break
            if line.lstrip().startswith("//") or "assert" in line or "matches!" in line or '"' in line:
                continue
            name = str(file.relative_to(root))
            for kind, pattern in (("compare", COMPARE), ("branch", BRANCH)):
                for match in pattern.finditer(line):
                    found.append((crate, name, number, match.start("it"), match.end("it"), kind, match["it"], line))
            head = HEAD.match(line)
            if head and "const fn" not in line:
                kind = head["type"]
                values = VALUES.get(kind, ["None"] if kind.startswith("Option") else ["vec![]"])
                for value in values:
                    found.append((crate, name, number, len(line), len(line), "return " + value, head["name"], line))
    return found


def sampled(all_sites, sample, seed, banned):
    random.Random(seed).shuffle(all_sites)
    chosen, taken = [], set()
    for site in all_sites:
        place = site[1:3]  # One per line, so that they do not overlap.
        if place in taken or [site[1], site[5], site[7]] in banned or len(chosen) == sample:
            continue
        taken.add(place)
        chosen.append(site)
    return chosen


def found_again(all_sites, old):
    """The sites of earlier mutants: the same file, kind and text, and the same one of several equal ones."""
    def keyed(all_of_them, key):
        by = defaultdict(list)
        for one in all_of_them:
            by[key(one)].append(one)
        return by
    now = keyed(all_sites, lambda s: (s[1], s[5], s[6], s[7]))
    chosen = []
    for mutant in old:
        alike = now.get((mutant["file"], mutant["kind"], mutant["what"], mutant["text"]), [])
        if mutant["nth"] < len(alike):
            chosen.append(alike[mutant["nth"]])
        else:
            print("gone:", mutant["file"], mutant["kind"], mutant["what"])
    return chosen


def plant(root, sample, seed, again):
    all_sites = sites(root)
    alike = defaultdict(list)
    for site in all_sites:
        alike[(site[1], site[5], site[6], site[7])].append(site)
    banned = json.loads((root / "banned.json").read_text()) if (root / "banned.json").exists() else []
    chosen = found_again(all_sites, json.loads(Path(again).read_text())) if again else sampled(list(all_sites), sample, seed, banned)
    for n, (crate, file, number, start, end, kind, what, _) in enumerate(chosen):
        path = root / file
        lines = path.read_text().split("\n")
        line = lines[number]
        if kind.startswith("return"):
            lines[number] = f"{line} if crate::mutant({n}) {{ return {kind[7:]}; }}"
        else:
            lines[number] = f"{line[:start]}(({line[start:end]}) != crate::mutant({n})){line[end:]}"
        path.write_text("\n".join(lines))
    for crate in {crate for crate, _ in PLACES}:
        lib = root / "crates" / crate / "src/lib.rs"
        lib.write_text(lib.read_text() + SWITCH)
    table = [
        {"n": n, "crate": s[0], "file": s[1], "line": s[2] + 1, "kind": s[5], "what": s[6], "text": s[7],
         "nth": alike[(s[1], s[5], s[6], s[7])].index(s)}
        for n, s in enumerate(chosen)
    ]
    (root / "mutants.json").write_text(json.dumps(table, indent=1))
    print(f"{len(chosen)} of {len(all_sites)} possible mutants")


def passes(test, environment, limit):
    argv = test["argv"] + ["--exact", test["name"], "--test-threads=1"]
    try:
        env = {**os.environ, **environment}
        return subprocess.run(argv, cwd=test["cwd"], env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=limit).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def trace(root, longest):
    traces, left_out = [], []
    for program in json.loads((root / "programs.json").read_text()):
        listed = subprocess.run(program["argv"] + ["--list", "--format", "terse"], cwd=program["cwd"], capture_output=True, text=True).stdout
        ignored = subprocess.run(program["argv"] + ["--list", "--format", "terse", "--ignored"], cwd=program["cwd"], capture_output=True, text=True).stdout
        names = [line[:-6] for line in listed.split("\n") if line.endswith(": test") and line not in ignored.split("\n")]
        short = program["argv"][0].rsplit("/", 1)[-1].rsplit("-", 1)[0]
        began_program = time.time()
        for name in names:
            test = {"argv": program["argv"], "cwd": program["cwd"], "name": name, "program": short}
            with tempfile.NamedTemporaryFile() as file:
                began = time.time()
                good = passes(test, {"MUTANT_TRACE": file.name}, longest)
                test["seconds"] = time.time() - began
                test["reached"] = sorted({int(line) for line in file.read().split()})
            if good:
                traces.append(test)
            else:
                left_out.append(test)
                print(f"left out: {short} {name}, {test['seconds']:.1f} s, reaches {len(test['reached'])}", flush=True)
        print(f"{short}: {len(names)} tests, {time.time() - began_program:.1f} s", flush=True)
    (root / "traces.json").write_text(json.dumps(traces))
    reached = {n for test in traces for n in test["reached"]}
    print(f"{len(traces)} tests reach {len(reached)} mutants; {len(left_out)} left out")


def run(root, only, within):
    traces = sorted(json.loads((root / "traces.json").read_text()), key=lambda test: test["seconds"])
    mutants = [mutant for mutant in json.loads((root / "mutants.json").read_text()) if not only or mutant["n"] in only]
    tried, killed = Counter(), Counter()
    deadly = Counter()
    for mutant in mutants:
        tests = [test for test in traces if mutant["n"] in test["reached"]]
        # What killed much before is tried before what killed nothing, if it is about as quick.
        tests.sort(key=lambda test: test["seconds"] / (1 + deadly[test["program"], test["name"]]))
        by, began, left = None, time.time(), 0
        for at, test in enumerate(tests):
            if within and time.time() - began > within:
                left = len(tests) - at
                break
            if not passes(test, {"MUTANT": str(mutant["n"])}, 10 + 3 * test["seconds"]):
                by = test
                break
        tried[mutant["crate"]] += 1
        killed[mutant["crate"]] += by is not None
        if by:
            deadly[by["program"], by["name"]] += 1
        name = f"{by['program']}::{by['name']}" if by else "SURVIVES" + (f" ({left} tests left)" if left else "") + ("" if tests else " (not reached)")
        print(f"{mutant['n']}\t{name}\t{mutant['file']}:{mutant['line']}\t{mutant['kind']}: {mutant['what']}", flush=True)
    for crate in tried:
        print(f"{crate}: {killed[crate]} of {tried[crate]} killed")


if __name__ == "__main__":
    args = sys.argv[1:]
    root = Path(args[0])
    option = lambda name, other: args[args.index(name) + 1] if name in args else other
    if "--plant" in args:
        plant(root, int(option("--sample", 240)), int(option("--seed", 1)), option("--again", None))
    elif "--trace" in args:
        trace(root, float(option("--longest", 20)))
    else:
        run(root, [int(n) for n in option("--only", "").split(",") if n], float(option("--within", 0)))
