"""Make citation keys from author, year and title; ``store.citekeys`` stores and freezes them."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, MutableMapping, Sequence
from functools import lru_cache
from itertools import filterfalse

from papertrack.errors import UsageError
from papertrack.records import DEFAULT_TEMPLATE, Author
from papertrack.text import clean, strip_markup, to_ascii

MAX_LENGTH = 80

# Patterns are strings, which re compiles at their first use, to keep the start-up fast. A key is
# printable ASCII without the syntax of BibTeX and biber: , { } ( ) " # % ' = \ ~ @
_CITEKEY = r"(?!-)[!$&*+./0-9:;<>?A-Z\[\]^_`a-z|-]{1,200}"
_FIELD = r"\{(auth|year|venue|shorttitle)(?:\(([1-9])\))?\}"
_SUFFIXES = frozenset(("jr", "sr", "ii", "iii", "iv"))
_GROUPS = frozenset(("team", "collaboration", "consortium", "group", "et", "al", "others"))
_STOP_WORDS = frozenset(
    "a an and are as at be by do for from how in is of on or the to via what when where why "
    "with".split()
)
_WINDOWS_DEVICES = frozenset(
    ("con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10)))
)


def is_citekey(text: str) -> bool:
    """Return whether BibTeX and biber accept a key: 1 to 200 printable ASCII characters, no syntax.

    This includes keys of other tools such as ``DBLP:conf/nips/VaswaniSPUJGKP17``; ``make_citekey``
    is stricter.
    """
    return re.fullmatch(_CITEKEY, text) is not None


def is_kept_citekey(text: str) -> bool:
    """Return whether a library may have a key: any that an entry of a .bib file can have.

    BibTeX or biber refuses some, such as ``müller2020``, but the file is the reader's.
    """
    return text.isprintable() and re.fullmatch('[^,={}"]{1,1000}', text) is not None


def make_citekey(
    authors: Sequence[Author],
    year: int | None,
    title: str | None,
    *,
    venue: str | None = None,
    template: str = DEFAULT_TEMPLATE,
) -> str:
    """Return a citation key such as ``kwon2023efficient``: 1 to 80 of ``a-z0-9_-``.

    The template's fields are ``{auth}`` (last name of the first author), ``{year}``, ``{venue}``
    and ``{shorttitle}``, the first significant word of the title, or several as in
    ``{shorttitle(3)}``. A field that is unknown, or has no ASCII form, is left out. A missing name
    is replaced by a word of the title or by ``anon``, and an empty key by ``paper``. Raises
    UsageError for a template with other fields.
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
        # Without an author, the title's first word comes first: mamba2023linear.
        values["auth"] = title_words.pop(0) if title_words else "anon"
    return file_stem(re.sub(_FIELD, value_of, template))


@lru_cache(maxsize=4)  # An import calls this for thousands of papers.
def _check_template(template: str) -> None:
    if stray := re.search(r"[{}]", re.sub(_FIELD, "", template)):
        raise UsageError(
            f"The citekey template {clean(template)!r} has a stray {stray[0]!r}. "
            "Its fields are {auth}, {year}, {venue}, {shorttitle} and {shorttitle(2)}."
        )


def _last_name(name: str) -> str:
    """Return ``maaten`` for ``"Laurens van der Maaten"`` and ``"Maaten, Laurens"``.

    For a group, return the first word: ``gemini`` for ``"Gemini Team"``.
    """
    if "," in name:
        name = name.partition(",")[0]
    words = _words(name.replace("-", "").replace("'", ""))
    while len(words) > 1 and words[-1] in _SUFFIXES | _GROUPS:
        words.pop()
    return words[-1] if words else ""


def _title_words(title: str) -> list[str]:
    words = _words(strip_markup(title))
    return [word for word in words if word not in _STOP_WORDS] or words


def _words(text: str) -> list[str]:
    return re.findall("[a-z0-9]+", to_ascii(text))


def file_stem(citekey: str) -> str:
    """Return a file name without suffix for any citation key, valid on every system: ``a-z0-9_-``.

    Two keys may give the same name (``A:b`` and ``a-b``), so open the file as a new one.
    """
    stem = re.sub("[^a-z0-9_-]+", "-", citekey.lower()).strip("-_")[:MAX_LENGTH].rstrip("-_")
    return f"{stem}-paper" if stem in _WINDOWS_DEVICES else stem or "paper"


def unique_citekey(
    key: str, taken_keys: Container[str], reached: MutableMapping[str, int] | None = None
) -> str:
    """Return the key, or the key with the first free suffix: ``a`` to ``z``, ``aa``, ``ab``, …

    ``taken_keys`` are in lower case: keys that differ only in case are one file and, for BibTeX,
    one entry. Suffixes above ``z`` are found by bisection, because thousands of papers may have the
    same key. So a free suffix is found whose predecessor is taken, which is the first free one
    unless keys were removed meanwhile. ``reached`` stores the last suffix of each key, for callers
    that need many keys.
    """

    def suffixed(number: int) -> str:
        suffix = _letters(number)
        return key[: MAX_LENGTH - len(suffix)] + suffix if suffix else key

    def is_taken(number: int) -> bool:
        return suffixed(number).lower() in taken_keys

    reached = {} if reached is None else reached
    start = reached.get(key.lower(), 0)
    free_numbers = filterfalse(is_taken, range(start, start + 27))
    free = next(free_numbers, None)
    reached[key.lower()] = number = _free_beyond(start + 26, is_taken) if free is None else free
    return suffixed(number)


def _free_beyond(taken_number: int, is_taken: Callable[[int], bool]) -> int:
    """Return a free number after a taken one, by bisection."""
    free = taken_number * 2
    while is_taken(free):
        taken_number, free = free, free * 2
    while free - taken_number > 1:
        middle = (taken_number + free) // 2
        taken_number, free = (middle, free) if is_taken(middle) else (taken_number, middle)
    return free


def _letters(number: int) -> str:
    """Return ``a`` for 1, ``z`` for 26, ``aa`` for 27."""
    letters = ""
    while number:
        number, index = divmod(number - 1, 26)
        letters = chr(ord("a") + index) + letters
    return letters
