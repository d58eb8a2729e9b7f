#!/usr/bin/env python3
"""Checks that every diagnostic has a page, and that every page tells the truth.

For each code of compiler/diagnostics/Catalogue.def, docs/diagnostics/Qdddd.md must exist and contain

    # Qdddd: its name in words

    <!-- run: quadrille check - -->      the command that reads the example from standard input, or
    <!-- shell: quadrille list -->       commands of the shell, for what no text provokes

followed by a fenced block with the example (```quad) or the commands (```sh), and a block ```text whose first line is the
line in which the compiler says it; `...` in it stands for anything. The example must provoke this code and no other.
A page may say instead why nothing provokes the code at will, `<!-- unprovoked: it takes a crash -->`. An example that follows the comment `<!-- mended: COMMAND -->` must be accepted without any diagnostic.

Examples that say the same without proofs are checked without them, but with --full.

Besides, every code has to occur in a lit test, and every page has to belong to a code.

usage: run-diagnostics.py [--full] --source FOLDER [CODE...]
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile


def codes_of(catalogue):
    numbers = re.findall(r"^DIAGNOSTIC\((\d+),", catalogue.read_text(encoding="utf-8"), re.MULTILINE)
    return [f"Q{int(number):04}" for number in numbers]


def codes_in_tests(folder):
    found = set()
    for path in folder.rglob("*"):
        if path.suffix in (".test", ".quad") and path.is_file():
            found.update(re.findall(r"\bQ\d{4}\b", path.read_text(encoding="utf-8", errors="replace")))
    return found


def output_of(command, text):
    """Exit status and output of a shell command run in an empty folder."""
    with tempfile.TemporaryDirectory() as folder:
        result = subprocess.run(["/bin/sh", "-c", command], cwd=folder, input=text.encode(), stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, timeout=120, check=False)
    return result.returncode, result.stdout.decode(errors="replace")


def block_after(page, pattern, kind):
    """The command of a comment and the fenced block below it."""
    match = re.search(rf"^<!-- {pattern}: ([^\n]*) -->\n```{kind}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    return match.groups() if match else (None, None)


def without_proofs(command):
    """The same checks without proofs; None if the command is another one."""
    return re.sub(r"^quadrille check(?! --no-proof)", "quadrille check --no-proof", command) if command.startswith("quadrille check ") else None


# Where the value of an option is wrong, and nothing else is.
OF_OPTIONS = {"Q0024", "Q0029", "Q0611", "Q0662", "Q0701", "Q0702", "Q0703", "Q0706", "Q0708", "Q0709", "Q0716", "Q0717", "Q0718"}


def problem_of(code, command, example, said):
    """What is wrong with what a command says of an example, or None."""
    status, output = output_of(command, example)
    found = set(re.findall(r"\[(Q\d{4})\]$", output, re.MULTILINE))
    if found != {code}:
        return f"`{command}` provokes {', '.join(sorted(found)) or 'nothing'} (exit status {status})\n{output}"
    if status != (0 if re.match(r"(.*: )?warning: ", said) else 2 if code in OF_OPTIONS else 1):
        return f"`{command}` ends with exit status {status}"
    if not re.search("^" + ".*".join(map(re.escape, said.split("..."))) + "$", output, re.MULTILINE):
        return f"the page says\n{said}\nbut the compiler says\n{output}"
    return None


def problems_of(code, page, proves):
    if not re.match(rf"# {code}: \S", page):
        yield f"the page does not begin with `# {code}: `"
    if re.search(r"^<!-- unprovoked: \S.* -->$", page, re.MULTILINE):
        return
    command, example = block_after(page, "run", "quad")
    if command is None:
        command, example = block_after(page, "shell", "sh")[0], ""
    if command is None:
        yield "no example"
        return
    said = re.search(r"^```text\n(.*)$", page, re.MULTILINE)
    if not said:
        yield "the page does not say what the compiler says"
        return
    quick = None if proves else without_proofs(command)
    if quick is None or problem_of(code, quick, example, said[1]):
        if problem := problem_of(code, command, example, said[1]):
            yield problem
    mended, example = block_after(page, "mended", "quad")
    if mended:
        status, output = output_of(mended if proves else without_proofs(mended) or mended, example)
        if status != 0 or re.search(r"\[Q\d{4}\]", output):
            yield f"the mended example is not accepted\n{output}"


def main():
    parser = argparse.ArgumentParser(description="Checks the pages of the diagnostics.")
    parser.add_argument("--source", type=pathlib.Path, required=True, help="the folder that holds docs/ and test/")
    parser.add_argument("--full", action="store_true", help="prove what the examples let prove")
    parser.add_argument("--without", action="append", default=[], metavar="CODE", help="leave out the page of this code")
    parser.add_argument("codes", nargs="*", help="check the pages of these codes only")
    options = parser.parse_args()

    codes = codes_of(options.source / "compiler/diagnostics/Catalogue.def")
    folder = options.source / "docs/diagnostics"
    tested = codes_in_tests(options.source / "test")
    problems = [f"{code}: the code stands twice in the catalogue" for code in sorted({c for c in codes if codes.count(c) > 1})]
    for code in options.codes or codes:
        if code in options.without:
            continue
        page = folder / f"{code}.md"
        if not page.exists():
            problems.append(f"{code}: there is no page {page}")
        else:
            problems += [f"{code}: {problem}" for problem in problems_of(code, page.read_text(encoding="utf-8"), options.full)]
        if code not in tested and not (page.exists() and "<!-- unprovoked: " in page.read_text(encoding="utf-8")):
            problems.append(f"{code}: no lit test provokes it")
    for page in sorted(os.listdir(folder)):
        if page.removesuffix(".md") not in codes:
            problems.append(f"{page}: there is no such code in the catalogue")
    print("\n".join(problems + [f"{len(options.codes or codes)} diagnostics, {len(problems)} problems"]))
    return 1 if problems or not codes else 0


if __name__ == "__main__":
    sys.exit(main())
