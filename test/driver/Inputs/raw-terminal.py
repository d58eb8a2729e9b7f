"""Runs a command on a terminal and prints what it has written there, as Python would write it: control characters as escapes."""

import os
import pty
import sys

process, terminal = pty.fork()
if process == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
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
print(repr(text.decode())[1:-1].replace("\\r\\n", "\n"))
sys.exit(os.waitstatus_to_exitcode(status))
