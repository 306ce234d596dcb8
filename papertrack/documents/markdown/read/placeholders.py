"""Templates within a page, as generators of sites fill them: ``- {{ paper.title }}`` is no work."""

from __future__ import annotations

import re

OF_TEMPLATE = "This is a template's, which a site is made of: no work has such a title."
# ``{{BERT}: Deep Networks}`` has the braces of BibTeX.
_PLACEHOLDER = re.compile(
    r"\{\{-?[ ]?[a-z_]\w*(?:\.\w+)+[^{}]{0,200}\}\}|\{\{-?[ ][^{}]{1,200}[ ]-?\}\}"
    r"|\{%[^{}]{1,200}%\}",
    re.IGNORECASE,
)


_PROMISE = re.compile(
    r"(?:coming soon|more to come|stay tuned|work in progress|under construction|wip|tb[acd]|todo"
    r"|(?:more )?to be (?:added|announced|continued|updated|filled|done)|待(?:更新|补充|续|完善|定)"
    r"|未完待续|更新中|敬请期待|持续更新|近日公開|準備中|工事中|folgt(?: bald)?"
    r"|à venir|bientôt|próximamente)",
    re.IGNORECASE,
)


def is_promise(title: str) -> bool:
    """Return whether words without a link only say that works will stand there: ``coming soon``."""
    return _PROMISE.fullmatch(title.strip(" .…!()[]*_。！（）~")) is not None


def is_placeholder(title: str) -> bool:
    """Return whether a title is one that a template of Liquid, Jinja or Handlebars fills in."""
    return _PLACEHOLDER.search(title) is not None
