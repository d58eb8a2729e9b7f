#!/usr/bin/env python3
"""Changes blanks, line breaks and comments of schedule files at random, and looks at what `quadrille fmt` makes of them.

Takes the library, the files of the tests and the examples of the documentation, all that can be parsed. For each way to change them,
the formatted text

- has the tokens and comments of the changed text, in their order, and each comment on a line of its own, or behind code, as before;
- stays as it is when it is formatted again;
- has no tabs outside of comments, no blanks at the ends of lines, no two empty lines together, and ends with one line break.

And a library of which only blanks and line breaks were changed, formatted, gives the same schedules: `quadrille check --print-ir`.

The seed is another one every time, and printed; --seed repeats it.

usage: reformat.py --source FOLDER [--seed N] [--times N] [--sample N] [--keep FOLDER]
"""

import argparse
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

TOKEN = re.compile(
    r"(?P<line>//[^\r\n]*)|(?P<block>/\*.*?\*/)|(?P<space>[ \t\r\n\v\f\ufeff]+)"
    r"|(?P<code>[0-9][0-9a-zA-Z_]*|[A-Za-z_][A-Za-z_0-9]*|\.\.<|\.\.\+|:=|->|\.\.|\*\*|<<|>>|==|!=|<=|>=|<>|.)", re.DOTALL)


def lex(text):
    """(kind, text) of tokens and comments, and the blanks before each."""
    tokens, before = [], ""
    for match in TOKEN.finditer(text):
        if match.lastgroup == "space":
            before += match.group()
        else:
            tokens.append((match.lastgroup, match.group(), before))
            before = ""
    return tokens


def said(text):
    """What a text says, whatever its blanks: tokens, and the words of comments."""
    return [(kind, part if kind == "code" else [line.strip() for line in re.split(r"\r\n?|\n", part)]) for kind, part, _ in lex(text)]


def may_touch(left, right):
    return left[0] == right[0] == "code" and [part for _, part, _ in lex(left[1] + right[1])] == [left[1], right[1]]


# ---- ways to change a text ----------------------------------------------------------------------------------------------------


def joined(tokens, choose):
    """The tokens with other blanks between them: choose(left, right) where any will do."""
    result = ""
    for left, right in zip([None] + tokens, tokens):
        if left:
            between = choose(left, right)
            if left[0] == "line" and "\n" not in between:
                between += "\n"
            if not between and not may_touch(left, right):
                between = " "
            result += between
        result += right[1]
    return result


def with_blanks(tokens, rng):
    """Lines stay, blanks do not."""
    def choose(_, right):
        lines = re.sub(r"[^\n]", "", right[2])
        return lines + rng.choice(["", " ", " ", "  ", "     ", "\t"])
    return joined(tokens, choose)


def with_breaks(tokens, rng):
    return joined(tokens, lambda left, right: rng.choice(["", "", " ", " ", "  ", "\t", "\n", "\n    ", "\r\n", "\n\n\n"]))


def with_some_breaks(tokens, rng):
    return joined(tokens, lambda left, right: rng.choice(["\n", "\n\n", " \n "]) if rng.random() < 0.05 else
                  right[2] if rng.random() < 0.8 else "" if rng.random() < 0.5 else "  ")


def packed(tokens, _):
    return joined(tokens, lambda left, right: "")


def spread(tokens, rng):
    return joined(tokens, lambda left, right: "\n" + " " * rng.randrange(8))


def with_comments(tokens, rng):
    comments = [("line", "// é"), ("line", "//\tand a tab"), ("block", "/* in between */"), ("block", "/* two\n     lines */")]
    more = []
    for token in tokens:
        if rng.random() < 0.08:
            kind, text = rng.choice(comments)
            more.append((kind, text, rng.choice([token[2], " ", "\n", "\n\n   "])))
        more.append(token)
    return joined(more, lambda left, right: right[2] if rng.random() < 0.9 else rng.choice([" ", "\n"]))


WAYS = [with_blanks, with_breaks, with_some_breaks, packed, spread, with_comments]


# ---- what has to hold ----------------------------------------------------------------------------------------------------------


def own_lines(text):
    """For each comment whether code stands before it on its line."""
    result, line_has_code = [], False
    for kind, part, before in lex(text):
        if re.search(r"[\r\n]", before):
            line_has_code = False
        if kind == "code":
            line_has_code = True
        else:
            result.append(line_has_code)
            if "\n" in part:
                line_has_code = False
    return result


