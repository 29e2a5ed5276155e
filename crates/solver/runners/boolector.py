# boolector 3.2: the module parses and runs a whole file; commands print as they run.
import pyboolector


def main():
    flags = {"-q": None, "-m": ("model-gen", "1"), "-i": ("incremental", "1"), "--smt2": None, "-v": None}
    arguments = sys.argv[2:]
    solver = pyboolector.Boolector()
    if "--version" in arguments or "-V" in arguments:
        say(solver.Version())
        return 0
    options, file = split_options(arguments, flags)
    for name, value in [("incremental", "1"), ("model-gen", "1")] + options:
        if name in ("time", "tlimit"):
            time_limit(int(value) * (1000 if name == "time" else 1))
            continue
        key = "BTOR_OPT_" + name.upper().replace("-", "_")
        try:
            solver.Set_opt(getattr(pyboolector.BtorOption, key), {"true": 1, "false": 0}.get(value) if value in ("true", "false") else int(value))
        except Exception:
            error("unknown option or value: --%s=%s" % (name, value))
            return 1
    try:
        _, _, message = solver.Parse(file or "/dev/stdin")
    except Exception as problem:
        message = problem
    if message:
        sys.stdout.flush()
        error(message)
        return 1
    return 0


status = main()
sys.stdout.flush()
os._exit(status)
