"""Whether a LaTeX manuscript has fonts for more than Latin letters."""

from __future__ import annotations

import re

_LOADED = re.compile(
    r"\\(?:usepackage|RequirePackage|documentclass)\s*(?:\[([^\]]*)\])?\s*\{([^}]*)\}"
)
_PROGRAM = re.compile(r"^\s*%\s*!\s*TEX\s+(?:TS-)?program\s*=\s*(?:xe|lua)", re.I | re.M)
_OF_OTHER_SCRIPTS = re.compile(
    r"fontspec|mathspec|polyglossia|unicode-math|CJK|ctex|kotex|luatexja|ltj|bxjs|u?p?js(?:article|book)"
)
"""What the names of packages and classes have in them that set any letter, or Asian ones."""
_LATIN = frozenset({"", "OT1", "T1", "TS1"})
"""Font encodings that have Latin letters, and not those of Vietnamese."""


def has_other_fonts(text: str) -> bool:
    """Whether the text names a program, a package or a font encoding that prints more than plain
    pdfLaTeX does."""
    return bool(_PROGRAM.search(text)) or any(
        _OF_OTHER_SCRIPTS.search(names)
        or (names.strip() == "fontenc" and not set(re.split(r"\s*,\s*", options)) <= _LATIN)
        for options, names in _LOADED.findall(text)
    )
