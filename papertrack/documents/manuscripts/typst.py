"""Find the citation keys and included files of a Typst text."""

from __future__ import annotations

import re
from collections.abc import Collection

from papertrack.documents.manuscripts import model
from papertrack.text import line_counter

_LABEL = r"[\w\-.:]*[\w\-]"
_REFERENCE = re.compile(rf"@({_LABEL})")
_CITING = ("cite", "ref")
_LET = re.compile(r"\blet\s++(?P<name>[\w-]++)\s*+(?P<takes>\([^()]{0,500}\))?\s*+=(?P<body>[^=])")
_TAKEN_IN = re.compile(r"(?P<command>\b(?:include|import))\s+\"(?P<name>[^\"\n@][^\"\n]*)\"")
_STATEMENT = re.compile(
    r"(?:let|set|show|if|while|for|import|include|return|context)\b(?![\w-])|(?P<name>[\w-]+)"
)
# Tokens that change how the text is read, besides those that end the current context.
_NEXT = re.compile(
    r"https?://[^\s\[\]]*|//[^\n]*|/\*|(?P<ticks>`+)|\\.|[\"$#\[\](){}\n;]", re.DOTALL
)
_NESTED_COMMENT = re.compile(r"/\*|\*/")
_FURTHER_KEY = re.compile(r">\s*,\s*<([^<>\s]+)(?=>)")
_DEEPEST = 200
"""How many open contexts a bracket may close."""
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_MATH = re.compile(r"\$(?:[^$\\]|\\.)*\$", re.DOTALL)


def define(text: str) -> model.Defined:
    """Return the functions that take a key: ``#let mine(key) = cite(key, form: "prose")``."""
    functions = set()
    matches = list(_LET.finditer(text))
    ends = [*(definition.start() for definition in matches), len(text)][1:]
    for definition, end in zip(matches, ends, strict=False):
        body = text[definition.start("body") : min(end, definition.end() + 500)].strip()
        names = re.findall(r"[\w-]+", (definition["takes"] or "").partition(":")[0])
        if definition["takes"] is None:
            is_citing = re.match(r"(?:cite|ref)\s*(?:\.with\b|$|\n)", body) is not None
        else:
            cited = re.findall(r"\b(?:cite|ref)\(\s*(?:label\(\s*)?([\w-]+)", body)
            is_citing = bool(set(cited) & set(names))
        if is_citing:
            functions.add(definition["name"])
    return model.Defined(functions=frozenset(functions))


def scan(text: str, defined: model.Defined) -> model.Scan:
    """Return the citations and inclusions of a text.

    ``defined`` holds the definitions of this and other files.
    """
    functions = [*_CITING, *sorted(defined.functions)]
    live = _Reading(text, {"label", *defined.functions}).live()
    keys = {match.start(1): match.end(1) for match in _REFERENCE.finditer(live)}
    # The key is a label, or a string made a label; other arguments may precede it. The attribution
    # of a quote is a citation, too.
    calls = re.compile(
        rf"(?<![\w-])(?:attribution:\s*|(?:{'|'.join(map(re.escape, functions))})"
        r"\((?:[^()<>\"]|\([^()]{0,200}\)){0,300}?)"
        r"(?:<([^<>\s]+)>|(?:label\(\s*)?\"([^\"\n]+)\")"
    )
    for match in calls.finditer(live):
        keys[match.start(match.lastindex or 0)] = end = match.end(match.lastindex or 0)
        while more := _FURTHER_KEY.match(live, end):
            keys[more.start(1)] = end = more.end(1)
    line_of = line_counter(text)
    citations = [
        model.Citation(text[at:end], line_of(at), at, end) for at, end in sorted(keys.items())
    ]
    inclusions = model.inclusions_in(
        text, _TAKEN_IN, lambda match: live.startswith(match["command"], match.start())
    )
    return model.Scan(tuple(citations), tuple(inclusions))


