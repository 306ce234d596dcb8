"""The names of the months, which alone stand in an entry without delimiters."""

from __future__ import annotations

MONTH_NAMES = {
    name[:3].lower(): name
    for name in (
        *("January", "February", "March", "April", "May", "June", "July", "August"),
        *("September", "October", "November", "December"),
    )
}
"""BibTeX's names of the months, and what its styles print."""
MONTHS = tuple(MONTH_NAMES)
"""These names, which stand without delimiters."""


def delimited(name: str, value: str) -> str:
    """The value of the field of this name as it is written anew."""
    return value if name == "month" and value in MONTHS else "{" + value + "}"
