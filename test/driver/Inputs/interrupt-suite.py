"""usage: interrupt-suite.py SUITE

Interrupts `quadrille test SUITE` as a terminal does, once all of its tests run, and says how it ended and what still runs.
The tests are those that sleep for 301.5 seconds."""

import os
import pathlib
import signal
import subprocess
import sys
import time

suite = sys.argv[1]


def commands():
    result = []
    for entry in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = entry.read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue
        if "301.5" in words or (any(word.endswith("lit.py") for word in words) and any(suite in word for word in words)):
            result.append(" ".join(words).strip())
    return result


for number in (signal.SIGINT, signal.SIGTERM):  # background jobs ignore SIGINT
    signal.signal(number, signal.SIG_DFL)
process = subprocess.Popen(["quadrille", "test", "--jobs=2", "--filter=slow", suite], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                           start_new_session=True)
while sum(command.endswith("sleep 301.5") for command in commands()) < 2 and process.poll() is None:
    time.sleep(0.05)
os.killpg(process.pid, signal.SIGINT)
status = process.wait()
print("ended by", signal.Signals(-status).name if status < 0 else f"itself: {status}")
time.sleep(0.2)
left = commands()
print("left:", left)
