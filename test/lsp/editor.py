"""An editor for tests: starts `quadrille lsp`, and says and hears what editors do.

    with Editor(folder) as editor:
        text = editor.open("a.quad", "schedule ...")
        editor.diagnostics(text)          # the next ones of that text
        editor.ask("textDocument/hover", {...})
"""

import json
import os
import pathlib
import queue
import subprocess
import sys
import threading
import time

PATIENCE = 120  # seconds; a machine may be busy


class Failed(Exception):
    """The error of a response."""

    def __init__(self, error):
        super().__init__(f"{error['code']}: {error['message']}")
        self.code, self.message = error["code"], error["message"]


class Text:
    """A document that is open."""

    def __init__(self, uri, text):
        self.uri, self.text, self.version = uri, text, 1

    def offset(self, line, character):
        lines = self.text.splitlines(keepends=True) + [""]
        before = sum(len(each) for each in lines[:line])
        units = 0
        for i, c in enumerate(lines[line]):
            if units >= character:
                return before + i
            units += 2 if ord(c) > 0xFFFF else 1
        return before + len(lines[line])

    def position(self, offset):
        before = self.text[:offset]
        line = before.count("\n")
        last = before[before.rfind("\n") + 1:]
        return {"line": line, "character": len(last.encode("utf-16-le")) // 2}

    def place(self, words, after=0):
        """Of the first character of some words: in them, `after` characters further."""
        if words not in self.text:
            raise AssertionError(f"{words!r} is not in the text")
        return self.position(self.text.index(words) + after)

    def words(self, place):
        """What stands in a range."""
        start, end = place["start"], place["end"]
        return self.text[self.offset(start["line"], start["character"]):self.offset(end["line"], end["character"])]

    def changed(self, edits):
        """With edits of the protocol."""
        text = self.text
        for edit in sorted(edits, key=lambda each: (each["range"]["start"]["line"], each["range"]["start"]["character"]), reverse=True):
            start, end = edit["range"]["start"], edit["range"]["end"]
            text = text[:self.offset(start["line"], start["character"])] + edit["newText"] + text[self.offset(end["line"], end["character"]):]
        return text


class Editor:
    def __init__(self, folder, options=(), initialize=True, capabilities=None, settings=None):
        self.folder = pathlib.Path(folder).resolve()
        self.folder.mkdir(parents=True, exist_ok=True)
        self.process = subprocess.Popen(["quadrille", "lsp", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=self.folder)
        self.heard, self.answers, self.next, self.settings = queue.Queue(), {}, 0, settings
        self.capabilities = capabilities or {"window": {"workDoneProgress": True}}
        self.log = []  # of all notifications and requests of the server
        threading.Thread(target=self.listen, daemon=True).start()
        if initialize:
            self.initialize()

    def initialize(self):
        root = self.folder.as_uri()
        params = {"processId": os.getpid(), "rootUri": root, "capabilities": self.capabilities, "workspaceFolders": [{"uri": root, "name": "test"}]}
        if self.settings:
            params["initializationOptions"] = self.settings
        self.provided = self.ask("initialize", params)["capabilities"]
        self.tell("initialized", {})

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is None:
            self.ask("shutdown")
            self.tell("exit")
            if (status := self.process.wait(PATIENCE)) != 0:
                raise AssertionError(f"the server ended with {status}")
        self.process.kill()

    # ---- messages

    def listen(self):
        out = self.process.stdout
        while header := out.readline():
            length = None
            while header.strip():
                name, _, value = header.decode("ascii").partition(":")
                if name.lower() == "content-length":
                    length = int(value)
                header = out.readline()
            if length is None:
                self.heard.put({"wrong": "a header without a length"})
                return
            self.heard.put(json.loads(out.read(length)))
        self.heard.put(None)

    def raw(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def say(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode()
        self.raw(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def tell(self, method, params=None):
        self.say({"method": method, **({"params": params} if params is not None else {})})

    def begin(self, method, params=None):
        """Asks, and does not wait."""
        self.next += 1
        self.say({"id": self.next, "method": method, **({"params": params} if params is not None else {})})
        return self.next

    def end(self, number):
        """The answer to what was begun."""
        self.until(lambda: number in self.answers, f"an answer to request {number}")
        answer = self.answers.pop(number)
        if "error" in answer:
            raise Failed(answer["error"])
        return answer["result"]

    def ask(self, method, params=None):
        return self.end(self.begin(method, params))

    def until(self, holds, what):
        limit = time.monotonic() + PATIENCE
        while not holds():
            try:
                message = self.heard.get(timeout=max(0.01, limit - time.monotonic()))
            except queue.Empty:
                sys.exit(f"no {what} within {PATIENCE} seconds")
            if message is None:
                sys.exit(f"the server is gone, before {what}")
            if "method" in message:
                self.log.append(message)
                if "id" in message:
                    self.say({"id": message["id"], "result": None})
            else:
                self.answers[message["id"]] = message

    def told(self, method, fits=lambda params: True, since=0):
        """The parameters of the first notification of the log that fits; waits for it."""
        def find():
            return [one["params"] for one in self.log[since:] if one["method"] == method and fits(one["params"])]
        self.until(find, f"`{method}`")
        return find()[0]

    # ---- texts

    def open(self, name, text, save=True):
        path = self.folder / name
        if save:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="")
        opened = Text(path.as_uri(), text)
        self.tell("textDocument/didOpen", {"textDocument": {"uri": opened.uri, "languageId": "quadrille", "version": 1, "text": text}})
        return opened

    def change(self, text, old, new):
        """Replaces words, as an editor does: only these."""
        begin = text.text.index(old)
        place = {"start": text.position(begin), "end": text.position(begin + len(old))}
        text.text = text.text[:begin] + new + text.text[begin + len(old):]
        text.version += 1
        self.tell("textDocument/didChange", {"textDocument": {"uri": text.uri, "version": text.version},
                                             "contentChanges": [{"range": place, "text": new}]})

    def become(self, text, whole):
        text.text, text.version = whole, text.version + 1
        self.tell("textDocument/didChange", {"textDocument": {"uri": text.uri, "version": text.version}, "contentChanges": [{"text": whole}]})

    def diagnostics(self, text, fits=lambda found: True):
        """Those of the present version that fit."""
        return self.told("textDocument/publishDiagnostics",
                         lambda params: params["uri"] == text.uri and params.get("version") == text.version and fits(params["diagnostics"]))["diagnostics"]

    def at(self, text, words, after=0, **more):
        return {"textDocument": {"uri": text.uri}, "position": text.place(words, after), **more}

    def of(self, text, **more):
        return {"textDocument": {"uri": text.uri}, **more}


def same(found, wanted, what):
    if found != wanted:
        sys.exit(f"{what}:\n  is       {found!r}\n  shall be {wanted!r}")


def true(holds, what):
    if not holds:
        sys.exit(f"not so: {what}")
