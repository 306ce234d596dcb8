"""Repair text that was decoded with a wrong codec, without guessing.

Mis-decoded text (``‚Äî`` for a dash) is reported, and repaired only on request. The original bytes
are restored with the codec that explains most of the damage, and only complete UTF-8 sequences
among them are decoded. A sequence that lost bytes is recognized, because UTF-8 is
self-synchronizing; it stays as it is and is reported.
"""

from __future__ import annotations

import re
from functools import lru_cache

from papertrack.documents.markdown.model import Lines
from papertrack.documents.markdown.syntax import cut_lines
from papertrack.records import Skipped
from papertrack.text import shorten

_WRONG_CODECS = (
    *("sloppy-windows-1252", "sloppy-windows-1254", "macroman", "latin-1", "cp437"),
    *("sloppy-windows-1250", "sloppy-windows-1251"),
)
"""Codecs with which UTF-8 is often decoded by mistake. The sloppy ones of ftfy decode all bytes."""
_SEQUENCE = re.compile(
    b"[\xc2-\xdf][\x80-\xbf]"
    b"|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]"
    b"|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}"
)
"""A well-formed UTF-8 sequence of more than one byte (Unicode 15, table 3-7)."""
_FOREIGN = re.compile(r"[^\x00-\x7f](?:.{0,3}[^\x00-\x7f])*+", re.DOTALL)
"""Non-ASCII characters that are close together. Only they are passed to ftfy's check."""
_LOST = ("\ufffd", "\uf8ff")


def find_damage(text: str) -> tuple[Skipped, ...]:
    """Return the lines that look mis-decoded."""
    if text.isascii():
        return ()
    return _damaged(cut_lines(text), "The line looks mis-decoded; see --repair-encoding.")


def _damaged(lines: Lines, reason: str) -> tuple[Skipped, ...]:
    """Return the lines that look mis-decoded, with this reason."""
    numbered = enumerate(map(lines.line, range(len(lines.starts))), start=1)
    return tuple(Skipped(n, reason, shorten(line)) for n, line in numbered if _is_damaged(line))


def _is_damaged(line: str) -> bool:
    """Return whether a line looks like UTF-8 that was decoded with another codec."""
    if line.isascii():
        return False
    if any(sign in line for sign in _LOST):
        return True
    line = line[:20_000]
    spans = (match.span() for match in _FOREIGN.finditer(line))
    return any(_is_bad(line[max(start - 3, 0) : end + 3]) for start, end in spans)


@lru_cache(maxsize=512)  # Cached, because the lines of a list share a few signs: ✅, ⭐, 🔥.
def _is_bad(words: str) -> bool:
    from ftfy.badness import is_bad

    return bool(is_bad(words))


def repair_encoding(text: str) -> tuple[str, tuple[Skipped, ...]]:
    """Repair mis-decoded characters. Returns the text and the lines that cannot be repaired.

    An undamaged text is not changed. Repairing a text twice gives the same result as once.
    """
    lines = cut_lines(text)
    damaged = _damaged(lines, "The line looks mis-decoded, but by no known encoding.")
    suspects = {skipped.line - 1 for skipped in damaged}
    codec = _wrong_codec("\n".join(map(lines.line, suspects)))
    if codec is None:
        return text, damaged
    reason = "Bytes of the line were lost; the rest stays as it is."
    pieces: list[str] = []
    beyond_repair: list[Skipped] = []
    for number in range(len(lines.starts)):
        fixed, is_left = _decoded_again(lines.line(number), codec)
        pieces += [fixed, text[lines.ends[number] : lines.line_start(number + 1)]]
        if (is_left and number in suspects) or _is_damaged(fixed):
            beyond_repair.append(Skipped(number + 1, reason, shorten(fixed)))
    return "".join(pieces), tuple(beyond_repair)


def _wrong_codec(damaged: str) -> str | None:
    """Return the codec that explains most of the damage; None if none explains half of it.

    Damage that an earlier repair left fits no codec, so it stays as it is.
    """
    import ftfy.bad_codecs

    ftfy.bad_codecs.ok()  # Importing it registers the sloppy codecs; this call keeps the import.
    explained = {
        codec: len(b"".join(_SEQUENCE.findall(_bytes_of(damaged, codec))))
        for codec in _WRONG_CODECS
    }
    best = max(explained, key=explained.__getitem__)
    strange = sum(not char.isascii() for char in damaged)
    return best if explained[best] * 2 > strange else None


def _bytes_of(text: str, codec: str) -> bytes:
    """Encode each character as one byte; ``?`` if the codec lacks it."""
    return text.encode(codec, "replace")


def _decoded_again(line: str, codec: str) -> tuple[str, bool]:
    """Decode the complete UTF-8 sequences in a line.

    Also returns whether other non-ASCII bytes are left.
    """
    data = _bytes_of(line, codec)
    fixed, position = "", 0
    for match in _SEQUENCE.finditer(data):
        fixed += line[position : match.start()] + match.group().decode("utf-8")
        position = match.end()
    return fixed + line[position:], not _SEQUENCE.sub(b"", data).isascii()
