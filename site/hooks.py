"""What MkDocs runs: Pygments learns Quadrille, and the style sheet of what it highlights is written."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from pygments.formatters import HtmlFormatter
from pygments.lexers import LEXERS

import quadrille_lexer


# What the theme leaves out: room in tables, options in one piece, pictures within the page.
PAGES = """
.codehilite { background: #f6f8fa }
.rst-content img { max-width: 100% }
.rst-content table { margin: 0 0 1.2em }
.rst-content table td, .rst-content table th { padding: .35em .7em; text-align: left; vertical-align: top }
.rst-content table td:first-child code { white-space: nowrap }
"""


def on_config(config):
    lexer = quadrille_lexer.QuadrilleLexer
    LEXERS["QuadrilleLexer"] = ("quadrille_lexer", lexer.name, tuple(lexer.aliases), tuple(lexer.filenames), ())
    return config


def on_post_build(config):
    style = HtmlFormatter(style="default").get_style_defs(".codehilite")
    path = pathlib.Path(config["site_dir"], "css", "highlight.css")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(style + PAGES, encoding="utf-8")
