r"""The TeX that arXiv's own texts carry → Unicode: accents and letters, and nothing else.

OAI-PMH and the feeds print what was submitted (``Andr\'e``), the query API and the web pages the
converted text (``André``). As there, mathematics, quotes and dashes stay as they are, so that the
same paper reads the same from every source. The .bib files' fuller LaTeX is ``papertrack.latex``.
"""

from __future__ import annotations

import re
import unicodedata

from papertrack.latex.tables import ACCENTS, LETTERS

_MARKS = {name: mark for mark, name in ACCENTS.items()}
_LETTERS = {name: letter for letter, name in LETTERS.items() if len(name) <= 2}
_NAMES = "|".join(sorted(map(re.escape, _LETTERS), key=len, reverse=True))
_DOTLESS = {"ı": "i", "ȷ": "j"}
# Every token begins with one of three characters: so said, the others are passed over quickly.
_TOKEN = re.compile(
    rf"""
    [$\\{{] (?:
      (?<=\$) (?: [^$\\] | \\. )* \$
    | (?: (?<=\\) | (?<=\{{)(?P<open>\\) ) (?:
          (?P<mark> ["'`^~=.] | [cvuHkrdb](?![A-Za-z]) ) \s*
          (?: \{{ \s* (?P<inner> \\?[A-Za-z]+ ) \s* \}}
            | (?P<bare> \\[ij](?![A-Za-z]) | [A-Za-z] ) (?: (?<=\\[ij]) \s+ )?
          )
        | (?P<letter> {_NAMES} ) (?![A-Za-z]) (?: \{{\}} | \s+(?=[A-Za-z]) )?
      )
      (?(open) \}} )
    | (?<=\\) .
    )
    """,
    re.VERBOSE | re.DOTALL,
)


def tex_to_unicode(text: str) -> str:
    r"""``text`` with TeX's accents and letters outside of mathematics as characters (NFC).

    ``{\'e}``, ``\'{e}``, ``\'e`` and ``\'\i`` are understood; everything else comes back equal.
    """
    return _TOKEN.sub(_converted, text) if "\\" in text else text


def _converted(token: re.Match[str]) -> str:
    if token["letter"]:
        return _LETTERS[token["letter"]]
    if not token["mark"]:
        return token[0]
    letters = token["inner"] or token["bare"]
    if letters.startswith("\\"):
        letters = _LETTERS.get(letters[1:], "")
    if not letters:
        return token[0]
    base = _DOTLESS.get(letters[0], letters[0])
    return unicodedata.normalize("NFC", base + _MARKS[token["mark"]]) + letters[1:]
