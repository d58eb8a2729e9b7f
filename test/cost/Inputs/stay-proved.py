"""What has been proved stays proved. stay-proved.py FORMS PROVED

FORMS is what quadrille-closed-forms prints of some schedules, PROVED lists schedules whose rounds and words are proved. Schedules that are new need not be in
the list. What follows from the author's clauses follows without them, too, but where the list says `by its clauses`.
"""

import sys

forms, proved = sys.argv[1:]
listed = {}
for line in open(proved, encoding="utf-8"):
    if not line.startswith("#"):
        schedule, _, how = line.strip().partition(" ")
        listed[schedule] = how
WHOLE = "rounds proved, words proved, "
looked, wrong = 0, 0
for line in open(forms, encoding="utf-8"):
    schedule, _, found = line.partition(": ")
    withClauses, separator, alone = found.partition("; without clauses ")
    if not separator:
        continue
    looked += schedule in listed
    if schedule in listed and not withClauses.startswith(WHOLE):
        print(f"{schedule}: not proved any more: {withClauses}")
        wrong += 1
    if withClauses.startswith(WHOLE) != alone.startswith(WHOLE) and listed.get(schedule) != "by its clauses":
        print(f"{schedule}: with its clauses {withClauses}; without {alone.strip()}")
        wrong += 1
print(f"{looked} of {len(listed)} looked at, {wrong} wrong")
sys.exit(1 if wrong else 0)
