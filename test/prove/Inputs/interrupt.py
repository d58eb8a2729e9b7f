"""Runs a command several times, each time interrupted at another moment, and checks that it ends at once as it should,
and that entries of the cache are whole. usage: interrupt.py COMMAND..."""

import glob
import os
import re
import signal
import subprocess
import sys
import time

# A shell reports a command that died by a signal with 128 more than the signal's number: 130.
interrupted = (130, -signal.SIGINT)


def run(after):
    process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    time.sleep(after)
    if process.poll() is not None:
        sys.exit(f"done before it was interrupted: {process.communicate()[1]}")
    process.send_signal(signal.SIGINT)
    begin = time.monotonic()
    _, messages = process.communicate(timeout=60)
    if process.returncode not in interrupted or messages or time.monotonic() - begin > 2:
        sys.exit(f"status {process.returncode} {time.monotonic() - begin:.1f} s after SIGINT: {messages}")


for after in (0.3, 0.8):
    run(after)

# Nobody reads any more after the first line.
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
process.stdout.readline()
process.stdout.close()
# AddressSanitizer does not know the stacks of other threads, and says so where one of them ends the process.
messages = re.sub(r"==\d+==WARNING: ASan is ignoring .*\nFalse positive.*\nFor details.*\n", "", process.stderr.read())
if process.wait(timeout=60) != 74 or messages:
    sys.exit(f"status {process.returncode} when nobody reads: {messages}")

entries = os.path.join(os.environ["QUADRILLE_CACHE"], "proofs", "entry-*")
for path in glob.glob(entries):
    with open(path) as file:
        if "writing" in path or (not path.endswith(".timestamp") and not file.read().endswith("}\n")):
            sys.exit(path + " is no whole entry")
