#!/usr/bin/env python3
"""Runs every command of every draft of a campaign from a clean folder and compares the output with what the draft shows.

usage: bench/drafts.py FALSUM CAMPAIGN…

For each draft of `FALSUM report CAMPAIGN --format issues`: its `bug.smt2` is copied into an empty folder, the command is
run there by a shell with the program of the named release first on PATH, and standard output, standard error and the exit
code must be those of the draft. Then the finding's `run.sh` is run from another folder; the accused solver must print the
same there. Models may name fresh values differently from run to run, so for a differing model the answers are compared.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

falsum, campaigns = os.path.abspath(sys.argv[1]), sys.argv[2:]
good, bad = 0, []


def path_of(package):
    """The folder with the program of an installed release: `z3-solver==4.8.6.0`."""
    listed = json.loads(subprocess.run([falsum, "solvers", "list", "--json"], capture_output=True, text=True).stdout)
    for release in listed:
        if release["origin"] == f"pip {package}":
            return os.path.dirname(release["path"])
    return None


def answers(text):
    return re.findall(r"^(?:sat|unsat|unknown)$", text, re.M)


for campaign in campaigns:
    drafts = tempfile.mkdtemp()
    subprocess.run([falsum, "report", campaign, "--format", "issues", "--out", drafts], check=True, stdout=subprocess.DEVNULL)
    for folder, _, files in sorted(os.walk(drafts)):
        if "REPORT.md" not in files:
            continue
        text = open(os.path.join(folder, "REPORT.md")).read()
        finding = re.search(r"finding (f-[0-9a-f]+)", text)
        shown = re.search(r"`+([^`\n]+)`+ prints\n\n(`{3,})\n(.*?)\n\2\n\nand ends with ([^.,]+)", text, re.S)
        package = re.search(r"`pip install ([^`]+)`", text)
        if not (shown and finding):
            bad.append((folder, "the draft has no command"))
            continue
        command, _, printed, ended = shown.groups()
        clean = tempfile.mkdtemp()
        shutil.copy(os.path.join(folder, "bug.smt2"), clean)
        env = dict(os.environ)
        if package:
            env["PATH"] = f"{path_of(package.group(1))}:{env['PATH']}"
        run = subprocess.run(["sh", "-c", f"exec {command}"], cwd=clean, env=env, capture_output=True, text=True, timeout=120)
        said = "\n".join(part for part in [run.stdout.rstrip(), run.stderr.rstrip()] if part) or "(nothing)"
        how = f"signal {-run.returncode}" if run.returncode < 0 else f"exit code {run.returncode}"
        same = said == printed or (answers(said) == answers(printed) and answers(said))
        if not same or how != ended:
            bad.append((folder, f"{command}: {how}, the draft says {ended}\n{said[:300]}\n---\n{printed[:300]}"))
            continue
        script = os.path.abspath(os.path.join(campaign, "findings", finding.group(1), "run.sh"))
        elsewhere = subprocess.run(["sh", script], cwd=tempfile.mkdtemp(), capture_output=True, text=True, timeout=300)
        if answers(printed) and answers(printed)[0] not in elsewhere.stdout:
            bad.append((folder, f"run.sh does not show it:\n{elsewhere.stdout[:500]}"))
            continue
        good += 1
    print(f"{campaign}: drafts in {drafts}")

print(f"{good} drafts reproduce, {len(bad)} do not")
for folder, why in bad:
    print(f"{folder}: {why}")
sys.exit(1 if bad else 0)
