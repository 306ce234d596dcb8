"""Strict XML for answers of sources: well-formed to the end, no DOCTYPE, no entities."""

from __future__ import annotations

from typing import TYPE_CHECKING

from papertrack.sources.failures import unexpected

if TYPE_CHECKING:
    from lxml import etree


def parse_xml(body: bytes, *, host: str, status: int = 200) -> etree._Element:
    """The root of a complete document.

    Raises BadAnswer, with the place of the fault, for anything that is not well-formed, brings
    a DOCTYPE (none of the sources has one, every entity attack does) or nests absurdly.
    """
    from lxml import etree

    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=False
    )
    try:
        root = etree.fromstring(body, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        what = " ".join(str(error).split())[:160] if body else "the document is empty"
        raise unexpected(f"broken XML ({what})", host, status) from None
    # The stubs do not know all of DocInfo.
    if getattr(root.getroottree().docinfo, "doctype", ""):
        raise unexpected("XML that declares a DOCTYPE", host, status)
    return root
