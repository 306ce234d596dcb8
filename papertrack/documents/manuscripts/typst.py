"""Typst: which keys a text cites, which files it takes in."""

from __future__ import annotations

import re
from collections.abc import Collection

from papertrack.documents.manuscripts.model import (
    Citation,
    Defined,
    Found,
    Inclusion,
    without_spans,
)
from papertrack.text import line_counter

_LABEL = r"[\w\-.:]*[\w\-]"
_REFERENCE = re.compile(rf"@({_LABEL})")
_CITING = ("cite", "ref")
_LET = re.compile(r"\blet\s+(?P<name>[\w-]+)\s*(?P<takes>\([^()]{0,500}\))?\s*=(?P<body>[^=])")
_TAKEN_IN = re.compile(r"(?P<command>\b(?:include|import))\s+\"(?P<name>[^\"\n@][^\"\n]*)\"")
_STATEMENT = re.compile(
    r"(?:let|set|show|if|while|for|import|include|return|context)\b(?![\w-])|(?P<name>[\w-]+)"
)
# What changes how a text is read, besides what ends what is being read.
_NEXT = re.compile(
    r"https?://[^\s\[\]]*|//[^\n]*|/\*|(?P<ticks>`+)|\\.|[\"$#\[\](){}\n;]", re.DOTALL
)
_NESTED_COMMENT = re.compile(r"/\*|\*/")
_FURTHER_KEY = re.compile(r">\s*,\s*<([^<>\s]+)(?=>)")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_MATH = re.compile(r"\$(?:[^$\\]|\\.)*\$", re.DOTALL)


def define(text: str) -> Defined:
    """The functions of the text that take a key: ``#let mine(key) = cite(key, form: "prose")``."""
    functions = set()
    matches = list(_LET.finditer(text))
    ends = [*(found.start() for found in matches), len(text)][1:]
    for found, end in zip(matches, ends, strict=False):
        body = text[found.start("body") : min(end, found.end() + 500)].strip()
        names = re.findall(r"[\w-]+", (found["takes"] or "").partition(":")[0])
        if found["takes"] is None:
            is_citing = re.match(r"(?:cite|ref)\s*(?:\.with\b|$|\n)", body) is not None
        else:
            given = re.findall(r"\b(?:cite|ref)\(\s*(?:label\(\s*)?([\w-]+)", body)
            is_citing = bool(set(given) & set(names))
        if is_citing:
            functions.add(found["name"])
    return Defined(functions=frozenset(functions))


def scan(text: str, defined: Defined) -> Found:
    """What the text cites and takes in; ``defined`` is what it and other files define."""
    functions = [*_CITING, *sorted(defined.functions)]
    live = _Reading(text, {"label", *defined.functions}).live()
    keys = {found.start(1): found.end(1) for found in _REFERENCE.finditer(live)}
    # The key is a label, or a text made one; other arguments may come before it.
    calls = re.compile(
        rf"(?<![\w-])(?:{'|'.join(map(re.escape, functions))})"
        r"\((?:[^()<>\"]|\([^()]{0,200}\)){0,300}?"
        r"(?:<([^<>\s]+)>|(?:label\(\s*)?\"([^\"\n]+)\")"
    )
    for found in calls.finditer(live):
        keys[found.start(found.lastindex or 0)] = end = found.end(found.lastindex or 0)
        while more := _FURTHER_KEY.match(live, end):
            keys[more.start(1)] = end = more.end(1)
    line_of = line_counter(text)
    citations = [Citation(text[at:end], line_of(at), at, end) for at, end in sorted(keys.items())]
    return Found(tuple(citations), tuple(_inclusions(text, live)))


def _inclusions(text: str, live: str) -> list[Inclusion]:
    line_of = line_counter(text)
    return [
        Inclusion(found["command"], found["name"], line_of(found.start()), (found["name"],))
        for found in _TAKEN_IN.finditer(text)
        if live.startswith(found["command"], found.start())
    ]


class _Reading:
    """One text from its start to its end, as markup or code, whichever it is where it stands."""

    def __init__(self, text: str, keeps_text_of: Collection[str]) -> None:
        self._text = text
        self._dead: list[tuple[int, int]] = []
        names = "|".join(map(re.escape, sorted(keeps_text_of)))
        self._keeps = re.compile(rf"(?<![\w-])(?:{names})\(\s*$")
        # What ends what is read, outermost first: "" markup to the end of the text, "]" markup in
        # brackets, ")" and "}" code in them, "line" a statement in markup, "word" an expression.
        self._open = [""]

    def live(self) -> str:
        """The text with blanks for what is neither markup nor code."""
        at = 0
        while found := _NEXT.search(self._text, at):
            # An expression in markup continues only with what is given to it.
            if self._open[-1] == "word" and self._text[found.start()] not in "([":
                self._open.pop()
            at = self._read(found)
        return without_spans(self._text, self._dead)

    @property
    def _is_markup(self) -> bool:
        return self._open[-1] in ("", "]")

    def _read(self, found: re.Match[str]) -> int:
        """Take in what was found; return where to read on."""
        token, start = found.group(), found.start()
        if found["ticks"]:
            return self._skip(start, self._end_of_raw(found))
        if token == "/*":
            return self._skip(start, self._end_of_comment(found.end()))
        if len(token) > 1:
            return self._skip(start, found.end())
        if token == "$":
            math = _MATH.match(self._text, start)
            return self._skip(start, math.end()) if math else found.end()
        if token == '"':
            return self._read_quote(start)
        if token == "#":
            return self._enter_code(found.end())
        self._bracket(token)
        return self._end_of_words(found.end()) if token in ")]" else found.end()

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
        found = _STATEMENT.match(self._text, at)
        if found is None or not found.group():
            return at
        self._open.append("word" if found["name"] else "line")
        return self._end_of_words(found.end()) if found["name"] else found.end()

    def _end_of_words(self, at: int) -> int:
        """Where an expression ends, or continues with a field: ``#a.b(…)``."""
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
        elif token in self._open[1:] and (token == "]" or not self._is_markup):
            # A bracket closes what is open within it; in markup only its own kind does.
            while self._open.pop() != token:
                pass

    def _skip(self, start: int, end: int) -> int:
        self._dead.append((start, end))
        return end

    def _end_of_raw(self, found: re.Match[str]) -> int:
        count = len(found["ticks"])
        if count == 2:
            return found.end()
        at = self._text.find("`" * count, found.end())
        return len(self._text) if at < 0 else at + count

    def _end_of_comment(self, at: int) -> int:
        depth = 1
        for found in _NESTED_COMMENT.finditer(self._text, at):
            depth += 1 if found.group() == "/*" else -1
            if depth == 0:
                return found.end()
        return len(self._text)
