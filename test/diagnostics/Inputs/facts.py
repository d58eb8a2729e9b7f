"""Prints a line for each diagnostic and each note that JSON or SARIF on standard input tells of: its name and its facts."""

import json
import sys


def show(indent, item):
    print(indent + item["name"], json.dumps(item["facts"], ensure_ascii=False))


document = json.load(sys.stdin)
if "runs" in document:
    for result in document["runs"][0]["results"]:
        show("", result["properties"])
        for related in result["relatedLocations"]:
            show("  ", related["properties"])
else:
    for diagnostic in document["diagnostics"]:
        show("", diagnostic)
        for note in diagnostic["notes"]:
            show("  ", note)