class _Reading:
    """Reads one text from start to end, switching between markup and code."""

    def __init__(self, text: str, keeps_text_of: Collection[str]) -> None:
        self._text = text
        self._dead: list[tuple[int, int]] = []
        names = "|".join(map(re.escape, sorted(keeps_text_of)))
        self._keeps = re.compile(rf"(?<![\w-])(?:{names})\(\s*$")
        # The ends of the open contexts, outermost first: "" markup to the end of the text, "]"
        # markup in brackets, ")" and "}" code in them, "line" a statement in markup, "word" an
        # expression.
        self._open = [""]

    def live(self) -> str:
        """Return the text with blanks for all that is neither markup nor code."""
        at = 0
        while token := _NEXT.search(self._text, at):
            # An expression in markup continues only with its arguments.
            if self._open[-1] == "word" and self._text[token.start()] not in "([":
                self._open.pop()
            at = self._read(token)
        return model.without_spans(self._text, self._dead)

    @property
    def _is_markup(self) -> bool:
        return self._open[-1] in ("", "]")

    def _read(self, match: re.Match[str]) -> int:
        """Read one token, and return where to read on."""
        token, start = match.group(), match.start()
        if match["ticks"]:
            return self._skip(start, self._end_of_raw(match))
        if token == "/*":
            return self._skip(start, self._end_of_comment(match.end()))
        if len(token) > 1:
            return self._skip(start, match.end())
        if token == "$":
            math = _MATH.match(self._text, start)
            return self._skip(start, math.end()) if math else match.end()
        if token == '"':
            return self._read_quote(start)
        if token == "#":
            return self._enter_code(match.end())
        self._bracket(token)
        return self._end_of_words(match.end()) if token in ")]" else match.end()

    def _read_quote(self, start: int) -> int:
        string = None if self._is_markup else _STRING.match(self._text, start)
        if string is None:
            return start + 1
        if self._keeps.search(self._text, max(0, start - 80), start):
            return string.end()
        return self._skip(start, string.end())

    def _enter_code(self, at: int) -> int:
        if not self._is_markup:
            return at
        if self._text[at : at + 1] in ("(", "{"):
            self._open.append(")" if self._text[at] == "(" else "}")
            return at + 1
        statement = _STATEMENT.match(self._text, at)
        if statement is None or not statement.group():
            return at
        self._open.append("word" if statement["name"] else "line")
        return self._end_of_words(statement.end()) if statement["name"] else statement.end()

    def _end_of_words(self, at: int) -> int:
        """Return where an expression ends, or where its field access ends: ``#a.b(…)``."""
        if self._open[-1] != "word":
            return at
        field = re.compile(r"\.[A-Za-z_][\w-]*(?=[(\[.])").match(self._text, at)
        if field:
            return field.end()
        if self._text[at : at + 1] not in ("(", "["):
            self._open.pop()
        return at

    def _bracket(self, token: str) -> None:
        if token in "\n;":
            if self._open[-1] == "line":
                self._open.pop()
        elif token == "[":
            self._open.append("]")
        elif token in "({":
            if not self._is_markup:
                self._open.append(")" if token == "(" else "}")
        elif token in self._open[-_DEEPEST:] and (token == "]" or not self._is_markup):
            # A bracket closes all contexts inside it; in markup only its own kind does.
            while self._open.pop() != token:
                pass

    def _skip(self, start: int, end: int) -> int:
        self._dead.append((start, end))
        return end

    def _end_of_raw(self, ticks: re.Match[str]) -> int:
        count = len(ticks["ticks"])
        if count == 2:
            return ticks.end()
        at = self._text.find("`" * count, ticks.end())
        return len(self._text) if at < 0 else at + count

    def _end_of_comment(self, at: int) -> int:
        depth = 1
        for token in _NESTED_COMMENT.finditer(self._text, at):
            depth += 1 if token.group() == "/*" else -1
            if depth == 0:
                return token.end()
        return len(self._text)
