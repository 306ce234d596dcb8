"""Treat pasted text as text, whatever it contains.

A terminal puts marks around a paste. Textual takes any other escape sequence for the end of the
paste, and the rest for keys. So an escape character in copied text could save, discard or remove
papers, unless the terminal removes it (tmux does not).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from textual._xterm_parser import XTermParser
from textual.message import Message

_BEGIN, _END = "\x1b[200~", "\x1b[201~"
_OTHER_ESCAPE = re.compile(rf"\x1b(?!{re.escape(_END[1:])})")


class PasteParser(XTermParser):
    """Reads a terminal as Textual does, but removes escape characters from pastes."""

    def __init__(self, debug: bool = False) -> None:
        super().__init__(debug)
        self._paste = Paste()

    def feed(self, data: str) -> Iterable[Message]:
        return super().feed(self._paste.without_escapes(data))


class Paste:
    """Finds where a paste begins and ends in terminal input that arrives in pieces."""

    def __init__(self) -> None:
        self._is_open = False
        self._rest = ""
        """The possible beginning of a mark that continues in the next piece."""

    def without_escapes(self, data: str) -> str:
        """Return the next piece without escape characters in pasted text."""
        if not self._is_open and _BEGIN not in data:
            return data  # This is the usual case.
        data, self._rest = self._rest + data, ""
        parts = []
        while data:
            before, mark, data = data.partition(_END if self._is_open else _BEGIN)
            if self._is_open and not mark:
                before, self._rest = _split_mark(before)
            parts += [_OTHER_ESCAPE.sub("", before) if self._is_open else before, mark]
            self._is_open ^= bool(mark)
        return "".join(parts)


def _split_mark(text: str) -> tuple[str, str]:
    """Split off what may be the beginning of the mark that ends a paste."""
    size = next((n for n in range(len(_END) - 1, 0, -1) if text.endswith(_END[:n])), 0)
    return text[: len(text) - size], text[len(text) - size :]


def keep_pastes_whole() -> None:
    """Make Textual use this parser. It offers no other way to do so."""
    try:
        from textual.drivers import linux_driver
    except ImportError:  # Windows has another driver, and its terminal takes such characters out.
        return
    vars(linux_driver)["XTermParser"] = PasteParser
