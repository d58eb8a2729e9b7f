"""A lexer for Pygments: schedules in documentation and papers. test/editors compares it with the grammar, and with Vim."""

from pygments.lexer import RegexLexer, words
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, Text

__all__ = ["QuadrilleLexer"]

DECLARATIONS = ("import", "collective", "schedule", "fn", "lemma", "tree")
CLAUSES = ("requires", "model", "cost", "rounds", "ranks", "lockstep", "ensures", "knows")
STATEMENTS = ("let", "var", "send", "recv", "exchange", "step", "split", "use", "invariant", "clock", "if", "then", "else", "for", "in")
WORDS = ("to", "from", "with", "into", "among", "at", "of", "by", "times", "half", "halvings", "reversed", "downto")
PARTS = ("root", "parent", "left", "right")
VARIABLES = ("me", "p", "n", "nodes", "largest_node", "consecutive_nodes", "alpha", "beta", "gamma")
OPERATORS = ("and", "or", "not", "xor", "div", "mod")


class QuadrilleLexer(RegexLexer):
    name = "Quadrille"
    aliases = ["quad", "quadrille"]
    filenames = ["*.quad"]

    tokens = {
        "root": [
            (r"\s+", Text),
            (r"//[^\n]*", Comment.Single),
            (r"/\*", Comment.Multiline, "comment"),
            (words(DECLARATIONS, prefix=r"\b", suffix=r"\b"), Keyword.Declaration),
            (words(CLAUSES, prefix=r"\b", suffix=r"\b"), Keyword.Namespace),
            (words(STATEMENTS + WORDS, prefix=r"\b", suffix=r"\b"), Keyword),
            (words(OPERATORS, prefix=r"\b", suffix=r"\b"), Operator.Word),
            (r"\bblock\b", Keyword.Type),
            (r"\bnone\b", Keyword.Constant),
            (r"\bfold\b", Name.Builtin),
            (words(PARTS, prefix=r"\b", suffix=r"\b"), Name.Attribute),
            (words(VARIABLES, prefix=r"\b", suffix=r"\b"), Name.Builtin.Pseudo),
            (r"[0-9]+(?:Ki|Mi|Gi)?\b", Number.Integer),
            (r"[A-Za-z_]\w*", Name),
            (r"<>|⊗|\.\.[<+]?=?|:=|->|<<|>>|\*\*|[<>=]=|[-+*/%&|^<>=!@]", Operator),
            (r"[(){}\[\],.:;]", Punctuation),
        ],
        "comment": [
            (r"[^*/]+", Comment.Multiline),
            (r"\*/", Comment.Multiline, "#pop"),
            (r"[*/]", Comment.Multiline),
        ],
    }
