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
    if file:
        return whole_file(file, options)
    session(commands(0), options)
    return 0


def whole_file(file, options):
    try:
        bitwuzla.Parser(bitwuzla.TermManager(), options).parse(file, False, True)
        return 0
    except Exception as problem:
        error(problem)
        return 1


def session(stream, options):
    """One command at a time.

    The module's parser forgets its scopes between two texts and cannot go on after an error or a reset. So scopes
    are kept here, as lists of the commands in them; after a pop, a reset or an error a new parser reads what is
    still in scope, in one go.
    """
    scopes, parser, failed = [[]], None, False
    for command in stream:
        name = head(command)
        if name == "exit":
            break
        if name == "echo":
            say(command[command.find('"'):command.rfind('"') + 1])
        elif name == "reset":
            scopes, parser, failed = [[]], None, False
        elif name in ("push", "pop"):
            digits = "".join(c for c in command if c.isdigit())
            levels = int(digits) if digits else 1
            if name == "push":
                scopes.extend([] for _ in range(levels))
            elif levels >= len(scopes):
                error("attempting to pop %d scopes of %d" % (levels, len(scopes) - 1))
            elif levels:
                del scopes[-levels:]
                parser, failed = None, False
        elif not failed:
            try:
                if parser is None:
                    parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
                    text = "".join(c for scope in scopes for c in scope)
                    if text:
                        parser.parse(text, False, False)
                parser.parse(command, False, False)
                if not (name.startswith("get-") or name.startswith("check-sat")):
                    scopes[-1].append(command)
            except Exception as problem:
                error(problem)
                failed = True


status = main()
sys.stdout.flush()
os._exit(status)
