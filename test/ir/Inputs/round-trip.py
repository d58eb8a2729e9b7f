"""round-trip.py QUADRILLE EVERY FILE...: prints the description of every so many schedule files, and reads what was printed again. It has
to print the same, and the same code has to be emitted from it, but for comments, messages and the lines of steps."""
import pathlib
import re
import subprocess
import sys
import tempfile

quadrille, every, *files = sys.argv[1:]


def output(*arguments):
    return subprocess.run([quadrille, *arguments], check=True, capture_output=True, text=True).stdout


def emitted(file, schedules):
    lines = [line for schedule in schedules for line in output("emit", f"{file}:{schedule}", "-o", "-").splitlines()]
    code = [line for line in lines if not line.lstrip().startswith("//")]
    return re.sub(r'\s+|"[^"]*"', "", re.sub(r"(step\(.*), \d+\)", r"\1)", "\n".join(code)))


with tempfile.TemporaryDirectory() as folder:
    for file in files[:: int(every)]:
        heads = re.findall(r"^schedule .*", pathlib.Path(file).read_text(), re.MULTILINE)
        if heads and all(": tree" in head for head in heads):
            continue  # understood together with a tree only, so that there is nothing to print
        printed = pathlib.Path(folder) / pathlib.Path(file).name
        printed.write_text(output("check", "--print-ir", file))
        if output("check", "--print-ir", str(printed)) != printed.read_text():
            print(f"{file}: printed otherwise when it is read again")
        # What was made for a `use` is printed, too.
        own = [f"{collective}/{name}" for head in heads if ": tree" not in head
               for name, collective in re.findall(r"^schedule (\w+).*? for (\w+)", head)]
        if emitted(file, own) != emitted(printed, own):
            print(f"{file}: other code")
print(f"{len(files[:: int(every)])} files")
