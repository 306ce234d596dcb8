"""What is pasted is text, whatever is in it.

A terminal puts marks around a paste. Textual takes any other sequence for the end of it, and what
follows as keys: an escape character in what was copied, where the terminal does not take it out
(tmux does not), would save, discard or remove papers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from textual._xterm_parser import XTermParser
from textual.message import Message

_BEGIN, _END = "\x1b[200~", "\x1b[201~"
_OTHER_ESCAPE = re.compile(rf"\x1b(?!{re.escape(_END[1:])})")


class PasteParser(XTermParser):
    """Reads a terminal as Textual does, but for escape characters in a paste, which go."""

    def __init__(self, debug: bool = False) -> None:
        super().__init__(debug)
        self._paste = Paste()

    def feed(self, data: str) -> Iterable[Message]:
        return super().feed(self._paste.without_escapes(data))


class Paste:
    """Where a paste begins and ends in what a terminal sends, piece by piece."""

    def __init__(self) -> None:
        self._is_open = False
        self._rest = ""
        """What may be the beginning of a mark that continues in the next piece."""

    def without_escapes(self, data: str) -> str:
        """The next piece with no escape character in what is pasted."""
        if not self._is_open and _BEGIN not in data:
            return data  # As nearly all.
        data, self._rest = self._rest + data, ""
        done = []
        while data:
            before, mark, data = data.partition(_END if self._is_open else _BEGIN)
            if self._is_open and not mark:
                before, self._rest = _split_mark(before)
            done += [_OTHER_ESCAPE.sub("", before) if self._is_open else before, mark]
            self._is_open ^= bool(mark)
        return "".join(done)


def _split_mark(text: str) -> tuple[str, str]:
    """A text, and what at its end may be the beginning of the mark that ends a paste."""
    size = next((n for n in range(len(_END) - 1, 0, -1) if text.endswith(_END[:n])), 0)
    return text[: len(text) - size], text[len(text) - size :]


def keep_pastes_whole() -> None:
    """Have Textual read the terminal so. It offers no other place to say it."""
    try:
        from textual.drivers import linux_driver
    except ImportError:  # Windows has another driver, and its terminal takes such characters out.
        return
    vars(linux_driver)["XTermParser"] = PasteParser
