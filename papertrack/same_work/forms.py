"""What kinds of works the types of BibTeX and biblatex stand for, and which of them may be one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

Form = Literal["article", "part", "whole", "report", "thesis", "data", "program", "other", "any"]

_FORMS: dict[Form, str] = {
    "article": "article inproceedings conference suppperiodical",
    "part": "inbook incollection inreference suppbook suppcollection bookinbook chapter entry",
    "whole": "book mvbook collection mvcollection proceedings mvproceedings reference mvreference"
    " booklet manual periodical",
    "report": "techreport report",
    "data": "dataset data",
    "program": "software softwareversion softwaremodule codefragment",
    "other": "patent standard legal legislation jurisdiction letter movie video audio music artwork"
    " image performance commentary review",
}
_OF_TYPE: dict[str, Form] = {name: form for form, names in _FORMS.items() for name in names.split()}
_MAY_BE_ONE = (frozenset({"article", "part"}), frozenset({"article", "report"}))
"""A chapter of proceedings is an article to some, and a report may appear as one."""
_SAYS_FORM = ("type", "note", "howpublished")
_THESIS = re.compile(
    r"\b(?:ph\.?\s?d|doctoral|master'?s?|bachelor'?s?)?\s*(?:thesis|dissertation|th[eè]se|tesis?"
    r"|diplomarbeit|proefschrift|habilitation\w*)\b",
    re.IGNORECASE,
)
NOUNS: dict[Form, str] = {
    "article": "an article",
    "part": "a chapter",
    "whole": "a book",
    "report": "a report",
    "thesis": "a thesis",
    "data": "data",
    "program": "software",
    "other": "something else",
    "any": "anything",
}


def form_of(entry_type: str | None, publication: Iterable[tuple[str, str]] = ()) -> Form:
    """What kind of work an entry says it is; ``any`` of ``misc`` and of what is unknown."""
    name = entry_type or ""
    told = (value for field, value in publication if field in _SAYS_FORM)
    form = _OF_TYPE.get(name, "any")
    if "thesis" in name or (form in ("any", "report", "whole") and any(map(_THESIS.search, told))):
        return "thesis"
    return form


def may_be_one(one: Form, other: Form) -> bool:
    """Whether two descriptions of these forms may be of one work."""
    return one == other or "any" in (one, other) or {one, other} in _MAY_BE_ONE
