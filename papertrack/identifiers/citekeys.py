"""Make citekeys from author, year and title; ``store.citekeys`` keeps and freezes them."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, MutableMapping, Sequence
from functools import lru_cache
from itertools import filterfalse

from papertrack.errors import UsageError
from papertrack.records import DEFAULT_TEMPLATE, Author
from papertrack.text import clean, strip_markup, to_ascii

MAX_LENGTH = 80

# Patterns are texts, which re compiles and keeps at their first use: start-up does not pay.
# Printable ASCII without what BibTeX and biber read as syntax: , { } ( ) " # % ' = \ ~ @
_CITEKEY = r"(?!-)[!$&*+./0-9:;<>?A-Z\[\]^_`a-z|-]{1,200}"
_FIELD = r"\{(auth|year|venue|shorttitle)(?:\(([1-9])\))?\}"
_SUFFIXES = frozenset(("jr", "sr", "ii", "iii", "iv"))
_GROUPS = frozenset(("team", "collaboration", "consortium", "group", "et", "al", "others"))
_WORDS_THAT_SAY_LITTLE = frozenset(
    "a an and are as at be by do for from how in is of on or the to via what when where why "
    "with".split()
)
_WINDOWS_DEVICES = frozenset(
    ("con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10)))
)


def is_citekey(text: str) -> bool:
    """Return whether BibTeX and biber accept a key: 1 to 200 printable ASCII characters, no syntax.

    This includes foreign keys such as ``DBLP:conf/nips/VaswaniSPUJGKP17``; ``make_citekey`` is
    stricter.
    """
    return re.fullmatch(_CITEKEY, text) is not None


def make_citekey(
    authors: Sequence[Author],
    year: int | None,
    title: str | None,
    *,
    venue: str | None = None,
    template: str = DEFAULT_TEMPLATE,
) -> str:
    """Return a citekey such as ``kwon2023efficient``: 1 to 80 characters from ``a-z0-9_-``.

    The template's fields are ``{auth}`` (last name of the first author), ``{year}``, ``{venue}``
    and ``{shorttitle}``, the first significant word of the title, or several as in
    ``{shorttitle(3)}``. A field that is unknown, or cannot be written in ASCII, is left out; a
    missing name is replaced by a word of the title, or by ``anon``, and an empty key by ``paper``.
    Raises UsageError for a template with other fields.
    """
    _check_template(template)
    values = {
        "auth": _last_name(authors[0].name if authors else ""),
        "year": "" if year is None else str(year),
        "venue": "".join(_words(venue or "")),
    }
    title_words = _title_words(title or "")

    def value_of(field: re.Match[str]) -> str:
        if field[1] == "shorttitle":
            return "".join(title_words[: int(field[2] or 1)])
        return values[field[1]]

    if not (values["auth"] or values["year"] or title_words):
        return "paper"
    if not values["auth"]:
        # Without an author the title's first word stands in front: mamba2023linear.
        values["auth"] = title_words.pop(0) if title_words else "anon"
    return file_stem(re.sub(_FIELD, value_of, template))


@lru_cache(maxsize=4)  # An import asks for each of thousands of papers.
def _check_template(template: str) -> None:
    if left := re.search(r"[{}]", re.sub(_FIELD, "", template)):
        raise UsageError(
            f"The citekey template {clean(template)!r} has a stray {left[0]!r}. "
            "Its fields are {auth}, {year}, {venue}, {shorttitle} and {shorttitle(2)}."
        )


def _last_name(name: str) -> str:
    """Return ``maaten`` for ``"Laurens van der Maaten"`` and ``"Maaten, Laurens"``.

    For a group, returns the first word: ``"Gemini Team"`` gives ``gemini``.
    """
    if "," in name:
        name = name.partition(",")[0]
    words = _words(name.replace("-", "").replace("'", ""))
    while len(words) > 1 and words[-1] in _SUFFIXES | _GROUPS:
        words.pop()
    return words[-1] if words else ""


def _title_words(title: str) -> list[str]:
    words = _words(strip_markup(title))
    return [word for word in words if word not in _WORDS_THAT_SAY_LITTLE] or words


def _words(text: str) -> list[str]:
    return re.findall("[a-z0-9]+", to_ascii(text))


def file_stem(citekey: str) -> str:
    """Return a file name without suffix for any citekey, safe on every system: ``a-z0-9_-``, no
    device.

    Two keys may give the same name (``A:b`` and ``a-b``): open the file as a new one.
    """
    stem = re.sub("[^a-z0-9_-]+", "-", citekey.lower()).strip("-_")[:MAX_LENGTH].rstrip("-_")
    return f"{stem}-paper" if stem in _WINDOWS_DEVICES else stem or "paper"


def unique_citekey(
    key: str, taken: Container[str], reached: MutableMapping[str, int] | None = None
) -> str:
    """Return the key, or the key with the first free suffix from ``a`` to ``z``; then ``aa``,
    ``ab``, ….

    ``taken`` contains keys in lower case: keys that differ only in case are one file and, for
    BibTeX, one entry. A longer suffix is a free one whose predecessor is taken: the first free one,
    unless keys were given up in the meantime. (Thousands of papers may want one key, and trying
    each suffix for each of them would take for ever.) ``reached`` stores the last suffix of each
    key, for callers that need many keys while none is given up.
    """

    def suffixed(number: int) -> str:
        suffix = _letters(number)
        return key[: MAX_LENGTH - len(suffix)] + suffix if suffix else key

    def is_taken(number: int) -> bool:
        return suffixed(number).lower() in taken

    reached = {} if reached is None else reached
    start = reached.get(key.lower(), 0)
    near = filterfalse(is_taken, range(start, start + 27))
    free = next(near, None)
    reached[key.lower()] = number = _free_beyond(start + 26, is_taken) if free is None else free
    return suffixed(number)


def _free_beyond(used: int, is_taken: Callable[[int], bool]) -> int:
    """Return a free number after a taken one."""
    free = used * 2
    while is_taken(free):
        used, free = free, free * 2
    while free - used > 1:
        middle = (used + free) // 2
        used, free = (middle, free) if is_taken(middle) else (used, middle)
    return free


def _letters(number: int) -> str:
    """Return ``a`` for 1, ``z`` for 26, ``aa`` for 27."""
    letters = ""
    while number:
        number, at = divmod(number - 1, 26)
        letters = chr(ord("a") + at) + letters
    return letters
