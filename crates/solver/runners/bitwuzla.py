# bitwuzla 0.9: the wheel is one Python module that holds the parser.
import bitwuzla


def main():
    flags = {"-q": None, "-m": ("produce-models", "true"), "-v": None, "-i": None}
    arguments = sys.argv[2:]
    if "--version" in arguments or "-V" in arguments:
        say(bitwuzla.version())
        return 0
    pairs, file = split_options(arguments, flags)
    options = bitwuzla.Options()
    for name, value in pairs:
        if name == "lang":
            continue
        if name in ("time-limit", "tlimit"):
            time_limit(int(value))
            continue
        try:
            options.set(name, int(value) if value.isdigit() else {"true": True, "false": False}.get(value, value))
        except Exception as problem:
            error(problem)
            return 1
    manager = bitwuzla.TermManager()
    parser = bitwuzla.Parser(manager, options)
    if file:
        with open(file, "rb") as handle:
            return session(commands(handle.fileno()), parser, manager, options, False)
    return session(commands(0), parser, manager, options, True)


def session(stream, parser, manager, options, keep_going):
    """After an error the parser is unusable: only echo and exit are obeyed until a reset makes a new one."""
    usable = True
    for command in stream:
        name = head(command)
        if name == "exit":
            break
        if name == "reset" and not usable:
            manager = bitwuzla.TermManager()
            parser = bitwuzla.Parser(manager, options)
            usable = True
            continue
        if name == "echo" and not usable:
            say(command[command.find('"'):command.rfind('"') + 1])
            continue
        if not usable:
            continue
        try:
            parser.parse(command, False, False)
        except Exception as problem:
            error(problem)
            usable = False
            if not keep_going:
                return 1
    return 0


status = main()
sys.stdout.flush()
os._exit(status)
