"""What is pasted is text, whatever is in it, and however it comes in."""

from __future__ import annotations

import pytest
from textual.events import Key, Paste

from papertrack.tui.pasting import PasteParser, keep_pastes_whole

COPIED = "A \x1b[31mred\x1b[0m title\x1bD"
SENT = f"j\x1b[200~{COPIED}\x1b[201~k"


def told(*pieces: str) -> list[str]:
    """What the parser makes of what comes from the terminal: keys, and texts that were pasted."""
    parser = PasteParser()
    events = [event for piece in pieces for event in parser.feed(piece)]
    return [
        event.key if isinstance(event, Key) else event.text
        for event in events
        if isinstance(event, Key | Paste)
    ]


def test_an_escape_character_ends_no_paste() -> None:
    assert told(SENT) == ["j", "A [31mred[0m titleD", "k"]


def test_a_paste_that_comes_in_pieces_is_one_text() -> None:
    for at in range(len("j\x1b[200~"), len(SENT)):
        assert told(SENT[:at], SENT[at:]) == ["j", "A [31mred[0m titleD", "k"], at


def test_keys_and_several_pastes_come_as_they_were_sent() -> None:
    pastes = "".join(f"\x1b[200~{text}\x1b[201~" for text in ("one", "", "two"))
    assert told(f"{pastes}\x1b[A") == ["one", "", "two", "up"]


def test_the_terminal_is_read_so() -> None:
    linux_driver = pytest.importorskip("textual.drivers.linux_driver")
    keep_pastes_whole()
    assert linux_driver.XTermParser is PasteParser
