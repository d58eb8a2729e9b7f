"""Prints a file in the format of JUnit: a line for its suite and one for each test."""

import sys
import xml.etree.ElementTree

(suite,) = xml.etree.ElementTree.parse(sys.argv[1]).getroot()
print(f"{suite.get('name')}: {suite.get('tests')} tests, {suite.get('failures')} failures, {suite.get('errors')} errors, "
      f"{suite.get('skipped')} skipped")
counts = {"failure": 0, "error": 0, "skipped": 0}
for test in suite:
    outcome, message = "passed", ""
    for child in test:
        outcome, message = child.tag, child.get("message")
        counts[outcome] += 1
    print(test.get("classname"), test.get("name"), outcome, message)
if [len(suite)] + list(counts.values()) != [int(suite.get(name)) for name in ("tests", "failures", "errors", "skipped")]:
    sys.exit("the numbers of the suite are not those of its tests")
