"""Are all schedules compared? compared.py LIBRARY FOLDER

The tests in FOLDER run quadrille-closed-forms for collectives of LIBRARY or for some of their schedules.
"""

import pathlib
import re
import sys

library, folder = map(pathlib.Path, sys.argv[1:])
named = set()
for test in folder.glob("*.test"):
    for run in re.findall(r"^RUN: quadrille-closed-forms ([^|>]*)", test.read_text(encoding="utf-8"), re.M):
        named.update(word.removeprefix("%schedules/") for word in run.split())
schedules = {path.relative_to(library).with_suffix("").as_posix() for path in library.glob("*/*.quad")}
missing = sorted(schedule for schedule in schedules if not {schedule, schedule.split("/")[0]} & named)
print(f"{len(schedules)} files, {len(missing)} compared by no test", *missing)
sys.exit(1 if missing else 0)
