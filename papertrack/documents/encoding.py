"""Decode files to text, and encode them again without changing a byte.

A file is refused if encoding its text would give other bytes. READMEs are UTF-8, or UTF-16 with a
byte order mark; .bib files come in many encodings.
"""

from __future__ import annotations

import codecs
import re
from collections import defaultdict, deque
from itertools import takewhile

from papertrack.errors import DocumentError

_BOMS = {
    "utf-8-sig": (codecs.BOM_UTF8, "utf-8"),
    "utf-16-le-sig": (codecs.BOM_UTF16_LE, "utf-16-le"),
    "utf-16-be-sig": (codecs.BOM_UTF16_BE, "utf-16-be"),
}
"""Maps our name of an encoding to its byte order mark and to the codec for the rest."""
_UTF32_BOMS = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
MOST_BYTES = 16 * 2**20
"""The largest README. Parsing takes a hundred times its size in memory, and 40 MB of equal lines
are only 0.3 MB in a git repository, so anybody could send them."""
_CONFLICT = re.compile(r"(<{7})(?<![^\r\n]<{7})(?=[ \t\r\n]|$)")
_LINE_END = re.compile(r"\r\n?|\n")
_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+")

# JabRef writes "% Encoding: ISO-8859-1" on top, Emacs "-*- coding: latin-1 -*-".
_DECLARED = re.compile(rb"(?:encoding|coding)\s*[:=]\s*([A-Za-z0-9_-]{1,30})", re.IGNORECASE)
_DECLARABLE = frozenset(
    {
        *("utf-8", "iso8859-1", "iso8859-2", "iso8859-15", "cp1250", "cp1251", "cp1252", "koi8-r"),
        *("gbk", "gb2312", "gb18030", "big5", "shift_jis", "euc_jp", "euc_kr", "mac-roman"),
    }
)
_ASCII = bytes(range(128))
_WIDE = frozenset("gbk gb2312 gb18030 big5 shift_jis euc_jp euc_kr".split())
"""Two-byte encodings. Some of their characters are also valid UTF-8."""


def decode_document(data: bytes) -> tuple[str, str]:
    """Decode UTF-8, or UTF-16 with a byte order mark. Returns the text and the encoding.

    Line ends are kept. Raises DocumentError, without a file name, for any other encoding, binary
    data, more than ``MOST_BYTES``, or unresolved merge conflicts.
    """
    if len(data) > MOST_BYTES:
        raise DocumentError(f"This is larger than {MOST_BYTES // 2**20} MB. Split the list.")
    encoding = next((name for name, (mark, _) in _BOMS.items() if data.startswith(mark)), "utf-8")
    mark, codec = _BOMS.get(encoding, (b"", encoding))
    if data.startswith(_UTF32_BOMS):
        raise DocumentError("This is UTF-32 text. Convert it to UTF-8 first.")
    try:
        text = data[len(mark) :].decode(codec)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, len(mark) + error.start) + 1
        raise DocumentError(
            f"This is not UTF-8 text: line {line} has the byte 0x{error.object[error.start]:02x}. "
            "Convert it to UTF-8 first; other encodings cannot be kept byte for byte."
        ) from error
    if "\0" in text:
        raise DocumentError("This is a binary file, not a text.")
    if encode_document(text, encoding) != data:
        raise DocumentError("This text cannot be kept byte for byte. Convert it to UTF-8 first.")
    # A file in the middle of a merge has two contents; only its author can choose.
    if conflict := _CONFLICT.search(text):
        line = len(_LINE_END.findall(text, 0, conflict.start(1))) + 1
        raise DocumentError(
            f"Line {line} starts with the conflict marker <<<<<<<. Resolve the merge first."
        )
    return text, encoding


def encode_document(text: str, encoding: str) -> bytes:
    """Encode a text in the encoding that ``decode_document`` returned.

    Raises DocumentError for text that is not Unicode (lone surrogates).
    """
    try:
        return _encode(text, encoding)
    except UnicodeEncodeError as error:
        raise DocumentError("The text contains characters that cannot be encoded.") from error


def _encode(text: str, encoding: str) -> bytes:
    mark, codec = _BOMS.get(encoding, (b"", encoding))
    return mark + text.encode(codec)


