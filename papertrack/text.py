"""Make text of unknown origin safe and comparable: clean, fold, measure, cut. Pure.

Nothing here renders or escapes for an output format; each exporter does that itself.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import MAXYEAR, MINYEAR, UTC, datetime
from functools import lru_cache
from typing import Any, Literal, TypeVar

_Key = TypeVar("_Key")
_Member = TypeVar("_Member")

_LINE_ENDS = dict.fromkeys((0x0B, 0x0C, 0x0D, 0x1C, 0x1D, 0x1E, 0x85, 0x2028, 0x2029), "\n")
_INVISIBLE: dict[int, str] = {
    **dict.fromkeys((*range(0x20), *range(0x7F, 0xA0)), ""),  # C0, DEL, C1: terminal commands
    **dict.fromkeys((0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F)), ""),  # direction
    **dict.fromkeys(range(0x2060, 0x2070), ""),  # word joiner, isolates, invisible operators
    **dict.fromkeys(
        (0x00AD, 0x180E, 0x200B, 0xFEFF, 0xFFFE, 0xFFFF), ""
    ),  # soft hyphen, zero width
    **dict.fromkeys((*range(0xFFF9, 0xFFFC), *range(0xE0000, 0xE0080)), ""),  # annotations, tags
    **_LINE_ENDS,
    0x09: " ",
    0x0A: "\n",
}
_STEERING = (
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]"
)
_JOINERS = frozenset("\u200c\u200d")
_SPECIAL_LETTERS = str.maketrans(
    {
        **{"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"},
        **dict.fromkeys("-‐‑‒–—―−", " "),
        **dict.fromkeys("’‘ʼ", "'"),
        **dict.fromkeys("“”", '"'),
    }
)
_NAME_SUFFIXES = frozenset({"jr", "jr.", "sr", "sr.", "ii", "iii", "iv"})
# Patterns are strings, which re compiles at their first use, to keep the start-up fast.
_ACCENTS = "[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]"
_MARKS = r"((?:[^\w\s\0-\x7f]|[\uff9e\uff9f]){100})((?:[^\w\s\0-\x7f]|[\uff9e\uff9f])+)"
"""A hundred characters that may be marks on a letter, or become marks in NFKD, and those after."""
_PRINTABLE = bytes(range(0x20, 0x7F))
_TO_LOWER_CASE = bytes.maketrans(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ", b"abcdefghijklmnopqrstuvwxyz")
_NOT_ALPHANUMERIC = bytes(code for code in range(0x80) if not chr(code).isalnum())
_FIRST_CJK = "\u1100"
_CJK = (
    "([\u1100-\u11ff\u3005-\u3007\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff])"
)


_TOML_STRING = (
    r'"""(?:\\.?|[^\\])*?(?:"""|\Z)|"(?:\\.|[^"\\\n])*"?'
    r"|'''.*?(?:'''|\Z)|'[^'\n]*'?|#[^\n]*"
)
_LONG_KEY = r"(?<![\w-])(?:[\w-]++[ \t]*+\.[ \t]*+){20}"
_MOST_VALUES = 8


def parse_toml(text: str) -> dict[str, Any]:
    """Parse TOML. Raises ValueError or RecursionError.

    A key of more than 20 parts is refused: tomllib needs hours for one of 100,000 parts.
    """
    import tomllib

    if re.search(_LONG_KEY, re.sub(_TOML_STRING, "s", text, flags=re.S)):
        raise ValueError("A key has more than 20 parts")
    return tomllib.loads(text)


def split_doubled(text: str) -> list[str]:
    """Split a TOML text in which keys or tables occur several times into texts without.

    The first text has the first value of each key, the second text the second one, and so on, or
    the last one. Raises ValueError for a key with more than ``_MOST_VALUES``, and for arrays of
    tables.
    """
    # Strings and comments keep their lengths, so that places in both texts are the same.
    outline = re.sub(
        _TOML_STRING, lambda m: (" " if m[0][0] == "#" else "s") * len(m[0]), text, flags=re.S
    )
    table = dict[str, list[list[str]]]()
    tables, values, depth, place = {"": table}, list[list[str]](), 0, 0
    for line in outline.split("\n"):
        raw = text[place : place + len(line)]
        place += len(line) + 1
        if depth == 0 and line.lstrip().startswith("["):
            if line.lstrip().startswith("[["):
                raise ValueError("It has an array of tables")
            table = tables.setdefault(raw[: len(line.rstrip())].strip(), {})
            continue
        if depth == 0 and line.strip():
            values = table.setdefault(raw[: line.index("=")].strip(), [])
            values.append([])
        if values:
            values[-1].append(f"{raw}\n")
        depth += sum(map(line.count, "[{")) - sum(map(line.count, "]}"))
    count = max((len(values) for table in tables.values() for values in table.values()), default=1)
    if count > _MOST_VALUES:
        raise ValueError(f"A key has more than {_MOST_VALUES} values")
    return [_nth_values(tables, number) for number in range(count)]


def _nth_values(tables: dict[str, dict[str, list[list[str]]]], number: int) -> str:
    lines = list[str]()
    for name, table in tables.items():
        lines.append(f"{name}\n")
        for values in table.values():
            lines += values[: number + 1][-1]
    return "".join(lines)


def without_edges(text: str) -> str:
    """Return a text from its first letter or digit to its last; empty without any."""
    return re.sub(r"^[\W_]+|(?<![\W_])[\W_]+$", "", text)


def clean(text: str) -> str:
    """Return one safe line: no control, direction or zero-width characters, single blanks, NFC.

    Joiners stay if they are part of a word or an emoji. Clean text is returned unchanged.
    """
    is_ascii = text.isascii()
    is_printable = _is_printable(text) if is_ascii else text.isprintable()
    if not is_printable:
        text = _without_invisible(text)
    if not is_ascii:
        text = normalize("NFC", text)
    if is_printable and "  " not in text:
        return text.strip(" ")  # The usual case; the plain blank is the only printable one.
    return " ".join(text.split())


def normalize(form: Literal["NFC", "NFKC", "NFKD"], text: str) -> str:
    """Return a normal form of Unicode, without the marks on a letter after the first hundred, whose
    sorting would take quadratic time."""
    return unicodedata.normalize(form, re.sub(_MARKS, _without_marks, text))


def _without_marks(run: re.Match[str]) -> str:
    return run[1] + "".join(filter(_is_starter, run[2]))


def _is_starter(char: str) -> bool:
    return not unicodedata.combining(unicodedata.normalize("NFKD", char)[0])


def is_plain_path(path: str) -> bool:
    """Return whether a path can stand in a line of text: it is UTF-8 without control characters."""
    return not re.search(rf"{_STEERING}|[\t\n\ud800-\udfff]", path)


def unescape(text: str) -> str:
    """Return a text with its HTML entities as characters; endless numbers are no characters."""
    import html  # The table of entities is big, and few titles need it.

    text = re.sub("(&#)0+(?=[0-9])|(&#[xX])0+(?=[0-9a-fA-F])", r"\1\2", text)
    return html.unescape(re.sub("&#(?:[0-9]{8,}+|[xX][0-9a-fA-F]{8,}+);?", "\ufffd", text))


def is_plain(text: str) -> bool:
    """Return whether the text has only printable ASCII characters."""
    return text.isascii() and _is_printable(text)


def _is_printable(ascii_text: str) -> bool:
    """Return the same as ``isprintable``, in a third of the time for an abstract."""
    return not ascii_text.encode().translate(None, _PRINTABLE)


def visible(text: str, allowed: str = "(?!)") -> str:
    """Replace characters that steer a terminal, or turn the order of letters round.

    What the pattern ``allowed`` matches stays.
    """
    return re.sub(f"(?!{allowed}){_STEERING}", "\ufffd", text.replace("\r\n", "\n"))


def clean_block(text: str) -> str:
    """Clean a text like ``clean``, but keep lines and paragraphs, one empty line apart."""
    text = _without_invisible(text.replace("\r\n", "\n"))
    lines = [" ".join(line.split()) for line in normalize("NFC", text).split("\n")]
    lines_kept = [line for index, line in enumerate(lines) if line or (index and lines[index - 1])]
    return "\n".join(lines_kept).strip("\n")


def clean_lines(text: str) -> str:
    """Clean a text like ``clean_block``, but keep blanks and empty lines, as Markdown needs."""
    text = text.replace("\r\n", "\n").expandtabs(4)
    return normalize("NFC", _without_invisible(text))


def _without_invisible(text: str) -> str:
    text = text.encode("utf-8", "ignore").decode("utf-8").translate(_INVISIBLE)
    if _JOINERS.isdisjoint(text):
        return text
    return "".join(
        char
        for at, char in enumerate(text)
        if char not in _JOINERS or _is_visible_joiner(text[at - 1 : at], text[at + 1 : at + 2])
    )


def _is_visible_joiner(before: str, after: str) -> bool:
    """Return whether a joiner between these two is visible: in emoji, and in some scripts."""
    if "" in (before, after):
        return False
    if "\u0600" <= before <= "\u109f" and "\u0600" <= after <= "\u109f":  # Arabic to Burmese
        return True
    is_picture = before == "\ufe0f" or unicodedata.category(before) in ("So", "Sk")
    return is_picture and unicodedata.category(after) == "So"


def fold(text: str) -> str:
    """Return the text in the form for search, without case, accents, width and kinds of hyphen.

    Hyphens become blanks, and blanks single: ``fold("Pré‑Training") == "pre training"``.
    """
    text = text.casefold()
    if text.isascii():
        return " ".join(text.replace("-", " ").split())  # ASCII has no other special letters.
    text = re.sub(_ACCENTS, "", normalize("NFKD", text)).casefold()
    # Composed again, so that Hangul syllables and kana are the characters that people type.
    text = normalize("NFC", text)
    return " ".join(text.translate(_SPECIAL_LETTERS).split())


def to_ascii(text: str) -> str:
    """Return the folded text without characters that have no ASCII form."""
    return fold(text).encode("ascii", "ignore").decode("ascii")


_INLINE_TAG = (
    r"(?i)</?(?:a|abbr|b|big|br|center|cite|code|del|div|em|font|h[1-6]|i|img|ins|kbd|li|mark|p|q|s|"
    r"small|span|strike|strong|sub|summary|sup|td|th|tt|u|var)(?:[\s/][^<>]*)?>"
)
_LINK = r"!?\[([^\[\]]*)\](?:\([^()]*(?:\([^()]*\)[^()]*)?\)|\[[^\[\]]*\])"
_AUTOLINK = r"<(https?://[^<>\s]*)>"
_ESCAPE_OR_TICKS = r"\\([!-/:-@\[-`{-~])|(?<!`)`+"
_EMPHASIS = r"\*+|_+|~~"
_PLACEHOLDER = "\0([0-9]+)\0"
_MARKUP_CHARS = r"[\\`<&*_~\[]"


def strip_markup(text: str) -> str:
    """Return one line of Markdown or HTML as displayed: no tags, emphasis, links or escapes.

    ``strip_markup("**A**<sup>3</sup> `b|c` [d](e)") == "A3 b|c d"``. Words in angle brackets that
    are not HTML (``<CLS>``, ``<think>``) stay, and so does math.
    """
    if not re.search(_MARKUP_CHARS, text):
        return text
    literals: list[str] = []
    text = _without_comments(text.replace("\0", ""))
    # Each step runs only if its sign occurs, because most texts have one kind of markup.
    if "\\" in text or "`" in text:
        text = _replace_literals(text, literals)
    if "<" in text:
        text = re.sub(_AUTOLINK, r"\1", text)
        text = re.sub(_INLINE_TAG, _replacement_of_tag, text)
    if "[" in text:
        text = re.sub(_LINK, r"\1", text)
    if "*" in text or "_" in text or "~" in text:
        text = _without_emphasis(text)
    if "&" in text:
        text = unescape(text)
    return re.sub(_PLACEHOLDER, lambda place: literals[int(place[1])], text) if literals else text


def _replacement_of_tag(tag: re.Match[str]) -> str:
    return " " if tag[0].lower().startswith("<br") else ""


def has_endless_tag(html: str) -> bool:
    """Return whether a tag has thousands of words, which libxml2 reads in quadratic time."""
    tag = r"""<[a-zA-Z](?:=\s*(?:"[^"]*"?|'[^']*'?)|[^>])*+"""
    tags = re.finditer(tag, _without_comments(html))
    return any(len(re.findall(r"[\s\"']+", tag[0])) > 2_000 for tag in tags)


def _without_comments(text: str) -> str:
    """Return the text without HTML comments, in linear time; an unclosed one is text."""
    pieces, position = [], 0
    while (start := text.find("<!--", position)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        pieces.append(text[position:start])
        position = end + 3
    return "".join(pieces) + text[position:]


def _replace_literals(text: str, literals: list[str]) -> str:
    """Replace code spans and escaped characters in the text by numbered placeholders."""
    marks = list(re.finditer(_ESCAPE_OR_TICKS, text))
    last_run = {len(mark[0]): index for index, mark in enumerate(marks) if mark[1] is None}
    pieces, end_of_last, index = [], 0, 0
    while index < len(marks):
        mark = marks[index]
        if mark[1] is not None:
            literal, end = mark[1], mark.end()
        elif last_run[len(mark[0])] > index:
            index = next(
                i
                for i in range(index + 1, len(marks))
                if marks[i][1] is None and len(marks[i][0]) == len(mark[0])
            )
            literal, end = text[mark.end() : marks[index].start()].strip(), marks[index].end()
        else:
            index += 1
            continue
        pieces.append(f"{text[end_of_last : mark.start()]}\0{len(literals)}\0")
        literals.append(literal)
        end_of_last, index = end, index + 1
    return "".join(pieces) + text[end_of_last:]


def _without_emphasis(text: str) -> str:
    """Return the text without the ``*``, ``_`` and ``~~`` that mark emphasis; those in words stay.

    A run opens before a word and closes after one, as in CommonMark 6.2, with the same run at both
    ends, and ``_`` never inside a word. So ``A* search``, ``snake_case`` and ``2 * 3`` are kept.
    """
    open_runs: dict[str, int] = {}
    removed: set[int] = set()
    runs = list(re.finditer(_EMPHASIS, text))
    for index, run in enumerate(runs):
        before, after = text[run.start() - 1 : run.start()], text[run.end() : run.end() + 1]
        opens, closes = after.strip() != "", before.strip() != ""
        if run[0][0] == "_":
            opens, closes = opens and not before.isalnum(), closes and not after.isalnum()
        if closes and run[0] in open_runs:
            removed |= {open_runs.pop(run[0]), index}
        elif opens:
            open_runs[run[0]] = index
    pieces, end_of_last = [], 0
    for index in sorted(removed):
        pieces.append(text[end_of_last : runs[index].start()])
        end_of_last = runs[index].end()
    return "".join(pieces) + text[end_of_last:]


_TEX_STYLE = r"\\(?:emph|text[a-z]{0,6}|math[a-z]{0,6}|operatorname|mbox|it|bf|rm|sc|tt)\b"


@lru_cache(maxsize=1 << 14)  # An import asks for the same titles when it links and when it writes.
def title_key(title: str) -> str:
    """Return only the letters and digits of a title, to find the same title in another spelling.

    ``title_key("{BERT}: Pre-training …") == title_key("<b>BERT</b> – Pretraining …")``. Greek
    letters are spelled out, as in TeX. May be empty.
    """
    text = strip_markup(re.sub(_TEX_STYLE, "", title) if "\\" in title else title)
    if not text.isascii():
        text = fold(text)
        text = "".join(_greek_name(c) if "\u03b1" <= c <= "\u03c9" else c for c in text)
    if text.isascii():  # Like folding, keep only lower-case letters and digits.
        return text.encode().translate(_TO_LOWER_CASE, _NOT_ALPHANUMERIC).decode()
    return "".join(filter(str.isalnum, text))


def is_same_title(left: str, right: str) -> bool:
    """Return whether two titles differ at most in case, accents, markup and punctuation."""
    return title_key(left) == title_key(right)


def _greek_name(letter: str) -> str:
    return unicodedata.name(letter).rpartition(" ")[2].lower()


def spaced_cjk(text: str) -> str:
    """Return the text with blanks around each Chinese, Japanese or Korean character, for indexing.

    SQLite's tokenizer takes a sequence of them for one word, and would find no part of it.
    """
    if text.isascii() or max(text) < _FIRST_CJK:
        return text
    return " ".join(re.sub(_CJK, r" \1 ", text).split())


def display_width(text: str) -> int:
    """Return the number of terminal cells that the cleaned text takes."""
    if text.isascii():
        return len(text)
    return sum(width for _, width in _clusters(text))


def truncate(text: str, width: int) -> str:
    """Cut the cleaned text to at most ``width`` cells, with an ellipsis if it is too long."""
    if len(text) <= width and text.isascii():
        return text
    if width <= 0:
        return ""
    if text.isascii():
        return text[: width - 1] + "…"
    clusters: list[str] = []
    used = 0
    fitting_count = 0  # how many clusters still leave room for the ellipsis
    for cluster, cells in _clusters(text):
        used += cells
        if used > width:
            return "".join(clusters[:fitting_count]) + "…"
        clusters.append(cluster)
        if used < width:
            fitting_count = len(clusters)
    return text


def pad(text: str, width: int) -> str:
    """Pad the cleaned text with blanks up to ``width`` cells; wider text stays as it is."""
    return text + " " * (width - display_width(text))


def _clusters(text: str) -> Iterator[tuple[str, int]]:
    """Yield each character with its marks, joiners and joined characters, and its cells."""
    cluster, cells = "", 0
    for char in text:
        is_joined = cluster.endswith("\u200d")
        char_cells = 0 if is_joined else _cells(char)
        if cluster and (is_joined or char_cells == 0):
            cluster += char
            # The emoji presentation selector turns a narrow symbol into a wide picture.
            cells = 2 if char == "\ufe0f" and cells else cells
        else:
            if cluster:
                yield cluster, cells
            cluster, cells = char, char_cells
    if cluster:
        yield cluster, cells


def _cells(char: str) -> int:
    """Return the cells of a character (Unicode Standard Annex 11): 2 for wide ones, 0 for marks."""
    if char.isascii():
        return 1
    if unicodedata.category(char) in ("Mn", "Me", "Cf") or "\U0001f3fb" <= char <= "\U0001f3ff":
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def shorten(text: str, limit: int = 200) -> str:
    """Clean the text and cut it to at most ``limit`` characters, for messages and reports."""
    line = clean(text.lstrip()[: limit * 4])
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def moment_of(text: str) -> datetime:
    """Return a stored time; a day, which files of others may have instead, starts in UTC."""
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def valid_moment(text: str) -> str | None:
    """Return a time of unknown origin in ISO 8601; None if there is no such time everywhere."""
    with suppress(ValueError):
        moment = moment_of(text)
        # In another time zone, it may be a day earlier or later.
        return moment.isoformat() if MINYEAR < moment.year < MAXYEAR else None
    return None


def moment_shown(at: str) -> str:
    """Format a stored time (ISO 8601) in the local time zone: ``2026-03-01 09:30``."""
    return f"{datetime.fromisoformat(at).astimezone():%Y-%m-%d %H:%M}"


def group(pairs: Iterable[tuple[_Key, _Member]]) -> dict[_Key, list[_Member]]:
    """Group the second parts of pairs by the first."""
    groups: dict[_Key, list[_Member]] = {}
    for key, member in pairs:
        groups.setdefault(key, []).append(member)
    return groups


def plural(count: int, noun: str, plural_noun: str | None = None) -> str:
    """Return ``1 paper``, ``2 papers``."""
    return f"{count} {noun if count == 1 else plural_noun or noun + 's'}"


def numbered(names: Iterable[str]) -> list[str]:
    """Return the names, with a number from the second occurrence on: ``a, b, a#2``."""
    counts: Counter[str] = Counter()
    names_with_numbers = []
    for name in names:
        counts[name] += 1
        names_with_numbers.append(name if counts[name] == 1 else f"{name}#{counts[name]}")
    return names_with_numbers


def line_counter(text: str) -> Callable[[int], int]:
    """Return a function that finds the line of a position, from 1, for rising positions."""
    line, counted = 1, 0

    def line_of(position: int) -> int:
        nonlocal line, counted
        line += text.count("\n", counted, position)
        counted = position
        return line

    return line_of


def few(names: Sequence[str], shown: int = 3) -> str:
    """Return the first items of a list and the number of others: ``a, b, c and 7 more``."""
    more = f" and {len(names) - shown} more" if len(names) > shown else ""
    return ", ".join(names[:shown]) + more


def split_name(name: str) -> tuple[str, str, str]:
    """Return family name with its particles, first names and suffix of a person's printed name.

    ``"Ludwig van Beethoven"`` → ``("van Beethoven", "Ludwig", "")``: particles are lower-case words
    before the last one, as in BibTeX (Patashnik, *BibTeXing*, 1988, section 4). One comma means
    ``"Family, First"``; a suffix is ``Jr``, ``Sr`` or ``II`` to ``IV`` at the end.
    """
    words = clean(name).split(" ")
    suffix = words.pop() if len(words) > 2 and words[-1].casefold() in _NAME_SUFFIXES else ""
    without_suffix = " ".join(words).removesuffix("," if suffix else "")
    family, _, first = map(str.strip, without_suffix.partition(","))
    if family and first:
        return family, first, suffix
    words = (family or first).split()
    are_small = [word.isalpha() and word.islower() for word in words[:-1]]
    family_start = are_small.index(True, 1) if True in are_small[1:] else len(are_small)
    return " ".join(words[family_start:]), " ".join(words[:family_start]), suffix
