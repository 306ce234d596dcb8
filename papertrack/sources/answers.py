"""Parse responses: complete XML without DOCTYPE or entities, and JSON of any shape."""

from __future__ import annotations

import json
from io import BytesIO
from typing import TYPE_CHECKING, Any

from papertrack.sources.endpoints import host_of
from papertrack.sources.failures import BadAnswer, BrokenXML, unexpected

if TYPE_CHECKING:
    from lxml import etree

    from papertrack.sources.exchange import Response


_MOST_NAMES = 100
"""Attributes of one element, and namespaces of a document."""
_NEAR_END = 20
"""An error in this many last bytes means that the document was cut off."""


def parse_xml(body: bytes, *, host: str, status: int = 200) -> etree._Element:
    """Return the root of a complete document.

    Raises BadAnswer, with the place of the error, for a document that is cut off, has a DOCTYPE (no
    source has one, but every entity attack does) or is nested absurdly deep. Raises BrokenXML for
    any other malformed XML.
    """
    from lxml import etree

    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=False
    )
    try:
        root = etree.fromstring(body, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        error_text = " ".join(getattr(error, "msg", str(error)).split())[:160]
        error_text = error_text if body else "the document is empty"
        line, column = getattr(error, "position", (1, 0))
        bytes_left = len(b"\n".join(body.split(b"\n")[line - 1 :])) - column
        kind = BadAnswer if bytes_left < _NEAR_END else BrokenXML
        raise unexpected(f"broken XML ({error_text})", host, status, kind) from None
    # The stubs do not know all of DocInfo.
    if getattr(root.getroottree().docinfo, "doctype", ""):
        raise unexpected("XML that declares a DOCTYPE", host, status)
    return root


def read_feed(root: etree._Element, host: str) -> Any:
    """Return what feedparser reads in a document. It takes time that grows with the square of an
    element's attributes, and of the namespaces: raises BadAnswer for more than feeds have."""
    import feedparser
    from lxml import etree

    # Bytes only, as from a text feedparser might open an address or a file; and those that lxml
    # understood, whatever encoding they came in.
    source = BytesIO(etree.tostring(root, encoding="utf-8", xml_declaration=True))
    # Prefixes without a namespace, and namespaces that are no addresses, are none of lxml's errors.
    declared = etree.iterparse(source, ("start-ns",), resolve_entities=False, recover=True)
    names = [element.attrib for element in root.iter(etree.Element)]
    most = max(len({uri for _, (_, uri) in declared}), *map(len, names), 0)
    if most > _MOST_NAMES:
        raise unexpected(f"XML with {most:,} attributes or namespaces", host)
    source.seek(0)
    return feedparser.parse(source, sanitize_html=False, resolve_relative_uris=False)


def read_json(response: Response) -> object:
    """Return the value in a response. Raises BadAnswer if it is not JSON."""
    return parse_json(response.body, host_of(response.url), response.status)


def parse_json(body: bytes, host: str, status: int = 200) -> object:
    """Return the value in a body. Raises BadAnswer if it is not JSON."""
    try:
        value: object = json.loads(body)
    except (ValueError, RecursionError):
        raise unexpected("no JSON", host, status) from None
    return value


def _at(value: object, path: tuple[str, ...]) -> object:
    """Return the value in nested JSON objects at a path of names."""
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def table(value: object, *path: str) -> dict[str, object]:
    """Return the value at a path of names if it is a JSON object, else an empty one."""
    value = _at(value, path)
    return value if isinstance(value, dict) else {}


def tables(value: object, *path: str) -> list[dict[str, object]]:
    """Return the objects of a JSON array; a single object counts as an array of one."""
    value = _at(value, path)
    values = value if isinstance(value, list) else [value]
    return [value for value in values if isinstance(value, dict)]


def texts(value: object, *path: str) -> list[str]:
    """Return the texts of a JSON array; a single text counts as an array of one."""
    value = _at(value, path)
    values = value if isinstance(value, list) else [value]
    return [value for value in values if isinstance(value, str) and value.strip()]


def text(value: object, *path: str) -> str | None:
    """Return the text, or the first text of an array; None for empty text and other values."""
    return next(iter(texts(value, *path)), None)


def number(value: object, *path: str) -> int | None:
    """Return a number, also from digits in a text; None for other values, and for one too large to
    be stored."""
    value = _at(value, path)
    if isinstance(value, str) and value.isascii() and value.isdigit():
        return int(value[:9])
    return value if type(value) is int and abs(value) < 10**9 else None
