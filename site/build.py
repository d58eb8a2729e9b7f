#!/usr/bin/env python3
"""Makes the documentation into a site: static HTML with search.

What the pages show is made anew: commands of blocks ```console with a comment `<!-- run: 0 -->` are run, as
test/docs/run-examples.py does, and the lines that the page shows are replaced by those that they print; a line that is not printed ends
the build. Pictures are drawn where a page has

    <!-- draw: broadcast/binomial -p 8 -->       arguments of `quadrille draw`; with a link to the same as a page with a slider
    <!-- picture: cost --compare scan -->        of any other command that writes to the file of -o

usage: build.py --source FOLDER --quadrille PROGRAM --mkdocs PROGRAM --output FOLDER
"""

import argparse
import importlib.util
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

# The pages in the order of the menu, which has all that lie directly in docs/. Others are found by links and by search.
MENU = [
    ("Quadrille", [("What it is", "index.md"), ("Tutorial", "tutorial.md"), ("Installing", "installing.md"), ("Changes", "changes.md")]),
    ("Reference", [("Language", "language.md"), ("Command line", "command-line.md"), ("Library", "library.md"), ("Catalogue", "catalogue.md"),
                   ("Results for programs", "results.md"), ("Limits", "limits.md"), ("What proofs leave open", "gaps.md"), ("Formatting", "formatting.md")]),
    ("Topics", [("Costs", "costs.md"), ("Machines", "machines.md"), ("Networks", "topologies.md"), ("Drawing", "drawing.md"), ("Plotting", "plotting.md"),
                ("Proofs", "proofs.md"), ("Proofs, rank by rank", "proofs-by-rank.md"), ("Testing schedules", "conformance.md"),
                ("Editors", "editors.md"), ("Collectives", "collectives.md"), ("Existing MPI programs", "preload.md"), ("The runtime", "runtime.md"), ("How fast it is", "performance.md")]),
    ("Background", [("Architecture", "architecture.md"), ("Decisions", "decisions/README.md"), ("Sources", "sources.md"), ("Errata of textbooks", "errata.md")]),
]
# Pages that lie elsewhere in the source tree.
ELSEWHERE = {"README.md": "index.md", "CHANGELOG.md": "changes.md", "schedules/README.md": "catalogue.md"}


