# Configuration of the lit test suite. Values that only CMake knows come from lit.site.cfg.py.

import os
import shutil

import lit.formats

config.name = "Quadrille"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".quad", ".test"]
config.excludes = ["Inputs", "CMakeLists.txt", "unit", "tools"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.quadrille_build, "test")

# One compiled program per schedule and backend serves all tests of a run, and the next run too.
config.environment["QUADRILLE_CACHE_DIR"] = os.path.join(config.quadrille_build, "test", "cache")
config.environment["QUADRILLE_LIBRARY"] = os.path.join(config.quadrille_source, "schedules")
for name in ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"):
    config.environment[name] = "1"
for name in ("HOME", "TMPDIR", "CXX", "CCACHE_DIR"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

paths = [os.path.join(config.quadrille_build, "bin"), config.llvm_tools]
config.environment["PATH"] = os.pathsep.join(paths + [config.environment["PATH"]])

# A second solver, for what the prover has shown.
if shutil.which("cvc5", path=config.environment["PATH"]):
    config.available_features.add("cvc5")

# What takes many minutes, on demand: lit --param long=1.
if lit_config.params.get("long"):
    config.available_features.add("long")

config.substitutions.append(("%schedules", os.path.join(config.quadrille_source, "schedules")))
config.substitutions.append(("%docs", os.path.join(config.quadrille_source, "docs")))
config.substitutions.append(("%python", config.python))
config.substitutions.append(("%bin", os.path.join(config.quadrille_build, "bin")))
config.substitutions.append(("%source", config.quadrille_source))
# With a session directory of its own: launchers that end remove the common one.
config.substitutions.append(("%mpirun", "mpirun --oversubscribe --mca orte_tmpdir_base %t.session"))
config.substitutions.append(("%lib", os.path.join(config.quadrille_build, "lib")))
