# Tests are schedules with RUN lines. `quadrille` comes from PATH; QUADRILLE_TOOLS may name the folder of FileCheck.

import os
import tempfile

import lit.formats

config.name = "schedules"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".quad"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(tempfile.gettempdir(), f"lit-suite-{os.getuid()}")

tools = os.environ.get("QUADRILLE_TOOLS", "/usr/lib/llvm-19/bin")
config.environment["PATH"] = os.pathsep.join([tools, os.environ["PATH"]])
for name in ("HOME", "CXX", "TMPDIR", "QUADRILLE_CACHE"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
