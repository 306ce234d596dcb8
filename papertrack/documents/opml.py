"""OPML 2.0 (http://opml.org/spec2.opml): lists of feeds, as feed readers exchange them. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from papertrack.errors import DocumentError
from papertrack.text import clean

MAX_BYTES = 5 * 1024 * 1024
MAX_FEEDS = 2000


class OutlinedFeed(NamedTuple):
    """One feed of a list."""

    title: str
    address: str
    group: str
    """The title of the outline that contains it; "" at the top."""


def parse_opml(data: bytes, file: str) -> list[OutlinedFeed]:
    """Return the feeds of a list, in order. Raises DocumentError unless it is OPML of bounded
    size."""
    if len(data) > MAX_BYTES:
        raise _too_long(file, f"{MAX_BYTES // 2**20} MB")
    feeds = list(_outlined(_root(data, file)))
    if len(feeds) > MAX_FEEDS:
        raise _too_long(file, f"{MAX_FEEDS:,} feeds")
    return feeds


def _outlined(root: Any) -> Iterator[OutlinedFeed]:
    outlines = list(root.iter("outline"))
    titles = {node: clean(node.get("title") or node.get("text") or "") for node in outlines}
    for node in outlines:
        if address := clean(node.get("xmlUrl") or ""):
            yield OutlinedFeed(titles[node] or address, address, titles.get(node.getparent(), ""))


def _too_long(file: str, most: str) -> DocumentError:
    return DocumentError(f"{file} has more than {most}. Nothing was added: split it.")


def _root(data: bytes, file: str) -> Any:
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        problem = clean(str(error))[:160] or "it is empty"
        raise DocumentError(f"{file} is not OPML: {problem}. Export it again.") from None
    if root.tag != "opml":
        raise DocumentError(f"{file} is not OPML: its root is {clean(str(root.tag))[:60]!r}.")
    if getattr(root.getroottree().docinfo, "doctype", ""):
        raise DocumentError(
            f"{file} has a DOCTYPE, which may define entities, so nothing was added. Remove the "
            "line that begins with <!DOCTYPE, and run again."
        )
    return root


def format_opml(feeds: Iterable[OutlinedFeed]) -> str:
    """Return these feeds as OPML, with an outline for each group."""
    from lxml import etree

    root = etree.Element("opml", version="2.0")
    etree.SubElement(etree.SubElement(root, "head"), "title").text = "papertrack"
    body = etree.SubElement(root, "body")
    groups = {"": body}
    for title, address, group in feeds:
        if group not in groups:
            groups[group] = etree.SubElement(body, "outline", text=group, title=group)
        attributes = {"type": "rss", "text": title, "title": title, "xmlUrl": address}
        etree.SubElement(groups[group], "outline", attributes)
    text = etree.tostring(root, pretty_print=True, xml_declaration=True, encoding="UTF-8")
    return str(text.decode())
