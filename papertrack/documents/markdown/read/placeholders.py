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


def is_placeholder(title: str) -> bool:
    """Return whether a title is one that a template of Liquid, Jinja or Handlebars fills in."""
    return _PLACEHOLDER.search(title) is not None
