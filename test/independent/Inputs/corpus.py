#!/usr/bin/env python3
"""Proves schedules that were written independently, by someone who knew the reference of the language only.

right FOLDER: All are right. Those that expected.txt names are proved in every claim, and no others; a change of the prover shows what it has
              won or lost. All of them have been looked at by who works on the prover, so what it does with schedules that nobody has tuned
              it for is measured with new files, before they are added here.
wrong FOLDER: In all of them one schedule is wrong, many only beyond small cases, as the first line says. None of these is proved in every claim.

Only one of so many parts of the files is proved, which is another one every day unless it is named; with 1, all are.

usage: corpus.py right|wrong FOLDER [PARTS [PART]]
"""

import datetime
import json
import pathlib
import subprocess
import sys


def verdicts(files):
    """{file: {schedule: whether it is proved in every claim}}"""
    result = {}
    for file in files:
        run = subprocess.run(["quadrille", "prove", "--format=json", str(file)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
        schedules = json.loads(run.stdout)["schedules"]
        result[file.stem] = {each["schedule"]: is_proved(each) for each in schedules}
    return result


def is_proved(schedule):
    return schedule["verdict"] == "proved"


def right(files, folder):
    others = {file.stem for file in folder.glob("*.quad")} - {file.stem for file in files}  # in other parts
    expected = [file for file in (folder.parent / "expected.txt").read_text(encoding="utf-8").split() if file not in others]
    proved = [file for file, schedules in verdicts(files).items() if schedules and all(schedules.values())]
    for file in sorted(set(expected) - set(proved)):
        print(f"{file} is not proved in every claim any more")
    for file in sorted(set(proved) - set(expected)):
        print(f"{file} is proved in every claim now: add it to expected.txt")
    print(f"{len(proved)} of {len(files)} right ones are proved in every claim")
    return set(expected) == set(proved)


def wrong(files, _):
    accepted = [file for file, schedules in verdicts(files).items() if schedules and all(schedules.values())]
    for file in accepted:
        print(f"{file} is wrong, and proved in every claim")
    print(f"{len(accepted)} of {len(files)} wrong ones are proved in every claim")
    return not accepted


def main():
    kind, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    parts = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    part = int(sys.argv[4]) if len(sys.argv) > 4 else datetime.date.today().toordinal() % parts
    files = sorted(folder.glob("*.quad"))[part % parts :: parts]
    sys.exit(0 if files and {"right": right, "wrong": wrong}[kind](files, folder) else 1)


main()
