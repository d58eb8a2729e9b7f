"""What an editor can ask: what names are, where they are declared and mentioned, other names for them, what may be written, style,
outlines, costs of steps, and commands."""

import pathlib
import sys

from editor import Editor, Failed, same, true

folder = pathlib.Path(sys.argv[1])
TEXT = """// Half of a number.
fn half_of(a) = a div 2

tree pair(range, r) {
  root  r
  left  pair(range.lo ..< r)
  right pair(r + 1 ..< range.hi)
}

// Prefix sums on a hypercube.
schedule cube for scan(x) -> y {
  requires pow2(p)
  model telephone
  cost  log2(p) * (alpha + beta*n)

  var sum := x
  y := x
  for d in 0 ..< log2(p) {
    let partner = me xor (1 << d)
    step {
      exchange sum with partner into t
      if partner < me { y := t <> y; sum := t <> sum }
      else            { sum := sum <> t }
    }
  }
}

schedule twice for scan(x) -> y {
  requires pow2(p) and half_of(p) >= 0
  use scan/cube(x) -> y
}
"""


def labels(items):
    return [item["label"] for item in items]


with Editor(folder) as editor:
    text = editor.open("scan/cube.quad", TEXT)
    other = editor.open("other.quad", "schedule other for scan(x) -> y {\n  requires pow2(p)\n  use scan/cube(x) -> y\n}\n")

    def hover(words, after=0):
        return editor.ask("textDocument/hover", editor.at(text, words, after))["contents"]["value"]

    # Types and shapes, declarations with their comments, what the documentation says, and what is proved.
    same(hover("partner into"), "`partner`: a number, which may differ between ranks", "a number")
    same(hover("d in 0"), "`d`: a number, the same on all ranks", "a number that is the same everywhere")
    same(hover("sum with"), "`sum`: a block, as `x`", "a local block")
    same(hover("t <> y"), "`t`: a message, a block, as `sum`", "a message")
    same(hover("y := x"), "`y`: a result, a block", "a result")
    same(hover("half_of(p)"), "```quadrille\nfn half_of(a) = a div 2\n```\n\nHalf of a number.", "a function")
    same(hover("cube(x) -> y"), "```quadrille\nschedule cube for scan(x) -> y\n```\n\nPrefix sums on a hypercube.", "a schedule")
    true("collective scan(" in hover("scan(x) -> y"), "a collective")
    # Also where the text is not right, and before the name of a schedule that is used.
    heading = editor.open("heading.quad", "schedule cube for allgather(x) -> y {\n  use allgather/ring(x) -> y\n}\n")
    broken = editor.open("broken.quad", "schedule cube for allgather(x) -> y {\n  y[me] :=\n}\n")
    for of, words in ((heading, "allgather(x)"), (heading, "allgather/"), (broken, "allgather(x)")):
        told = editor.ask("textDocument/hover", editor.at(of, words, 3))["contents"]["value"]
        true(told.startswith("```quadrille\ncollective allgather(x: block) -> (y: block[p])"), told)
    true("`log2(a)`" in hover("log2(p) {"), "a function of the language")
    true("log2(p)*alpha" in hover("cost  log2") and "proved for all p with pow2(p)" in hover("cost  log2"), hover("cost  log2"))
    same(editor.ask("textDocument/hover", editor.at(text, "// Half", 4)), None, "a comment")

    # Where names are declared, in this text and in others, and where they are mentioned.
    def declared(of, words, after=0):
        return editor.ask("textDocument/definition", editor.at(of, words, after))

    same(text.words(declared(text, "partner into")["range"]), "partner", "a declaration")
    same(declared(text, "partner into")["range"]["start"], text.place("partner = me"), "the place of a declaration")
    same(declared(other, "cube(x)")["uri"], text.uri, "a declaration in another text")
    true(declared(text, "for scan(x)", 5)["uri"].endswith("/schedules/collectives.quad"), "a declaration of the library")
    same(declared(text, "log2(p)"), None, "a function of the language has no declaration")

    def mentions(words, declaration):
        return editor.ask("textDocument/references", editor.at(text, words, context={"includeDeclaration": declaration}))

    same(len(mentions("partner into", False)), 2, "mentions of a number")
    same(len(mentions("sum := x", True)), 6, "mentions of a block")
    same(sorted(each["uri"] for each in mentions("cube for", False)), sorted([text.uri, other.uri]), "mentions in all texts")
    same(len(editor.ask("textDocument/documentHighlight", editor.at(text, "half_of"))), 2, "mentions here")

    # Other names, in all texts; none that would change what they mean.
    def renamed(words, name):
        return editor.ask("textDocument/rename", editor.at(text, words, newName=name))["changes"]

    def not_renamed(words, name):
        try:
            renamed(words, name)
        except Failed as error:
            same(error.code, -32803, f"{words} is not renamed")
            return error.message
        sys.exit(f"{words} was renamed to {name}")

    same(text.words(editor.ask("textDocument/prepareRename", editor.at(text, "partner into"))), "partner", "what is renamed")
    same(text.changed(renamed("partner into", "peer")[text.uri]), TEXT.replace("partner", "peer"), "a renamed number")
    same(text.changed(renamed("half_of", "lower_half")[text.uri]), TEXT.replace("half_of", "lower_half"), "a renamed function")
    said = not_renamed("partner into", "sum")
    true("declared already" in said, said)
    true("is no name" in not_renamed("partner into", "step"), "a word of the language")
    true("is no name" in not_renamed("partner into", "a b"), "two words")
    not_renamed("cube for", "box")  # other texts would look for its file
    not_renamed("log2(p)", "log")

    # What may be written, also in texts that cannot be read as they are.
    def offered(old, new, words):
        editor.become(text, TEXT)
        editor.change(text, old, new)
        return labels(editor.ask("textDocument/completion", editor.of(text, position=text.place(words, len(words)))))

    found = offered("exchange sum with partner into t", "exchange sum with par", "exchange sum with par")
    true({"partner", "sum", "y", "d", "me", "half_of", "min"} <= set(found), found)
    true("t" not in found and "alpha" not in found and "step" not in found, found)
    found = offered("    let partner = me xor (1 << d)\n", "    \n", "log2(p) {\n    ")
    true({"step", "let", "sum"} <= set(found) and "partner" not in found, found)
    found = offered("use scan/cube(x) -> y", "use scan/", "use scan/")
    true({"scan/cube", "allgather/ring", "scan/hypercube"} <= set(found), found)
    # Files beside this one: what `use` would find there, under the name by which it finds it.
    (folder / "scan").mkdir(exist_ok=True)
    (folder / "scan" / "beside.quad").write_text(
        "schedule beside for scan(x) -> y { y := x }\nschedule helper for allreduce(x) -> y { y := x }\n", encoding="utf-8")
    found = offered("use scan/cube(x) -> y", "use ", "use ")
    true({"scan/beside", "beside/helper"} <= set(found) and "scan/helper" not in found, found)
    found = offered("model telephone", "model ", "model ")
    same(found, ["half_duplex", "telephone", "full_duplex", "ports", "shared"], "port models")
    found = offered("twice for scan(x)", "twice for ", "twice for ")
    true({"allgather", "barrier"} <= set(found), found)
    found = offered("alpha + beta*n", "al", "log2(p) * (al")
    true({"alpha", "beta", "n", "ceil"} <= set(found), found)
    found = offered("let partner = me xor (1 << d)", "let T = pair(0 ..< p)\n    let partner = T.", "partner = T.")
    same(found[:2], ["root", "parent"], "fields of trees")
    found = offered("schedule twice", "sched\nschedule twice", "sched")
    true({"schedule", "collective", "fn"} <= set(found), found)

    found = offered("schedule twice", "import ra\nschedule twice", "import ra")
    true("radix" in found and "trees" not in found and "cube" not in found, found)

    (folder / "parts").mkdir(exist_ok=True)
    (folder / "parts" / "half.quad").write_text("fn half(a) = a div 2\n")
    found = offered("schedule twice", "import parts/ha\nschedule twice", "import parts/ha")
    same(found, ["half"], "files of a folder")

    # Imports: the file that one names, and the declarations in it.
    importing = editor.open("importing.quad", "import radix\n\nschedule importing for scan(x) -> y {\n  rounds <= p + radix_rounds(p, 2)\n  use scan/inorder_tree(x) -> y\n}\n")
    for words in ("radix\n", "radix_rounds("):
        true(declared(importing, words)["uri"].endswith("/schedules/radix.quad"), f"what is imported: {words}")

    # What is wrong in an imported file is shown at the import.
    editor.open("wrong_part.quad", "fn part(i) = unknown\n")
    broken = editor.open("imports_wrong.quad", "// Uses a part.\nimport wrong_part\nschedule broken for scan(x) -> y {\n  use scan/inorder_tree(x) -> y\n}\n")
    found = editor.told("textDocument/publishDiagnostics", lambda params: params["uri"] == broken.uri and params["diagnostics"])["diagnostics"]
    same([each["range"]["start"]["line"] for each in found], [1], "an error of an imported file")

    # Style: one change that leaves alone what is in style; none at all for a text that is.
    editor.become(text, TEXT)
    same(editor.ask("textDocument/formatting", editor.of(text, options={"tabSize": 2, "insertSpaces": True})), [], "a text in style")
    editor.become(text, TEXT.replace("  var sum := x", "\tvar   sum:=x"))
    [edit] = editor.ask("textDocument/formatting", editor.of(text, options={}))
    same(text.changed([edit]), TEXT, "a formatted text")
    true(edit["range"]["start"]["line"] == edit["range"]["end"]["line"], "what is in style is left alone")
    editor.become(text, TEXT.replace("  var sum := x\n", "  var sum := x\r\n"))
    [edit] = editor.ask("textDocument/formatting", editor.of(text, options={}))
    same((edit["newText"], edit["range"]["end"]["character"]), ("\n", 0), "a change of a whole end of a line")
    editor.become(text, TEXT.replace("schedule cube", "schedule"))
    same(editor.ask("textDocument/formatting", editor.of(text, options={})), None, "a text that cannot be read")
    editor.become(text, TEXT)

    # Outlines.
    outline = editor.ask("textDocument/documentSymbol", editor.of(text))
    same([each["name"] for each in outline], ["half_of", "pair", "cube", "twice"], "an outline")
    same([each["name"] for each in outline[2]["children"]], ["x", "y", "sum", "t"], "the blocks of a schedule")
    true(text.words(outline[2]["range"]).startswith("schedule cube") and text.words(outline[2]["range"]).endswith("}"), "the range of a symbol")

    # Rounds and costs of steps.
    hints = editor.ask("textDocument/inlayHint", editor.of(text, range={"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}))
    same([(each["label"], each["position"]["line"]) for each in hints],
         [("3 rounds, 3α + 3βn + 6γn", text.place("step {")["line"]), ("3 rounds, 3α + 3βn + 6γn", text.place("use scan")["line"])], "costs of steps")
    same(hints[0]["tooltip"], "scan/cube at p = 8", "the case of a hint")
    same(editor.ask("textDocument/inlayHint", editor.of(text, range={"start": {"line": 0, "character": 0}, "end": {"line": 5, "character": 0}})), [],
         "hints elsewhere")

    # Commands above schedules.
    lenses = editor.ask("textDocument/codeLens", editor.of(text))
    same([each["command"]["title"] for each in lenses], ["check", "prove", "draw"] * 2, "lenses")
    said = [editor.ask("workspace/executeCommand", {key: lens["command"][key] for key in ("command", "arguments")}) for lens in lenses[:3]]
    true("scan/cube" in said[0] and "ok" in said[0] and "proved for all p with pow2(p)" in said[1] and "3 rounds, telephone" in said[2], said)
    same(editor.told("window/showMessage", lambda params: params["message"] == said[0])["type"], 3, "the result is shown")
    editor.change(text, "sum := t <> sum }", "sum := sum <> t }")
    # Commands are for the text that the editor has, where there is no file yet.
    unsaved = editor.open("unsaved.quad", TEXT, save=False)
    lens = editor.ask("textDocument/codeLens", editor.of(unsaved))[0]
    true("scan/cube" in editor.ask("workspace/executeCommand", {key: lens["command"][key] for key in ("command", "arguments")}), "an unsaved text")
    broken = editor.ask("workspace/executeCommand", {key: lenses[0]["command"][key] for key in ("command", "arguments")})
    true("error: " in broken, broken)
print("ok")
