#!/usr/bin/env python3
"""Where the processor time of a hunt goes, with one worker and with two: solvers, workers, and the dispatcher, which is the
serial part (it owns the store).

    bench/scaling.py FALSUM CASES [HUNT ARGUMENTS…]

The same cases are made with every number of workers. Times are processor times, by thread; only the ratio of cases per
second of the two runs is wall time. From the dispatcher's time per case follows how many cases per second one process can
reach at most, and Amdahl's law for more cores."""
import json, os, subprocess, sys, tempfile, time

TICK = os.sysconf("SC_CLK_TCK")

def threads(pid):
    """Processor seconds by name of thread."""
    all = {}
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            text = open(f"/proc/{pid}/task/{task}/stat").read()
            name, rest = text[text.index("(") + 1 : text.rindex(")")], text[text.rindex(")") + 2 :].split()
            name = "worker" if name.startswith("worker") else name
            all[(task, name)] = (int(rest[11]) + int(rest[12])) / TICK
    except OSError:
        pass
    return all

def hunt(falsum, cases, workers, extra):
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        command = [falsum, "hunt", "--cases", cases, "-j", str(workers), "--key", "scaling", "--no-reduce", "--json", "--out", f"{folder}/out", *extra]
        began = time.time()
        run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        seen, lines = {}, []
        os.set_blocking(run.stdout.fileno(), False)
        while run.poll() is None:
            seen.update(threads(run.pid))
            try:
                lines.append(run.stdout.read() or "")
            except (TypeError, BlockingIOError):
                pass
            time.sleep(0.05)
        wall = time.time() - began
        lines.append(run.stdout.read() or "")
        usage = os.times()
        summary = json.loads("".join(lines).strip().splitlines()[-1])
    by_name = {}
    for (_, name), seconds in seen.items():
        by_name[name] = by_name.get(name, 0) + seconds
    return summary, by_name, wall, usage.children_user + usage.children_system

falsum, cases, extra = sys.argv[1], sys.argv[2], sys.argv[3:]
before, results = 0, {}
for workers in (1, 2):
    summary, by_name, wall, total = hunt(falsum, cases, workers, extra)
    own, all = sum(by_name.values()), total - before
    before = total
    n = summary["cases"]
    dispatcher = by_name.get("falsum", 0)
    results[workers] = (n / wall, dispatcher / n, own / n, all / n)
    print(f"{workers} workers: {n} cases in {wall:.1f} s ({n / wall:.1f}/s); per case {1e3 * all / n:.2f} ms of processor, of which falsum {1e3 * own / n:.2f} ms ({100 * own / all:.1f} %) and its dispatcher {1e3 * dispatcher / n:.3f} ms ({100 * dispatcher / all:.2f} %)")
    print("   by thread: " + ", ".join(f"{name} {seconds:.2f} s" for name, seconds in sorted(by_name.items(), key=lambda x: -x[1])))
(one, *_), (two, serial, own, all) = results[1], results[2]
print(f"two workers against one: {two / one:.2f} times the cases per second")
share = serial / all
print(f"serial share {100 * share:.3f} %: at 96 cores at most {1 / (share + (1 - share) / 96):.1f} times one core, at 10,000 in one process {1 / (share + (1 - share) / 10000):.0f} times; one dispatcher takes at most {1 / serial:.0f} cases/s")
