"""Are all schedules compared? compared.py FORMS FOLDER

FORMS lists schedules, a line each, as quadrille-closed-forms does; the tests in FOLDER run it for collectives or schedules.
"""

import glob
import os
import re
import sys

forms, folder = sys.argv[1:]
named = set()
for path in glob.glob(os.path.join(folder, "*.test")):
    for run in re.findall(r"^RUN: quadrille-closed-forms ([^|]*)", open(path).read(), re.M):
        named.update(word.removeprefix("%schedules/") for word in run.split())
missing = []
for line in open(forms):
    schedule = line.split(":")[0]
    if "/" in schedule and schedule not in named and schedule.split("/")[0] not in named:
        missing.append(schedule)
if missing:
    sys.exit("no test compares " + ", ".join(missing))
