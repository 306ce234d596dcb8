"""Templates within a page, as generators of sites fill them: ``- {{ paper.title }}`` is no work."""

from __future__ import annotations

import re

from papertrack.documents.markdown.model import Entry
from papertrack.documents.markdown.roles import STRONG_SCHEMES

OF_TEMPLATE = "This is a template's, which a site is made of: no work has such a title."
# ``{{BERT}: Deep Networks}`` has the braces of BibTeX.
_PLACEHOLDER = re.compile(
    r"\{\{-?[ ]?[a-z_]\w*(?:\.\w+)+[^{}]{0,200}\}\}|\{\{-?[ ][^{}]{1,200}[ ]-?\}\}"
    r"|\{%[^{}]{1,200}%\}",
    re.IGNORECASE,
)


def is_placeholder(entry: Entry) -> bool:
    """Return whether a title is one that a template of Liquid, Jinja or Handlebars fills in: what
    has a registered identifier is a work, whatever it is called."""
    is_known = any(one.scheme in STRONG_SCHEMES for one in entry.identifiers)
    return not is_known and _PLACEHOLDER.search(entry.fields.title) is not None