def decode_bib(data: bytes) -> tuple[str, str]:
    """Decode a .bib file. Returns the text without byte order mark, and the encoding.

    These encodings are tried in order:

    - that of a byte order mark
    - UTF-16 without a mark, recognized by its zero bytes
    - UTF-8
    - the encoding that the first lines declare
    - GB18030, if nearly all characters are common Chinese ones
    - Windows-1251, if most characters are in Russian words
    - Windows-1252, and finally Latin-1

    If a file of another encoding also has lines in UTF-8, these are decoded as UTF-8, and the
    encoding is ``utf-8+cp1252``. ``encode_bib(*decode_bib(data), data)`` always returns ``data``.
    Raises DocumentError for data that is not text.
    """
    for name, (mark, codec) in _BOMS.items():
        if data.startswith(mark) and (text := _exact(data[len(mark) :], codec)) is not None:
            return _checked(text), name
    text, codec = _decoded(data, _candidates(data))
    if codec not in ("utf-8", "utf-16-le", "utf-16-be"):
        lines = data.splitlines(keepends=True)
        foreign = b"".join(line for line in lines if _exact(line, "utf-8") is None)
        others = data.translate(None, _ASCII)
        # In some encodings a few words happen to be valid UTF-8 too.
        rest = len(others) - len(foreign.translate(None, _ASCII))
        if rest > (len(others) // 10 if codec in _WIDE else 0):
            codec = _decoded(foreign, _candidates(data))[1]
            text, codec = "".join(_line(line, codec)[0] for line in lines), f"utf-8+{codec}"
    return _checked(text), codec


def decode_named(data: bytes, name: str, is_bib: bool) -> tuple[str, str]:
    """Decode a .bib file or README. Raises DocumentError, with its name, if that fails."""
    try:
        return decode_bib(data) if is_bib else decode_document(data)
    except DocumentError as error:
        raise DocumentError(f"{name}: {error}") from error


def encode_bib(text: str, encoding: str, was: bytes = b"") -> bytes:
    """Encode a text in the encoding that ``decode_bib`` returned.

    ``was`` are the old bytes. In a file with two encodings, each unchanged line keeps its bytes; a
    new line gets the encoding of the line that it replaces, or of the nearest line with non-ASCII
    characters. Raises DocumentError if the encoding lacks a character, or if the result would be
    decoded as another text.
    """
    try:
        first, _, other = encoding.partition("+")
        data = _encoded_by_line(text, other, was) if other else _encode(text, first)
        if (decoded := decode_bib(data))[0] != text:
            raise DocumentError(
                f"The .bib file is in {encoding}, but would be taken for {decoded[1]} after "
                "this change: convert the file to UTF-8 and export again."
            )
        return data
    except UnicodeEncodeError as error:
        raise DocumentError(
            f"The .bib file is in {encoding}, which cannot represent "
            f"{text[error.start]!r}: convert the file to UTF-8 and export again."
        ) from error


def _encoded_by_line(text: str, codec: str, was: bytes) -> bytes:
    """Encode each line as in ``was``; a new line gets the encoding of the one it replaces."""
    lines = [(line, *_line(line, codec)) for line in was.splitlines(keepends=True)]
    places: dict[str, deque[int]] = defaultdict(deque)
    for place, (_, line_text, _) in enumerate(lines):
        places[line_text].append(place)
    data: list[bytes] = []
    at = 0
    for line_text in _LINE.findall(text):
        if numbers := places.get(line_text):
            at = numbers.popleft() if len(numbers) > 1 else numbers[0]
            data.append(lines[at][0])
        else:
            # Look at the rest of the entry first, because entries are usually pasted as a whole.
            below = takewhile(lambda line: not line[0].startswith(b"@"), lines[at + 1 :])
            near = (*lines[at : at + 1], *below, *reversed(lines[:at]), *lines[at + 1 :])
            is_utf8 = next((is_utf8 for old, _, is_utf8 in near if not old.isascii()), True)
            new = b"" if is_utf8 else line_text.encode(codec, "replace")
            data.append(new if _line(new, codec)[0] == line_text else line_text.encode())
        at += 1
    return b"".join(data)


def _line(line: bytes, codec: str) -> tuple[str, bool]:
    """Decode a line as UTF-8, or else with this codec. Also returns whether it is UTF-8."""
    text = _exact(line, "utf-8")
    return (line.decode(codec), False) if text is None else (text, True)


def _decoded(data: bytes, candidates: list[str]) -> tuple[str, str]:
    """Decode data with the first codec that fits. Returns the text and the codec."""
    for codec in candidates:
        text = _exact(data, codec)
        if text is not None and (codec not in _MAY_BE or _MAY_BE[codec](text)):
            return text, codec
    return data.decode("latin-1"), "latin-1"


def _candidates(data: bytes) -> list[str]:
    """Return the codecs to try, in order."""
    even, odd = data[0:2000:2].count(0), data[1:2000:2].count(0)
    if odd > len(data[:2000]) // 4 and not even:
        return ["utf-16-le"]
    if even > len(data[:2000]) // 4 and not odd:
        return ["utf-16-be"]
    declared = _DECLARED.search(data[:400])
    try:
        name = codecs.lookup(declared.group(1).decode("ascii")).name if declared else ""
    except LookupError:
        name = ""
    return ["utf-8", *([name] if name in _DECLARABLE else []), "gb18030", "cp1251", "cp1252"]


def _exact(data: bytes, codec: str) -> str | None:
    """Decode data; None if it is invalid, or if the text does not encode to the same bytes."""
    try:
        text = data.decode(codec)
        # UTF-8 has one spelling for each text, so it needs no check.
        return text if codec == "utf-8" or text.encode(codec) == data else None
    except UnicodeError:
        return None


def _is_everyday_chinese(text: str) -> bool:
    """Return whether 90 % of the non-ASCII characters are in GB 2312, the common characters.

    If Latin-1 text happens to be valid GB18030, it decodes to rare characters instead.
    """
    foreign = [char for char in text if char > "\x7f"]
    everyday = sum(1 for char in foreign if char.encode("gb2312", "ignore"))
    return everyday >= 0.9 * len(foreign)


def _checked(text: str) -> str:
    """Return the text; raise DocumentError if it contains NUL characters."""
    if "\0" in text:
        raise DocumentError("This is not a .bib file: it contains NUL bytes, as binary files do.")
    return text


def _is_russian(text: str) -> bool:
    """Return whether half of the non-ASCII characters are in Cyrillic words of three letters or
    more.

    In Western languages, accented letters are seldom next to each other, so text in Windows-1252
    has no such words.
    """
    words = re.findall("[А-Яа-яЁё]{3,}", text)
    return 2 * sum(map(len, words)) >= sum(char > "\x7f" for char in text)


_MAY_BE = {"gb18030": _is_everyday_chinese, "cp1251": _is_russian}
"""Further checks for codecs that can decode almost any bytes."""