def load_examples(source):
    spec = importlib.util.spec_from_file_location("run_examples", source / "test" / "docs" / "run-examples.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Page:
    """A page on its way to the site."""

    def __init__(self, builder, path, target):
        self.builder, self.path, self.target = builder, path, target
        self.lines = path.read_text(encoding="utf-8").splitlines()

    def fail(self, line, what):
        raise SystemExit(f"{self.path}:{line}: {what}")

    def run_commands(self):
        """Replaces what blocks of commands show by what they print."""
        examples = self.builder.examples
        with tempfile.TemporaryDirectory() as folder:
            for block in list(examples.blocks(self.path)):
                line = int(block.place.rsplit(":", 1)[1])
                if "file" in block.comments:
                    pathlib.Path(folder, block.comments["file"]).write_text(block.text, encoding="utf-8")
                if block.info == "console" and "run" in block.comments:
                    self.run_block(block, line, folder)

    def run_block(self, block, line, folder):
        printed = iter(())
        for offset, shown in enumerate(block.text.splitlines()):
            if shown.startswith("$ "):
                words = shlex.split(shown[2:])
                result = self.builder.examples.output_of([str(self.builder.quadrille), *words[1:]], folder)
                if result.returncode != int(block.comments["run"]):
                    self.fail(line + 1 + offset, f"exit status {result.returncode}\n{result.stdout}")
                printed = iter(result.stdout.splitlines())
                self.builder.commands += 1
            elif shown not in ("...", ""):
                columns = self.builder.examples.columns
                pattern = re.escape(columns(shown)).replace(re.escape("..."), ".*")  # also within a line, for what is not shown
                same = next((other for other in printed if re.fullmatch(pattern, columns(other))), None)
                if same is None:
                    self.fail(line + 1 + offset, f"this is not printed: {shown}")
                self.lines[line + offset] = same

    def draw_pictures(self):
        inside = False
        for number, line in enumerate(self.lines):
            inside ^= line.startswith("```")
            if inside or not (found := re.fullmatch(r"<!-- (draw|picture): (.*) -->", line)):
                continue
            words = shlex.split(found[2])
            arguments = ["draw", *words] if found[1] == "draw" else words
            name = re.sub(r"\W+", "-", " ".join(words)).strip("-")
            up = "../" * (len(self.target.parts) - 1)
            self.builder.draw(arguments, f"pictures/{name}.svg", self.path, number + 1)
            self.lines[number] = f"\n![quadrille {shlex.join(arguments)}]({up}pictures/{name}.svg)\n"
            if found[1] == "draw":
                self.builder.draw(arguments, f"pictures/{name}.html", self.path, number + 1)
                self.lines[number] += f"\n[`quadrille {shlex.join(arguments)}`, round by round]({up}pictures/{name}.html)\n"

    def place_of(self, link):
        """Where a link leads on the site; None: to what is not on it."""
        path, _, anchor = link.partition("#")
        if re.match(r"\w+:", link) or not path:
            return link
        wanted = os.path.normpath(os.path.join(self.path.parent.relative_to(self.builder.source), path))
        target = ELSEWHERE.get(wanted)
        if target is None and wanted.startswith("docs/"):
            target = wanted[len("docs/"):]
            if (self.builder.source / wanted).is_dir():
                return None
        if target is None:
            return None
        return os.path.relpath(target, self.target.parent) + ("#" + anchor if anchor else "")

    def mend_links(self):
        inside = False

        def mended(match):
            place = self.place_of(match[2])
            return match[1] if place is None else f"[{match[1]}]({place})"

        # A link may begin on one line and end on the next.
        parts, text = [], []
        for line in self.lines:
            if line.startswith("```"):
                if not inside:
                    parts.append((False, text))
                    text = [re.sub(r"^```(\w+).*", r"```\1", line)]
                else:
                    parts.append((True, text + [line]))
                    text = []
                inside = not inside
            else:
                text.append(line)
        parts.append((inside, text))
        result = []
        for is_code, lines in parts:
            joined = "\n".join(lines)
            result.append(joined if is_code else re.sub(r"(?<!!)\[([^\]\[]*(?:\[[^\]]*\][^\]\[]*)*)\]\(([^)\s]+)\)", mended, joined))
        return "\n".join(result) + "\n"


class Builder:
    def __init__(self, options):
        self.source, self.quadrille, self.output = options.source.resolve(), options.quadrille.resolve(), options.output.resolve()
        self.mkdocs = options.mkdocs
        os.environ["PATH"] = os.pathsep.join([str(self.quadrille.parent), os.environ["PATH"]])  # what it runs may run it
        self.examples = load_examples(self.source)
        self.commands = self.drawn = 0
        self.folder = self.output.with_name(self.output.name + "-pages")

    def draw(self, arguments, name, page, line):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        result = subprocess.run([str(self.quadrille), *arguments, "-o", str(path)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                encoding="utf-8", check=False)
        if result.returncode:
            raise SystemExit(f"{page}:{line}: {result.stdout}")
        self.drawn += 1

    def pages(self):
        docs = self.source / "docs"
        for path in sorted(docs.rglob("*.md")):
            yield path, path.relative_to(docs)
        for name, target in ELSEWHERE.items():
            yield self.source / name, pathlib.Path(target)

    def build(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        for picture in (self.source / "docs").rglob("*.svg"):
            target = self.folder / picture.relative_to(self.source / "docs")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(picture, target)
        pages = list(self.pages())
        for path, target in pages:
            page = Page(self, path, target)
            page.run_commands()
            page.draw_pictures()
            file = self.folder / target
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(page.mend_links(), encoding="utf-8")
        targets = {str(target) for _, target in pages}
        if missing := sorted(target for target in targets if "/" not in target and not any(target == page for _, entries in MENU for _, page in entries)):
            raise SystemExit(f"not in the menu of {pathlib.Path(__file__).name}: {', '.join(missing)}")
        self.write_configuration(targets)
        subprocess.run([self.mkdocs, "build", "--quiet", "--strict", "--clean", "-f", str(self.output.with_suffix(".yml")), "-d", str(self.output)], check=True)
        print(f"{len(pages)} pages, {self.commands} commands run, {self.drawn} pictures drawn: {self.output}/index.html")

    def write_configuration(self, targets):
        lines = ["site_name: Quadrille", f"docs_dir: {self.folder}", "use_directory_urls: false", f"hooks: [{self.source}/site/hooks.py]",
                 "theme: {name: readthedocs, highlightjs: false, navigation_depth: 3, collapse_navigation: true}",
                 "extra_css: [css/highlight.css]", "plugins: [search]",
                 "markdown_extensions: [tables, fenced_code, {toc: {permalink: true}}, {codehilite: {guess_lang: false}}, sane_lists]", "nav:"]
        for title, entries in MENU:
            lines.append(f"  - {title}:")
            lines += [f"    - {name}: {page}" for name, page in entries if page in targets]
        lines += ["  - Diagnostics:"] + [f"    - {pathlib.Path(page).stem}: {page}" for page in sorted(targets) if page.startswith("diagnostics/")]
        self.output.with_suffix(".yml").write_text("\n".join(lines) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description="Makes the documentation into a site.")
    for name in ("source", "quadrille", "output"):
        parser.add_argument(f"--{name}", required=True, type=pathlib.Path)
    parser.add_argument("--mkdocs", required=True)
    Builder(parser.parse_args()).build()


if __name__ == "__main__":
    sys.exit(main())
