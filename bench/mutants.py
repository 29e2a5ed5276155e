#!/usr/bin/env python3
"""Mutation testing with all mutants in one build.

Usage: bench/mutants.py COPY [--sample N] [--seed S] --plant
       bench/mutants.py COPY --run JOBS.json [--first A] [--last B]

COPY is a copy of the repository, which is changed. `--plant` puts a random sample of mutants into the code that decides
(oracle, evaluator, symptoms), each behind a switch that the environment variable MUTANT sets, and writes COPY/mutants.json.
The tests are then built once, and `--run` starts the test programs listed in JOBS.json (a list of {"for": [crates], "argv", "cwd"})
once per mutant until one fails. A program that takes three times as long as without a mutant, and ten seconds more, counts as a failure.

Mutants: a condition is negated, a comparison is negated, a function returns something else at once.
"""
import json, os, random, re, subprocess, sys, time
from pathlib import Path

PLACES = [("oracle", "src"), ("semantics", "src/eval"), ("triage", "src/symptom.rs")]
VALUES = {"bool": ["true", "false"], "usize": ["0", "1"], "u64": ["0", "1"], "u32": ["0", "1"], "String": ["String::new()"]}
SWITCH = """
#[doc(hidden)]
#[allow(clippy::all)]
pub fn mutant(n: u32) -> bool {
    static ON: std::sync::OnceLock<u32> = std::sync::OnceLock::new();
    *ON.get_or_init(|| std::env::var("MUTANT").ok().and_then(|n| n.parse().ok()).unwrap_or(u32::MAX)) == n
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
    """(crate, file, line, start, end, what, kind) of all mutants that could be made."""
    found = []
    for crate, file in files(root):
        lines = file.read_text().split("\n")
        for number, line in enumerate(lines):
            if "#[cfg(test)]" in line:
                break
            if line.lstrip().startswith("//") or "assert" in line or "matches!" in line or '"' in line:
                continue
            for kind, pattern in (("compare", COMPARE), ("branch", BRANCH)):
                for match in pattern.finditer(line):
                    found.append((crate, str(file.relative_to(root)), number, match.start("it"), match.end("it"), kind, match["it"]))
            head = HEAD.match(line)
            if head and "const fn" not in line:
                kind = head["type"]
                values = VALUES.get(kind, ["None"] if kind.startswith("Option") else ["vec![]"])
                for value in values:
                    found.append((crate, str(file.relative_to(root)), number, len(line), len(line), "return " + value, head["name"]))
    return found


def plant(root, sample, seed):
    all_sites = sites(root)
    banned = set(map(tuple, json.loads((root / "banned.json").read_text()))) if (root / "banned.json").exists() else set()
    random.Random(seed).shuffle(all_sites)
    chosen, taken = [], set()
    for site in all_sites:
        place = site[1:3]  # One per line, so that they do not overlap.
        if place in taken or tuple(site[1:6]) in banned or len(chosen) == sample:
            continue
        taken.add(place)
        chosen.append(site)
    for n, (crate, file, number, start, end, kind, what) in enumerate(chosen):
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
    table = [{"n": n, "crate": s[0], "file": s[1], "line": s[2] + 1, "kind": s[5], "what": s[6], "key": s[1:6]} for n, s in enumerate(chosen)]
    (root / "mutants.json").write_text(json.dumps(table, indent=1))
    print(f"{len(chosen)} of {len(all_sites)} possible mutants")


def passes(job, n, limit):
    env = {**os.environ, "MUTANT": str(n)}
    try:
        return subprocess.run(job["argv"], cwd=job["cwd"], env=env, capture_output=True, timeout=limit).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def run(root, jobs, first, last):
    jobs = json.loads(Path(jobs).read_text())
    for job in jobs:
        began = time.time()
        assert passes(job, 10**9, 3000), f"{job['argv']} fails without a mutant"
        job["limit"] = 10 + 3 * (time.time() - began)
        print(f"{job['argv'][0].rsplit('/', 1)[-1]}: {time.time() - began:.1f} s", flush=True)
    killed = 0
    tried = {crate for job in jobs for crate in job["for"]}
    mutants = json.loads((root / "mutants.json").read_text())[first:last]
    mutants = [mutant for mutant in mutants if mutant["crate"] in tried]
    for done, mutant in enumerate(mutants, 1):
        by = next((job for job in jobs if mutant["crate"] in job["for"] and not passes(job, mutant["n"], job["limit"])), None)
        killed += by is not None
        name = by["argv"][0].rsplit("/", 1)[-1] if by else "SURVIVES"
        print(f"{mutant['n']} {name} {mutant['file']}:{mutant['line']} {mutant['kind']}: {mutant['what']}  [{killed}/{done}]", flush=True)


if __name__ == "__main__":
    args = sys.argv[1:]
    root = Path(args[0])
    option = lambda name, other: args[args.index(name) + 1] if name in args else other
    if "--plant" in args:
        plant(root, int(option("--sample", 240)), int(option("--seed", 1)))
    else:
        run(root, option("--run", ""), int(option("--first", 0)), int(option("--last", 10**6)))
