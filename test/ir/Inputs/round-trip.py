"""Prints the description of each schedule file, and reads what was printed again: it has to print the same, and the same code has to be
emitted from it, but for comments and the lines that steps stand in."""
import pathlib
import re
import subprocess
import sys
import tempfile

quadrille, *files = sys.argv[1:]


def output(*arguments):
    return subprocess.run([quadrille, *arguments], check=True, capture_output=True, text=True).stdout


def emitted(file):
    code = output("emit", str(file), "-o", "-")
    return [re.sub(r"(step\(.*), \d+\)", r"\1)", line) for line in code.splitlines() if not line.lstrip().startswith("//")]


with tempfile.TemporaryDirectory() as folder:
    for file in files:
        printed = pathlib.Path(folder) / pathlib.Path(file).name
        printed.write_text(output("check", "--print-ir", file))
        if output("check", "--print-ir", str(printed)) != printed.read_text():
            print(f"{file}: printed otherwise when it is read again")
        if emitted(file) != emitted(printed):
            print(f"{file}: other code")
print(f"{len(files)} files")
