"""Looks for limits that are not in compiler/limits/Limits.def, and for lines of it that no code takes."""
import pathlib
import re
import sys

compiler = pathlib.Path(sys.argv[1])
names = re.findall(r"^LIMIT\((\w+),", (compiler / "limits" / "Limits.def").read_text(), re.M)
# What is shown of a long list, and how wide a picture is, is a matter of taste: nothing is given up.
STYLE = {"maxListed", "mostCommentBlanks", "maxLabelLength", "maxRows", "maxWidth", "maxPanelWidth", "mostTags",
         "mostNumbers", "mostSameNumbers", "mostShown"}
# Properties of numbers, and of how others read them.
NUMBERS = {"mostScale", "maxRanks", "mostRanks", "mostMpichBytes"}

texts = {path: path.read_text() for path in sorted(compiler.rglob("*")) if path.suffix in (".h", ".cpp") and path.parent.name != "limits"}
wrong = []
for path, text in texts.items():
    for number, line in enumerate(text.splitlines(), 1):
        if "constexpr" not in line:
            continue
        for name in re.findall(r"\b((?:max|most)[A-Z]\w*) = (?=[^;]*\d)", line):
            if name not in STYLE | NUMBERS:
                wrong.append(f"{path.relative_to(compiler)}:{number}: `{name}` is not in Limits.def")
everything = "\n".join(texts.values())
wrong += [f"Limits.def: nobody takes `{name}`" for name in names if not re.search(rf"limits::{name}\b", everything)]
print("\n".join(wrong))
sys.exit(bool(wrong))
