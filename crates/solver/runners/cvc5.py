# cvc5 1.0.9 to 1.1.2: wheels whose parser only Python can reach.
import cvc5


def text(value):
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else str(value)


def main():
    flags = {"-i": ("incremental", "true"), "-m": ("produce-models", "true"), "-q": ("verbosity", "-1"), "-v": ("verbosity", "1")}
    arguments = sys.argv[2:]
    solver = cvc5.Solver()
    if "--version" in arguments or "-V" in arguments:
        say("This is cvc5 version %s [falsum driver]" % text(solver.getVersion()))
        return 0
    options, file = split_options(arguments, flags)
    names = [name for name, _ in options]
    for name, value in options:
        if name == "lang":
            continue
        if name == "tlimit":
            time_limit(int(value))
            continue
        try:
            solver.setOption(name, value)
        except Exception as problem:
            error(problem)
            return 1
    if "incremental" not in names:
        solver.setOption("incremental", "false" if file else "true")
    manager = cvc5.SymbolManager(solver)
    parser = cvc5.InputParser(solver, manager)
    if file:
        return whole_file(parser, solver, manager, file)
    parser.setIncrementalStringInput(cvc5.InputLanguage.SMT_LIB_2_6, "stdin")
    for command in commands(0):
        try:
            parser.appendIncrementalStringInput(command + "\n")
            parsed = parser.nextCommand()
        except Exception as problem:
            error("Parse Error: %s" % problem)
            parser = cvc5.InputParser(solver, manager)
            parser.setIncrementalStringInput(cvc5.InputLanguage.SMT_LIB_2_6, "stdin")
            continue
        if parsed.isNull():
            continue
        try:
            say(text(parsed.invoke(solver, manager)))
        except Exception as problem:
            error(problem)
        if text(parsed.getCommandName()) == "exit":
            break
    return 0


def whole_file(parser, solver, manager, file):
    try:
        parser.setFileInput(cvc5.InputLanguage.SMT_LIB_2_6, file)
        while True:
            command = parser.nextCommand()
            if command.isNull():
                return 0
            output = text(command.invoke(solver, manager))
            say(output)
            if output.startswith("(error"):
                return 1
            if text(command.getCommandName()) == "exit":
                return 0
    except Exception as problem:
        error(problem)
        return 1


status = main()
sys.stdout.flush()
os._exit(status)
