"""for-seconds.py SECONDS COMMAND...: runs a command for at most so many seconds of processor time. How it ends does not matter."""

import os
import resource
import subprocess
import sys

seconds = int(sys.argv[1])
limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
subprocess.run(sys.argv[2:], check=False, preexec_fn=limit, stderr=subprocess.STDOUT)
