"""Runs a command on a terminal of some width, and prints what stands on it.

usage: screen.py COLUMNS COMMAND...
"""

import fcntl
import os
import pty
import struct
import sys
import termios

process, terminal = pty.fork()
if process == 0:
    os.environ.pop("COLUMNS", None)
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(sys.argv[1]), 0, 0))
    os.execvp(sys.argv[2], sys.argv[2:])
text = b""
while True:
    try:
        read = os.read(terminal, 65536)
    except OSError:  # the other side is closed
        break
    if not read:
        break
    text += read
_, status = os.waitpid(process, 0)
lines = text.decode().replace("\r\n", "\n").split("\n")
# Lines of progress are overwritten.
lines = [line.split("\x1b[K")[-1].split("\r")[-1] for line in lines]
print("\n".join(lines))
print("longest", max(len(line) for line in lines))
sys.exit(os.waitstatus_to_exitcode(status))
