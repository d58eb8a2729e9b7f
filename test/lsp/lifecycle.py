"""A session from its beginning to its end, with all that an editor, or what pretends to be one, may say wrongly."""

import json
import sys
import time

from editor import PATIENCE, Editor, Failed, same, true

RING = """schedule ring for allgather(x) -> y {
  y[me] := x
  for s in 0 ..< p - 1 {
    step {
      send y[(me - s) mod p] to (me + 1) mod p
      recv y[(me - s - 1) mod p] from (me - 1) mod p
    }
  }
}
"""
folder = sys.argv[1]


def refused(editor, method, params=None):
    try:
        editor.ask(method, params)
    except Failed as error:
        return error.code
    sys.exit(f"{method} was not refused")


def nameless(editor):
    """The next error that belongs to no request."""
    editor.until(lambda: None in editor.answers, "an error without a request")
    return editor.answers.pop(None)["error"]["code"]


# Before `initialize`, and after `shutdown`, there are no answers. Some editors say with which streams.
editor = Editor(folder, options=["--stdio"], initialize=False)
same(refused(editor, "textDocument/hover", {}), -32002, "before initialize")
editor.initialize()
same(refused(editor, "initialize", {}), -32600, "a second initialize")
for capability in ("hoverProvider", "definitionProvider", "referencesProvider", "renameProvider", "completionProvider", "documentFormattingProvider",
                   "documentSymbolProvider", "inlayHintProvider", "codeActionProvider", "codeLensProvider"):
    true(capability in editor.provided, capability)
same(editor.ask("shutdown"), None, "shutdown")
same(refused(editor, "textDocument/hover", {}), -32600, "after shutdown")
editor.tell("exit")
same(editor.process.wait(PATIENCE), 0, "the status after shutdown")

# Without `shutdown`, or when the editor is gone, the status says so.
editor = Editor(folder)
editor.tell("exit")
same(editor.process.wait(PATIENCE), 1, "the status without shutdown")
editor = Editor(folder)
editor.process.stdin.close()
same(editor.process.wait(PATIENCE), 1, "the status without an editor")

with Editor(folder) as editor:
    # What is not as it should be is refused, and the session goes on.
    text = editor.open("ring.quad", RING)
    same(refused(editor, "textDocument/everything", {}), -32601, "an unknown method")
    same(refused(editor, "textDocument/hover", {}), -32602, "a request without a document")
    same(refused(editor, "textDocument/hover", {"textDocument": {"uri": "file:///nowhere.quad"}}), -32602, "a document that is not open")
    same(refused(editor, "workspace/executeCommand", {"command": "quadrille.format"}), -32602, "an unknown command")
    for wrong in (b"Content-Length: 5\r\n\r\n{\"a\":", b"Content-Length: 2\r\n\r\n\xff\xfe", b"Content-Length: many\r\n\r\n", b"Hello\r\n\r\n",
                  b"Content-Length: 4000\r\n\r\n" + b"[" * 4000, b"Content-Length: 90000000\r\n\r\n" + b" " * 90000000):
        editor.raw(wrong)
        same(nameless(editor), -32700, wrong[:60])
    editor.raw(b"x" * 10000)
    same(nameless(editor), -32700, "bytes without a header")
    editor.raw(b"and so on")
    for wrong in ([1, 2], 7, None, {"id": {}, "method": "x"}, {"id": 1}):
        body = json.dumps(wrong).encode()
        editor.raw(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        if wrong == [1, 2]:
            same(nameless(editor), -32700, "bytes before a header")
        if wrong == {"id": 1}:
            editor.until(lambda: 1 in editor.answers, "a message without a method")
            same(editor.answers.pop(1)["error"]["code"], -32600, wrong)
        else:
            same(nameless(editor), -32600, wrong)
    for method in ("textDocument/didChange", "textDocument/didOpen", "textDocument/didClose", "$/cancelRequest", "$/nothing", "workspace/didChangeWorkspaceFolders"):
        for params in (None, [], {"textDocument": 3}, {"textDocument": {"uri": text.uri}, "contentChanges": [{}, 1, {"text": 2}]}):
            if not (method == "textDocument/didClose" and isinstance(params, dict)):
                editor.tell(method, params)
    for position in ({"line": -1, "character": -7}, {"line": 10**12, "character": 10**12}, {"line": 0.5}, None, {"line": 1, "character": 10**6}):
        editor.ask("textDocument/hover", editor.of(text, position=position))
        editor.ask("textDocument/completion", editor.of(text, position=position))
    same(editor.ask("textDocument/documentSymbol", editor.of(text))[0]["name"], "ring", "the text is as it was")

    # What is cancelled is said to be so, at once, and once.
    slow = editor.open("slow.quad", "fn f(a) = if a <= 0 then 0 else f(a - 1) + f(a - 2)\n"
                       + "".join(f"schedule s{i} for barrier() {{ requires f(24) >= {i} }}\n" for i in range(500)))
    numbers = [editor.begin("textDocument/inlayHint", editor.of(slow)) for _ in range(30)]
    for number in numbers:
        editor.tell("$/cancelRequest", {"id": number})
    begun = time.monotonic()
    cancelled = 0
    for number in numbers:
        try:
            editor.end(number)
        except Failed as error:
            same(error.code, -32800, "a request that is cancelled")
            cancelled += 1
    true(cancelled, "what waits for its turn is not answered any more")
    true(time.monotonic() - begun < 20, "cancelled requests are answered at once")
    editor.tell("$/cancelRequest", {"id": 123456})
    # Nothing that it does keeps the server from answering about another text.
    begun = time.monotonic()
    true(editor.ask("textDocument/hover", editor.at(text, "x) -> y"))["contents"], "an answer beside long checks")
    true(time.monotonic() - begun < 20, "an answer beside long checks comes soon")
print("ok")
