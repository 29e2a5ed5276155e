# Shared beginning of the scripts that turn a solver's Python module into a command line.
# usage: runner.py MODULE_FOLDER [solver options] [FILE | -]
import os
import sys

sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True


def say(text):
    """Print a response at once; a reader that has gone away ends the run quietly."""
    if text:
        data = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text
        data = data if data.endswith(b"\n") else data + b"\n"
        try:
            while data:
                data = data[os.write(1, data):]
        except OSError:
            os._exit(0)


def error(message):
    message = str(message).strip().replace('"', '""')
    say('(error "%s")' % message)


def commands(fd):
    """Yield complete top-level expressions from a file descriptor as soon as they close."""
    buffer = bytearray()
    depth, state = 0, 0  # state: 0 plain, otherwise the byte that ends a string, a quoted symbol or a comment
    while True:
        chunk = os.read(fd, 65536)
        if not chunk:
            break
        for byte in chunk:
            if depth == 0 and state == 0 and byte in b" \t\r\n":
                continue
            buffer.append(byte)
            if state:
                if byte == state:
                    state = 0
                    if depth == 0 and byte == 0x0A:
                        buffer.clear()
            elif byte == 0x22 or byte == 0x7C:
                state = byte
            elif byte == 0x3B:
                state = 0x0A
            elif byte == 0x28:
                depth += 1
            elif byte == 0x29:
                depth -= 1
                if depth <= 0:
                    depth = 0
                    yield bytes(buffer).decode("utf-8", "surrogateescape")
                    buffer.clear()
    if buffer.strip() and state != 0x0A:
        yield bytes(buffer).decode("utf-8", "surrogateescape")


def head(command):
    return command[1:].split(None, 1)[0].rstrip(")") if command.startswith("(") and len(command) > 2 else ""


def split_options(arguments, flags):
    """`--name=value`, `--name`, `--no-name`, short flags through a table; the last other word is the file."""
    options, file = [], None
    waiting = None
    for word in arguments:
        if waiting:
            waiting = None
        elif word in ("--lang", "-L"):
            waiting = word
        elif word in flags:
            if flags[word]:
                options.append(flags[word])
        elif word.startswith("--"):
            name, equals, value = word[2:].partition("=")
            if equals:
                options.append((name, value))
            elif name.startswith("no-"):
                options.append((name[3:], "false"))
            else:
                options.append((name, "true"))
        elif word == "-" or not word.startswith("-"):
            file = word
        else:
            sys.stderr.write("unknown option %s\n" % word)
            sys.exit(2)
    return options, (None if file in (None, "-") else file)


def time_limit(milliseconds):
    import signal

    # The default action ends the process even while it is deep inside the solver.
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, max(milliseconds, 1) / 1000)
