"""A format of lit with those tests that the full suite has more of. In a file of its own, as workers have to find it by its name."""

import re

import lit.formats

# What is in the full suite only, and what does more there.
MARKS = re.compile(r"REQUIRES: full|%if full\b")


class OnlyFull(lit.formats.ShTest):
    def getTestsInDirectory(self, *arguments):
        for test in super().getTestsInDirectory(*arguments):
            with open(test.getSourcePath(), encoding="utf-8") as file:
                if MARKS.search(file.read()):
                    yield test
