"""A format of lit with those tests that only the full suite has. In a file of its own, as workers have to find it by its name."""

import lit.formats


class OnlyFull(lit.formats.ShTest):
    def getTestsInDirectory(self, *arguments):
        for test in super().getTestsInDirectory(*arguments):
            with open(test.getSourcePath(), encoding="utf-8") as file:
                if "REQUIRES: full" in file.read():
                    yield test
