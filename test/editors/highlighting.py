#!/usr/bin/env python3
"""Checks what editors make of schedules, against the grammar.

words:    Each word of grammar/Quadrille.g4 has one class in editors/vim and one in editors/vscode, and both agree; and there are no
          other words but the variables that are always there.
textmate: Every token of every file of the library gets the scope that it should from editors/vscode. Its grammar is read by a
          tokenizer for what it consists of: patterns in order, the leftmost match first, `match` within a line, `begin` to `end`.
vim:      The same in Vim, which is run, for classes; and some indentation.
pygments: The same with the lexer of site/, which colours examples on the site.

usage: highlighting.py --source FOLDER words|textmate|vim|pygments
"""

import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# Class of editors/vim: scope of editors/vscode.
SCOPES = {
    "quadrilleDeclaration": "storage.type.declaration.quadrille",
    "quadrilleClause": "keyword.other.clause.quadrille",
    "quadrilleStatement": "keyword.other.statement.quadrille",
    "quadrilleControl": "keyword.control.quadrille",
    "quadrilleWord": "keyword.other.quadrille",
    "quadrilleOperator": "keyword.operator.word.quadrille",
    "quadrilleType": "storage.type.quadrille",
    "quadrilleConstant": "constant.language.quadrille",
    "quadrilleFunction": "support.function.quadrille",
    "quadrillePart": "variable.other.part.quadrille",
    "quadrilleVariable": "variable.language.quadrille",
    "quadrilleNumber": "constant.numeric.quadrille",
    "quadrilleSymbol": "keyword.operator.quadrille",
    "": "variable.other.quadrille",  # other names
}
COMMENTS = {"//": "comment.line.double-slash.quadrille", "/*": "comment.block.quadrille"}
VARIABLES = {"me", "p", "n", "nodes", "largest_node", "consecutive_nodes", "alpha", "beta", "gamma"}
PUNCTUATION = set("(){}[],;:.=")
TOKEN = re.compile(r"//[^\n]*|/\*.*?\*/|[0-9][0-9a-zA-Z_]*|[A-Za-z_][A-Za-z_0-9]*|:=|->|\.\.<|\.\.\+|\.\.|\*\*|<<|>>|==|!=|<=|>=|<>|\S",
                   re.DOTALL)


def words_of_grammar(source):
    text = (source / "grammar/Quadrille.g4").read_text(encoding="utf-8")
    rules = re.sub(r"//.*", "", text)
    return set(re.findall(r"'([a-z]\w*)'", rules))


def words_of_vim(source):
    """word: class."""
    result = {}
    for line in (source / "editors/vim/syntax/quadrille.vim").read_text(encoding="utf-8").splitlines():
        match = re.match(r"syntax keyword (\w+) (.*)$", line)
        if match and "contained" not in line:
            for word in match[2].split():
                if word in result:
                    sys.exit(f"Vim: `{word}` twice")
                result[word] = match[1]
    return result


def grammar_of_vscode(source):
    with open(source / "editors/vscode/syntaxes/quadrille.tmLanguage.json", encoding="utf-8") as file:
        patterns = json.load(file)["patterns"]
    for pattern in patterns:
        if set(pattern) not in ({"name", "match"}, {"name", "begin", "end"}):
            sys.exit(f"the tokenizer of this test does not know all of {pattern}")
    return patterns


def words_of_vscode(source):
    result = {}
    for pattern in grammar_of_vscode(source):
        match = re.fullmatch(r"\\b\(?([a-z_|]+)\)?\\b", pattern.get("match", ""))
        for word in match[1].split("|") if match else []:
            if word in result:
                sys.exit(f"VS Code: `{word}` twice")
            result[word] = pattern["name"]
    return result


def check_words(source):
    grammar, vim, vscode = words_of_grammar(source), words_of_vim(source), words_of_vscode(source)
    problems = []
    for name, own in (("Vim", vim), ("VS Code", vscode)):
        problems += [f"{name} does not know the word `{word}`" for word in sorted((grammar | VARIABLES) - set(own))]
        problems += [f"{name} has a word `{word}` that the grammar has not" for word in sorted(set(own) - grammar - VARIABLES)]
    problems += [f"`{word}` is {vim[word]} in Vim and {vscode[word]} in VS Code" for word in sorted(set(vim) & set(vscode))
                 if SCOPES[vim[word]] != vscode[word]]
    return problems, len(grammar)


def tokens(text, classes):
    """Offset, text and class of Vim of each token; None: punctuation, of which nothing is asked."""
    for match in TOKEN.finditer(text):
        token = match.group()
        if token[:2] in COMMENTS:
            yield match.start(), token, "quadrilleComment"
        elif token[0].isdigit():
            yield match.start(), token, "quadrilleNumber"
        elif token[0].isalpha() or token[0] == "_":
            yield match.start(), token, classes.get(token, "")
        elif token not in PUNCTUATION:
            yield match.start(), token, "quadrilleSymbol"