def problems(given, result):
    if said(given) != said(result):
        yield "other tokens or comments"
    # Behind another comment there is no more to ask for.
    first_of_line = [a for a, b in zip(own_lines(given), own_lines(result)) if a != b]
    if first_of_line and all(kind == "code" or "\n" not in part for kind, part, _ in lex(given)):
        yield "a comment has moved to another line"
    end = "\r\n" if result.endswith("\r\n") else "\n"
    if result and (not result.endswith(end) or result.endswith(end + end)):
        yield "not one line break at the end"
    for number, line in enumerate(result.split(end), 1):
        if line != line.rstrip():
            yield f"line {number} ends with blanks"
        code = re.sub(r"//.*|/\*.*", "", line)
        if "\t" in code:
            yield f"line {number} has a tab"
    if re.search(r"(\A|\n)\n\n" if end == "\n" else r"(\A|\n)\r\n\r\n", re.sub(r"/\*.*?\*/", "/**/", result, flags=re.DOTALL)):
        yield "two empty lines, or one at the beginning"


def run(*command, **more):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, timeout=300, **more)


def format_folder(folder):
    done = run("quadrille", "fmt", str(folder))
    if done.returncode not in (0, 1):
        sys.exit(f"quadrille fmt ends with status {done.returncode}: {done.stderr.decode()[-2000:]}")
    return set(re.findall(r"^(\S+\.quad):\d+:\d+: error", done.stderr.decode(), re.MULTILINE))


def read(path):
    return path.read_bytes().decode()


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())


def texts_of(source):
    """name: text, of everything that can be parsed."""
    texts = {}
    for folder in ("schedules", "test"):
        for path in sorted((source / folder).rglob("*.quad")):
            texts[str(path.relative_to(source))] = read(path)
    for path in sorted((source / "docs").rglob("*.md")):
        for number, block in enumerate(re.findall(r"^```quad\n(.*?)^```$", read(path), re.MULTILINE | re.DOTALL)):
            texts[f"{path.relative_to(source)}.{number}.quad"] = block
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for file, text in texts.items():
            write(folder / file, text)
        wrong = {str(pathlib.Path(path).relative_to(folder)) for path in format_folder(folder)}
    return {file: text for file, text in texts.items() if file not in wrong}


def look_at(texts, change, rng, keep):
    failures = 0
    given = {file: change(lex(text), rng) for file, text in texts.items()}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for file, text in given.items():
            write(folder / file, text)
        refused = format_folder(folder)
        once = {file: read(folder / file) for file in given}
        format_folder(folder)
        for file, text in given.items():
            found = ["a syntax error"] if str(folder / file) in refused else list(problems(text, once[file]))
            if read(folder / file) != once[file]:
                found.append("it changes when it is formatted again")
            for problem in found:
                failures += 1
                print(f"{file}, {change.__name__}: {problem}")
            if found and keep:
                write(keep / change.__name__ / file, text)
    return failures


def schedules_of(folder):
    done = run("quadrille", "check", "--print-ir", str(folder), env=dict(os.environ, QUADRILLE_LIBRARY=str(folder)))
    if done.returncode != 0:
        sys.exit(f"quadrille check --print-ir: {done.stderr.decode()[:2000]}")
    return done.stdout.decode().replace(str(folder), "")


def compare_schedules(source, change, rng):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for path in sorted((source / "schedules").rglob("*.quad")):
            write(folder / path.relative_to(source / "schedules"), change(lex(read(path)), rng))
        format_folder(folder)
        if schedules_of(folder) == schedules_of(source / "schedules"):
            return 0
    print(f"other schedules, {change.__name__}")
    return 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("--sample", type=int, help="changes so many texts in each way, not all")
    parser.add_argument("--keep", type=pathlib.Path, help="where to put the texts that fail")
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}")
    rng = random.Random(arguments.seed)
    texts = texts_of(arguments.source)
    failures = looked = 0
    for _ in range(arguments.times):
        for change in WAYS:
            chosen = {file: texts[file] for file in rng.sample(sorted(texts), min(len(texts), arguments.sample or len(texts)))}
            failures += look_at(chosen, change, rng, arguments.keep)
            looked += len(chosen)
        failures += compare_schedules(arguments.source, rng.choice([with_blanks, with_breaks, packed, spread]), rng)
    print(f"{looked} texts, {failures} failures")
    return 1 if failures or not looked else 0


if __name__ == "__main__":
    sys.exit(main())
