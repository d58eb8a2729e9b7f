"""Runs a command with a terminal as its standard output and prints what it wrote there."""

import os
import pty
import sys


def read(descriptor):
    try:
        return os.read(descriptor, 4096)
    except OSError:  # the other side has been closed
        return b""


output = b""
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
while part := read(terminal):
    output += part
sys.stdout.write(output.decode().replace("\r\n", "\n"))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