def scopes(text, patterns):
    """The scope of each character."""
    result = [""] * len(text)
    compiled = [(pattern, re.compile(pattern.get("match") or pattern["begin"], re.MULTILINE)) for pattern in patterns]
    at = 0
    while at < len(text):
        found = [(match.start(), number, match, pattern) for number, (pattern, expression) in enumerate(compiled)
                 if (match := expression.search(text, at)) and match.end() > match.start()]
        if not found:
            break
        _, _, match, pattern = min(found, key=lambda each: each[:2])
        end = match.end()
        if "end" in pattern:
            closing = re.compile(pattern["end"]).search(text, end)
            end = closing.end() if closing else len(text)
        result[match.start():end] = [pattern["name"]] * (end - match.start())
        at = end
    return result


def library(source):
    files = sorted((source / "schedules").rglob("*.quad")) + [source / "test/parse/accepted.quad"]
    return {file: file.read_text(encoding="utf-8") for file in files}


def check_textmate(source):
    problems, count = [], 0
    patterns, classes = grammar_of_vscode(source), words_of_vim(source)
    for file, text in library(source).items():
        # Line by line, as editors do, but for comments of several lines: a search in all of a long text takes long.
        found = []
        for part in re.split(r"(/\*.*?\*/|\n)", text, flags=re.DOTALL):
            found += scopes(part, patterns)
        for start, token, wanted in tokens(text, classes):
            count += 1
            scope = COMMENTS[token[:2]] if wanted == "quadrilleComment" else SCOPES[wanted]
            if set(found[start:start + len(token)]) != {scope}:
                problems.append(f"{file}: `{token}` at {start} is {found[start]}, not {scope}")
    return problems, count


def check_pygments(source):
    sys.path.insert(0, str(source / "site"))
    from quadrille_lexer import QuadrilleLexer

    classes = {"quadrilleDeclaration": "Keyword.Declaration", "quadrilleClause": "Keyword.Namespace", "quadrilleStatement": "Keyword",
               "quadrilleControl": "Keyword", "quadrilleWord": "Keyword", "quadrilleOperator": "Operator.Word", "quadrilleType": "Keyword.Type",
               "quadrilleConstant": "Keyword.Constant", "quadrilleFunction": "Name.Builtin", "quadrillePart": "Name.Attribute",
               "quadrilleVariable": "Name.Builtin.Pseudo", "quadrilleNumber": "Literal.Number.Integer", "quadrilleSymbol": "Operator", "": "Name"}
    problems, count = [], 0
    words = words_of_vim(source)
    for file, text in library(source).items():
        found = [""] * len(text)
        for start, kind, part in QuadrilleLexer().get_tokens_unprocessed(text):
            found[start:start + len(part)] = [str(kind).removeprefix("Token.")] * len(part)
        for start, token, wanted in tokens(text, words):
            count += 1
            names = set(found[start:start + len(token)])
            if wanted == "quadrilleComment":
                names = {name for name in names if not name.startswith("Comment")}
            elif names == {classes[wanted]}:
                names = set()
            if names:
                problems.append(f"{file}: `{token}` at {start} is {sorted(names)}")
        problems += [f"{file}: `{text[at]}` at {at} is none of the lexer's" for at, name in enumerate(found) if name == "Error"]
    return problems, count


def check_vim(source):
    texts, classes = library(source), words_of_vim(source)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "files").write_text("".join(f"{file}\n" for file in texts), encoding="utf-8")
        environment = dict(os.environ, QUADRILLE_EDITOR=str(source / "editors/vim"), QUADRILLE_FILES=str(folder / "files"),
                           QUADRILLE_OUT=str(folder / "out"), HOME=name, LC_ALL="C.UTF-8")
        subprocess.run(["vim", "-Nu", "NONE", "-i", "NONE", "-n", "-es", "-S", str(source / "test/editors/classes.vim")],
                       env=environment, stdin=subprocess.DEVNULL, check=False, timeout=240)
        out = (folder / "out").read_text(encoding="utf-8").splitlines()
    problems, count, indented = [], 0, 0
    found = collections.defaultdict(list)
    file = None
    for line in out:
        kind, _, rest = line.partition(" ")
        if kind == "file":
            file, _, filetype = rest.rpartition(" ")
            if filetype != "quadrille":
                problems.append(f"{file}: Vim takes it for {filetype or 'nothing'}")
        elif kind == "line":
            found[file] += rest.split(",")[:-1]
            found[file].append("")  # the line end
        else:
            would, is_ = rest.split()
            indented += 1
            if would != is_:
                problems.append(f"{file}: a line is indented by {is_}, and Vim would indent it by {would}")
    for path, text in texts.items():
        groups = found[str(path)]
        for start, token, wanted in tokens(text, classes):
            count += 1
            begin = len(text[:start].encode())
            names = set(groups[begin:begin + len(token.encode())])
            if token.startswith("/*"):
                names.discard("")  # line ends, and blanks at the beginning of lines
            if names != {wanted}:
                problems.append(f"{path}: `{token}` at {start} is {sorted(names)}, not {wanted or 'a name'}")
    if not indented:
        problems.append("no line to be indented")
    return problems, count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("what", choices=["words", "textmate", "vim", "pygments"])
    arguments = parser.parse_args()
    check = {"words": check_words, "textmate": check_textmate, "vim": check_vim, "pygments": check_pygments}[arguments.what]
    problems, count = check(arguments.source)
    for problem in problems[:20]:
        print(problem)
    print(f"{count} looked at, {len(problems)} problems")
    return 1 if problems or not count else 0


if __name__ == "__main__":
    sys.exit(main())
