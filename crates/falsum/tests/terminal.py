"""Runs a command in a pseudo-terminal and records what it prints.

usage: terminal.py ROWS COLS MARKER OUT COMMAND...

Waits until MARKER appears and one more frame is painted, writes what was printed so far to OUT.frame, types keys, resizes
the terminal, presses Ctrl-C, waits for the end, and writes everything to OUT.end. Prints the exit code and whether the
terminal still echoes keys.
"""

import fcntl
import os
import pty
import select
import struct
import sys
import termios
import time

rows, cols, marker, out = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3].encode(), sys.argv[4]
pid, master = pty.fork()
if pid == 0:
    time.sleep(0.2)
    os.execvp(sys.argv[5], sys.argv[5:])


def resize(rows, cols):
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))


resize(rows, cols)
printed = b""


def read(seconds, until=None):
    """Reads for a time, or until a text was printed; False at the end."""
    global printed
    end = time.time() + seconds
    while time.time() < end and (until is None or until not in printed):
        if select.select([master], [], [], 0.1)[0]:
            try:
                more = os.read(master, 65536)
            except OSError:
                return False
            if not more:
                return False
            printed += more
    return True


read(60, marker)
read(0.8)
with open(out + ".frame", "wb") as file:
    file.write(printed)
os.write(master, b"hello\n\n")
read(0.6)
resize(rows + 3, cols + 10)
read(0.6)
resize(rows, cols)
read(0.6)
echo = termios.tcgetattr(master)[3] & termios.ECHO
os.write(master, b"\x03")
code = None
end = time.time() + 60
while code is None and time.time() < end:
    read(0.2)
    done, status = os.waitpid(pid, os.WNOHANG)
    if done:
        code = os.waitstatus_to_exitcode(status)
read(0.5)
with open(out + ".end", "wb") as file:
    file.write(printed)
after = termios.tcgetattr(master)[3] & termios.ECHO
print(f"exit {code}, echo while it painted: {bool(echo)}, echo after it: {bool(after)}")
