"""Diagnostics as one types, of the whole pipeline: of reading, of checks, of proofs; and the changes that mend a text."""

import pathlib
import sys
import time

from editor import PATIENCE, Editor, same, true

folder = pathlib.Path(sys.argv[1])
RING = """// Zürich 🜁: what stands before a place counts as editors count.
schedule ring for allgather(x) -> y {
  model full_duplex
  cost  (p - 1) * (alpha + beta*n)

  y[me] := x
  for s in 0 ..< p - 1 {
    step {
      send y[(me - s) mod p]     to   (me + 1) mod p
      recv y[(me - s - 1) mod p] from (me - 1) mod p
    }
  }
}
"""


def codes(found):
    return [each.get("code", "") for each in found]


def mended(editor, text, found, title):
    """The text after the change of that name which an editor is offered at a diagnostic."""
    actions = editor.ask("textDocument/codeAction", editor.of(text, range=found["range"], context={"diagnostics": [found]}))
    titles = [action["title"] for action in actions]
    true(title in titles, f"{title} is one of {titles}")
    return text.changed(actions[titles.index(title)]["edit"]["changes"][text.uri])


with Editor(folder) as editor:
    # Right from the beginning: checked, proved, with progress.
    text = editor.open("ring.quad", RING)
    same(editor.diagnostics(text), [], "what is right")
    editor.told("$/progress", lambda params: "proving allgather/ring" in params["value"].get("message", ""))
    editor.told("$/progress", lambda params: params["value"]["kind"] == "end")

    # An error of reading, behind characters of two and of four bytes.
    editor.change(text, "y[me] := x", "/* é🜁 */ y[me] := x % 2")
    found = editor.diagnostics(text)
    true(found and found[0]["severity"] == 1 and found[0]["source"] == "quadrille" and found[0]["message"], "an error is reported")
    editor.change(text, "x % 2", "x")
    same(editor.diagnostics(text), [], "what was taken back")
    editor.change(text, "(me + 1) mod p", "/* é🜁 */ (me + 1) % p")
    [found] = editor.diagnostics(text, len)
    same(text.words(found["range"]), "%", "the place of an error")
    true(found["codeDescription"]["href"].endswith(f"/{found['code']}.md"), "a page is named")
    editor.become(text, mended(editor, text, found, "write `mod`"))
    same(editor.diagnostics(text), [], "after a mend")

    # An error that checks find, with the smallest case and the places of notes.
    editor.change(text, "from (me - 1) mod p", "from (me + 1) mod p")
    [found] = editor.diagnostics(text, len)
    true("smallest case: p = " in found["message"], found["message"])
    true(found["relatedInformation"][0]["location"]["uri"] == text.uri, "a note has its place")
    editor.change(text, "from (me + 1) mod p", "from (me - 1) mod p")
    same(editor.diagnostics(text), [], "what was taken back")

    # A name that is misspelled.
    editor.change(text, "model full_duplex", "model full_duplex\n  requires poww2(p)")
    [found] = editor.diagnostics(text, len)
    editor.become(text, mended(editor, text, found, "write `pow2`"))
    same(editor.diagnostics(text), [], "after a mend")

    # A claim that holds for all p up to 17, and not beyond: proofs run when the checks are done.
    editor.become(text, RING.replace("cost  (p - 1) *", "cost  (if p <= 40 then p - 1 else p) *"))
    found = editor.diagnostics(text, len)
    true("p = 41" in found[0]["message"], found[0]["message"])

    # What is not proved is told, and is no error.
    editor.become(text, RING.replace("  y[me]", "  let a = (p**5 mod 30) - (p mod 30)\n  y[me]").replace("p - 1 {", "p - 1 + a {"))
    found = editor.diagnostics(text, len)
    true(found[0]["severity"] == 3 and "not proved for all p" in found[0]["message"], found)

    # What another text has wrong is told where it is used; and when it is mended there, saved or not, the error is gone.
    base = editor.open("scan/base.quad", "schedule base for allgather(x) -> y { y[me] = x }\n", save=True)
    editor.diagnostics(base, len)
    user = editor.open("user.quad", "schedule user for allgather(x) -> y { use scan/base(x) -> y }\n")
    found = editor.diagnostics(user, len)
    true("base.quad" in found[0]["message"] and found[0]["relatedInformation"][0]["location"]["uri"] == base.uri, found)
    before = len(editor.log)
    editor.become(base, RING.replace("schedule ring", "schedule base"))
    same(editor.told("textDocument/publishDiagnostics", lambda params: params["uri"] == user.uri, since=before)["diagnostics"], [],
         "what is mended in another text")

    # A text that is closed has no diagnostics any more.
    before = len(editor.log)
    editor.tell("textDocument/didClose", editor.of(text))
    same(editor.told("textDocument/publishDiagnostics", lambda params: params["uri"] == text.uri, since=before)["diagnostics"], [], "a text that is closed")

    # Texts that are no texts of schedules.
    for name, content in (("empty.quad", ""), ("zero.quad", "\0"), ("long.quad", "// " + "x" * (2 << 20)), ("deep.quad", "fn f(a) = " + "(" * 5000)):
        strange = editor.open(name, content, save=False)
        true(bool(editor.diagnostics(strange)) == bool(content), f"{name} has an error")
        same(editor.ask("textDocument/hover", editor.of(strange, position={"line": 0, "character": 0})), None, name)

    # Long checks are taken up and left as the text changes; what is asked meanwhile is answered.
    slow = RING.replace("  y[me] := x", "  requires f(24) > 0\n  y[me] := x").replace("schedule", "fn f(a) = if a <= 1 then 1 else f(a - 1) + f(a - 2)\nschedule")
    text = editor.open("slow.quad", slow)
    begun = time.monotonic()
    for i in range(20):
        editor.change(text, "f(24) > 0", f"f(24) > {i}")
        editor.change(text, f"f(24) > {i}", "f(24) > 0")
        true(editor.ask("textDocument/hover", editor.at(text, "f(a - 1)"))["contents"], "an answer between changes")
    true(time.monotonic() - begun < PATIENCE / 2, "changes are not waited for")
    editor.become(text, RING)
    same(editor.diagnostics(text), [], "after many changes")

# Options: used schedules are looked for in more folders, warnings are errors, and nothing need be proved.
with Editor(folder / "apart", options=["-I", str(folder / "scan"), "-Werror", "--no-proof"]) as editor:
    text = editor.open("user.quad", RING.replace("  y[me] := x\n", "  var t: block[p]\n  use allgather/base(x) -> t\n  y[me] := x\n"))
    (folder / "scan/allgather").mkdir()
    (folder / "scan/allgather/base.quad").write_text(RING.replace("schedule ring", "schedule base"), encoding="utf-8")
    editor.become(text, text.text + "\n")
    found = editor.diagnostics(text)
    true(found and all(each["severity"] == 1 for each in found), found)
    true(not any("allgather/base" in each["message"] for each in found), found)
    time.sleep(1)
    true(not any("proving" in str(message) for message in editor.log), "nothing is proved")
print("ok")
