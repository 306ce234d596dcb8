"""Strict XML for answers of sources: well-formed to the end, no DOCTYPE, no entities."""

from __future__ import annotations

from typing import TYPE_CHECKING

from papertrack.sources.failures import BadAnswer, BrokenXML, unexpected

if TYPE_CHECKING:
    from lxml import etree

_AT_THE_END = 20
"""Bytes before the end at which the fault is that it ends: the answer was cut."""


def parse_xml(body: bytes, *, host: str, status: int = 200) -> etree._Element:
    """The root of a complete document.

    Raises BadAnswer, with the place of the fault, for anything that is cut short, brings a DOCTYPE
    (none of the sources has one, every entity attack does) or nests absurdly; BrokenXML for what
    else is not well-formed.
    """
    from lxml import etree

    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=False
    )
    try:
        root = etree.fromstring(body, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        what = " ".join(str(error).split())[:160] if body else "the document is empty"
        line, column = getattr(error, "position", (1, 0))
        rest = len(b"\n".join(body.split(b"\n")[line - 1 :])) - column
        kind = BadAnswer if rest < _AT_THE_END else BrokenXML
        raise unexpected(f"broken XML ({what})", host, status, kind) from None
    # The stubs do not know all of DocInfo.
    if getattr(root.getroottree().docinfo, "doctype", ""):
        raise unexpected("XML that declares a DOCTYPE", host, status)
    return root
