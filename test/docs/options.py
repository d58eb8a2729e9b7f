"""Whether the page on the command line has all options that `--help` of a command shows.

usage: options.py PAGE

Prints the number of options, and those that are missing.
"""

import re
import subprocess
import sys

# Those of every command, and those of the page's part on files.
ELSEWHERE = {"--help", "--diagnostics-format", "--Werror", "-I"}


def options_of(command):
    shown = subprocess.run(["quadrille", command, "--help"], stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout
    return set(re.findall(r"^  (--?[\w-]+)", shown, re.MULTILINE)) - ELSEWHERE


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        page = file.read()
    sections = {}
    for title, text in re.findall(r"^## ([^\n]*)\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL):
        for command in title.split(", "):
            sections[command] = text
    sections["cache"] = re.search(r"^### What is remembered\n(.*?)(?=^##)", page, re.MULTILINE | re.DOTALL)[1]
    commands = re.findall(r"^  (\w+)  ", subprocess.run(["quadrille", "--help"], stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout, re.MULTILINE)
    count = 0
    for command in commands:
        for option in sorted(options_of(command)):
            count += 1
            if not re.search(rf"(?<![\w-]){option}(?![\w-])", sections[command]):
                print(f"{command} {option} is missing")
    print(f"{count} options of {len(commands)} commands")


main()
