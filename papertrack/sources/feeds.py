"""Feeds of journals, blogs and preprint servers: RSS 2.0, RSS 1.0, Atom, and bioRxiv's API.

feedparser reads them from bytes that lxml has checked or repaired: it fetches nothing and expands
no entity. Feeds in the wild are broken in many ways; what can be read counts, and the rest is
named. What becomes of an item is an ``Announcement``, as of arXiv's lists: named by its arXiv id or
DOI if it has one, else by its address, else by what the feed calls it.

The API of bioRxiv and medRxiv (https://api.biorxiv.org/) has pages that declare how much there is
in all: one that holds less than it declares is a failure, never a quiet day.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urljoin, urlsplit

from papertrack.holdings import Announcement
from papertrack.identifiers import identify, identify_work, parse_doi
from papertrack.identifiers.addresses import normalise_url
from papertrack.records import AnnouncementKind, Author, Identifier, Link, PaperFacts
from papertrack.sources.answers import number, parse_xml, read_feed, read_json, tables, text
from papertrack.sources.endpoints import host_of
from papertrack.sources.failures import BadAnswer, BrokenXML, WebPage, WrongHost, unexpected
from papertrack.sources.source import split_authors
from papertrack.text import clean, clean_block, shorten, strip_markup, title_key

if TYPE_CHECKING:
    from papertrack.sources.transport import Door

SETTING = "biorxiv_url"
URL = "https://api.biorxiv.org/details"
"""Answers for medRxiv, too."""
MAX_PAGES = 100
"""Of 100 preprints each: a month of the largest category has ten."""
MAX_BYTES = 8 * 1024 * 1024
"""Decoded; feeds that hold whole articles have a few megabytes."""
DEADLINE_SECONDS = 30.0
MAX_ITEMS = 2000
_MAX_TITLE = 1000
_MAX_ABSTRACT = 20_000
_MAX_AUTHORS = 3000
"""Collaborations in physics have as many."""
_DOCTYPE = re.compile(rb"<!DOCTYPE[^<>\[]{0,300}>", re.IGNORECASE)
"""One without entities, as RSS 0.91 and web pages have it."""
_END = re.compile(rb"</(?:\w{1,20}:)?(?:rss|feed|RDF)\s*>", re.IGNORECASE)
_START = re.compile(r"<\?xml\s|<(?:rss|feed|rdf:RDF)[\s>]", re.IGNORECASE)
_LONGEST_WARNING = 5000
"""Servers put warnings of their programs before a feed."""
_WIDE = {
    **{b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"},
    **{b"<\0?\0": "utf-16-le", b"\0<\0?": "utf-16-be"},
}
"""How texts in UTF-16 start."""
_DECLARED = re.compile(
    rb"""\s*<\?xml[^<>]{0,60}?encoding=["']((?:gb|big5|shift_jis|euc-|koi8|iso-8859-(?!1["'])"""
    rb"""|windows-125)[\w-]{0,12})["']""",
    re.IGNORECASE,
)
"""The encodings besides UTF-8 and Windows-1252 in which broken feeds are read."""
_DECLARATION = re.compile(r"^\s*<\?xml[^<>]{0,200}\?>")
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_NUMBER = re.compile(r"&#(?:[xX]([0-9a-fA-F]{1,8})|([0-9]{1,8}));")
_NO_ENTITY = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-fA-F]+);)([a-zA-Z]\w{1,30};)?")
_BLOCKS = "p div br li ul ol h1 h2 h3 h4 h5 h6 tr table blockquote section article pre figure"
_LABELLED = re.compile(r"(?:^|\n)\s*(Source|Author\(s\)):\s*([^\n]{1,20000})")
"""ScienceDirect has source and authors in its descriptions alone."""
_NEWEST = re.compile(r"\s*[-:–]\s*(?:new toc|latest articles|current issue)\b.*", re.IGNORECASE)
"""What some journals add to their name in the title of a feed."""
_VOLUME = re.compile(r",?\s*\b(?:Volume|Issue|Part)\s.*", re.DOTALL)
_PLACE = re.compile(r"^[^:]{2,100}, Vol\. \d+, Pages? [\w-]+: ")
"""MDPI puts the place in the journal before the title."""
_CITATION = re.compile(
    r"(?:[^.\n]{1,200}, )?(?:Volume \d|Ahead of Print|Early ?View)[^.\n]{0,150}[.,\s]*",
    re.IGNORECASE,
)
"""Some journals have in an item's summary only where it was published."""
_MAIL = re.compile(r"\S{1,200}@\S{1,200}\s+\((.{1,300})\)")
"""RSS has authors as mail addresses."""
_PEOPLE = frozenset("author contributor creator managingeditor owner publisher webmaster".split())
_ENDLESS = re.compile(r"([\w.+-]{300})[\w.+-]+", re.ASCII)
_INITIALS = re.compile(r"(?:[^\W\d_]\.?[ -]?){1,4}")


@dataclass(frozen=True, slots=True)
class FeedItem:
    """One item of a feed."""

    name: str
    """What tells it from the others for ever, without a blank: ``doi:10.1101/123456v2``."""
    at: str | None
    """When it was published: ISO 8601, in UTC; None where the feed does not say."""
    announcement: Announcement


@dataclass(frozen=True, slots=True)
class FeedPage:
    """What a feed shows."""

    items: tuple[FeedItem, ...]
    """In the feed's order, each once."""
    problems: tuple[str, ...] = ()
    """What could not be read, for people."""
    etag: str = ""
    modified: str = ""
    moved_to: str | None = None
    """The address that the server says to use from now on."""


def fetch_feed(
    door: Door, url: str, *, feed: str = "", etag: str = "", modified: str = ""
) -> FeedPage | None:
    """What a feed shows; None when nothing changed since the answer with these validators.

    ``feed`` is its own address, if it has moved to this one. Raises SourceFailure; its subclass
    BadAnswer for what is no feed.
    """
    asked = {"If-None-Match": etag, "If-Modified-Since": modified}
    response = door.get(
        url,
        max_bytes=MAX_BYTES,
        deadline=DEADLINE_SECONDS,
        expect=frozenset({200, 304}),
        headers={name: value for name, value in asked.items() if value},
    )
    if response.status == 304:
        return None
    page = parse_feed_page(response.body, response.url, feed=feed or url)
    # Of a broken page the rest may come later, under the same validators.
    told = {} if page.problems else response.headers
    etag, modified = (clean(told.get(name, ""))[:300] for name in ("etag", "last-modified"))
    return FeedPage(page.items, page.problems, etag, modified, response.moved_to)


def parse_feed_page(body: bytes, url: str, *, feed: str = "") -> FeedPage:
    """What one answer holds. Pure. ``url`` is where it came from, ``feed`` the feed's own address.

    Raises BadAnswer for anything but a feed, such as a web page.
    """
    host = host_of(url)
    root, problems = _tree(body, host)
    if str(root.tag).rpartition("}")[2].lower() == "html":
        raise _web_page(body, url)
    _cut_names(root)
    found = read_feed(root, host)
    if not found.get("version"):
        raise unexpected(f"XML that is no feed ({str(root.tag)[:60]!r})", host)
    base = urljoin(url, found.feed.get("link", "") or url)
    entries = [dict(entry) for entry in found.entries[:MAX_ITEMS]]
    if problems and not _END.search(_repaired(body)[-500:]):
        del entries[-1:]  # Cut within it, or perhaps.
    if len(found.entries) > MAX_ITEMS:
        problems.append(f"only the first {MAX_ITEMS:,} of {len(found.entries):,} items were read")
    named = zip(entries, _names(entries, base), strict=True)
    read = [_item(entry, *names, feed or url, found.feed) for entry, names in named]
    items: dict[str, FeedItem] = {}
    for item in filter(None, read):
        items.setdefault(item.name, item)
    if None in read:
        problems.append("an item has neither a title nor a text nor an address")
    return FeedPage(tuple(items.values()), tuple(dict.fromkeys(problems)))


def _tree(body: bytes, host: str) -> tuple[Any, list[str]]:
    """The root of a feed and what had to be repaired. Raises BadAnswer."""
    body = _DOCTYPE.sub(b"", body, count=1) if b"<!" in body[:2000] else body
    try:
        return parse_xml(body.strip(), host=host), []
    except BadAnswer as error:
        if "DOCTYPE" in error.what or not body.strip():
            raise
        problem = error.what.partition("broken XML")[2].strip(" ()")
        is_cut = not isinstance(error, BrokenXML)
    root, has_errors = _recovered(_repaired(body))
    if root is None:
        raise unexpected(f"broken XML ({problem})", host)
    # What only needed another encoding is complete.
    return root, [f"its XML is broken ({problem})"] if has_errors or is_cut else []


def _cut_names(root: Any) -> None:
    """Cut names without end: feedparser looks in them for a mail address, which takes time that
    grows with the square of their length."""
    for element in list(root.iter()):
        if str(element.tag).rpartition("}")[2].lower() in _PEOPLE:
            name = "".join(element.itertext())
            if _ENDLESS.search(name):
                del element[:]
                element.text = _ENDLESS.sub(r"\1", name)


def _recovered(body: bytes) -> tuple[Any, bool]:
    """The root of broken XML, if it has one and no DOCTYPE, and whether something was lost."""
    from lxml import etree

    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=True
    )
    root = None
    with suppress(etree.XMLSyntaxError, ValueError):
        root = etree.fromstring(body, parser)
    if root is not None and bool(getattr(root.getroottree().docinfo, "doctype", "")):
        root = None
    return root, any(one.level_name != "WARNING" for one in parser.error_log)


def _repaired(body: bytes) -> bytes:
    """The bytes in UTF-8, without what XML cannot have and what a server put before it."""
    written = _NOT_XML.sub("", _decoded(body))
    start = _START.search(written[:_LONGEST_WARNING])
    if start and "<html" not in written[: start.start()].lower():
        written = written[start.start() :]
    # Names of HTML are no names of XML, and recovering would drop them.
    written = _NO_ENTITY.sub(_entity, _DECLARATION.sub("", written))
    # Some write a character as the two numbers that it has in UTF-16.
    halves = _NUMBER.sub(_numbered, written).encode("utf-16", "surrogatepass")
    written = halves.decode("utf-16", "replace")
    return _NOT_XML.sub("", written).encode()


def _decoded(body: bytes) -> str:
    """The text of bytes, of which some may not be in the encoding that they declare."""
    if wide := next((name for start, name in _WIDE.items() if body.startswith(start)), None):
        return body.decode(wide, "replace").removeprefix("\ufeff")
    declared = _DECLARED.match(body)
    own = [declared[1].decode()] if declared else []
    for encoding in ("utf-8-sig", *own, "cp1252"):
        with suppress(UnicodeDecodeError):
            return body.decode(encoding)
    return body.decode(own[0] if own else "utf-8", "replace")


def _numbered(found: re.Match[str]) -> str:
    """The character of a number that XML cannot have, if it is half of one that it can."""
    number = int(found[1], 16) if found[1] else int(found[2])
    if 0xD800 <= number < 0xE000:
        return chr(number)
    return "" if number > sys.maxunicode or _NOT_XML.match(chr(number)) else found[0]


def _entity(found: re.Match[str]) -> str:
    import html

    char = html.unescape(found[0])
    return f"&amp;{found[0][1:]}" if char == found[0] or char[:1] == "&" else char


def _web_page(body: bytes, url: str) -> WebPage:
    """What a page is that stands in the place of a feed, with the feed that it names."""
    failure = WebPage("answered with a web page instead of a feed", host=host_of(url), status=200)
    for tag in re.findall(rb"<link\b[^<>]{1,1000}>", body[:200_000], re.IGNORECASE):
        is_feed = re.search(rb"application/(?:rss|atom)\+xml", tag)
        href = re.search(rb"href\s*=\s*[\"']([^\"'<>\s]{1,500})", tag)
        if is_feed and href:
            with suppress(ValueError):
                failure.feed = clean(urljoin(url, href[1].decode("utf-8", "replace")))
                break
    return failure


def _item(
    entry: Mapping[str, Any],
    link: str | None,
    address: str | None,
    own: str,
    feed: str,
    channel: Mapping[str, Any],
) -> FeedItem | None:
    abstract = _abstract(entry)[:_MAX_ABSTRACT]
    title = _title(entry) or shorten(clean(abstract), 80) or link or ""
    if not title:
        return None
    labelled = _LABELLED.findall(abstract) if "Publication date:" in abstract else ()
    told = {name: clean(value) for name, value in labelled}
    names = tuple(_identifiers(entry, address, own)) or (_name_in(feed, own or title_key(title)),)
    at, venue = _moment(entry), _venue(entry, told, channel)
    facts = PaperFacts(
        title=title[:_MAX_TITLE],
        kind="paper" if names[0].scheme != "url" or venue else "post",
        identifiers=names,
        authors=tuple(_authors(entry, told))[:_MAX_AUTHORS],
        links=(Link("paper", link),) if link else (),
        abstract=abstract or None,
        submitted=at[:10] if at else None,
        venue=venue,
    )
    # As a cross-list: each feed that carries it shows it to the topics of that feed.
    announcement = Announcement(names[0].value, None, "cross", facts, names[0].scheme)
    return FeedItem(f"{names[0].scheme}:{names[0].value}", at, announcement)


def _name_in(feed: str, name: str) -> Identifier:
    """What names an item that only its feed knows."""
    address = f"{feed}#/{quote(name, safe='')[:500]}"
    return identify(address) or Identifier("url", address)


def _names(
    entries: Sequence[Mapping[str, Any]], base: str
) -> Iterator[tuple[str | None, str | None, str]]:
    """The link of each item, the address that names it, and its own id: none that several items
    have, such as the address of their site."""
    links = [_link(entry, base) for entry in entries]
    addresses = [normalise_url(link or "") for link in links]
    ids = [clean(entry.get("id", ""))[:500] for entry in entries]
    items = list(zip(links, map(title_key, map(_title, entries)), strict=True))
    shared = _shared([*addresses, *ids], [*items, *items])
    for link, address, own in zip(links, addresses, ids, strict=True):
        if address not in shared:
            yield link, address, own
        else:  # It leads to the reader's item if it names a part of the page.
            part = link if link and urlsplit(link).fragment else None
            yield part, None, "" if own in shared else own


def _shared(names: Iterable[Hashable], items: Iterable[Hashable]) -> set[Hashable]:
    """The names that several different items have."""
    found: dict[Hashable, set[Hashable]] = {}
    for name, item in zip(names, items, strict=True):
        found.setdefault(name, set()).add(item)
    return {name for name, several in found.items() if len(several) > 1}


def _link(entry: Mapping[str, Any], base: str) -> str | None:
    """The address of an item, if it is one of the web."""
    own = entry.get("id", "")
    for address in (entry.get("link", ""), own if own.startswith(("http://", "https://")) else ""):
        with suppress(ValueError):
            absolute = urljoin(base, clean(address)) if address else ""
            normal = urlsplit(normalise_url(absolute) or "")
            # A site's own address is no item's.
            if normal.path or normal.query or normal.fragment:
                # Without what tells the site who sent the reader.
                return urlsplit(absolute)._replace(query=normal.query).geturl()
    return None


def _identifiers(entry: Mapping[str, Any], address: str | None, own: str) -> Iterator[Identifier]:
    """What names an item, the strongest first: one of each scheme."""
    told = [entry.get(name) for name in ("prism_doi", "dc_identifier", "doi", "prism_url")]
    known = [identify_work(one) for one in (*told, address, own) if isinstance(one, str) and one]
    found: dict[str, Identifier] = {}
    for name in filter(None, known):
        found.setdefault(name.scheme, name)
    yield from sorted(found.values(), key=lambda one: (one.scheme != "arxiv", one.scheme != "doi"))
    if not found and address:
        yield Identifier("url", address)


def _title(entry: Mapping[str, Any]) -> str:
    title = html_text(entry.get("title", ""), str(entry.get("title_detail", {}).get("type", "")))
    # Some escape it twice.
    title = clean(strip_markup(title) if re.search(r"</?[a-z]{1,6}>", title) else title)
    return _PLACE.sub("", title, count=1)


def _abstract(entry: Mapping[str, Any]) -> str:
    """The item's summary, or its text where it has none."""
    for part in (entry.get("summary_detail"), *entry.get("content", ())):
        text = html_text(part.get("value", ""), str(part.get("type", ""))) if part else ""
        if text and not _CITATION.fullmatch(text):
            return text
    text = html_text(str(entry.get("summary", "")), "text/html")
    return "" if _CITATION.fullmatch(text) else text


def html_text(text: str, kind: str) -> str:
    """The text of HTML, in paragraphs; text of another kind is only cleaned."""
    if "html" not in kind or not re.search("[<&]", text):
        return clean_block(text)
    from lxml import html

    try:
        # Line ends are blanks in HTML.
        flat = " ".join(text[: 10 * _MAX_ABSTRACT].split())
        tree = html.fragment_fromstring(flat, create_parent="div")
    except (ValueError, AssertionError, html.etree.LxmlError):
        return clean_block(strip_markup(text))
    for element in tree.iter(*_BLOCKS.split()):
        element.tail = "\n\n" + (element.tail or "")
        element.text = "\n\n" + (element.text or "")
    for element in tree.xpath(".//script|.//style"):
        element.text = ""
    return clean_block(str(tree.text_content()))


def _authors(entry: Mapping[str, Any], told: Mapping[str, str]) -> Iterator[Author]:
    names = entry.get("authors", [])
    if isinstance(names, str):  # IEEE's own element.
        names = [{"name": name} for name in names.split(";")]
    lines = [clean(one.get("name", "")) for one in names if isinstance(one, Mapping)]
    if mail := _MAIL.fullmatch(clean(str(entry.get("author", "")))):
        lines = [mail[1]]
    for line in [one for one in lines if one] or [told.get("Author(s)", "")]:
        yield from names_in(line)


def names_in(line: str) -> Sequence[Author]:
    """The authors of ``Doe, J. A., Roe, R.``, ``Doe, Jane; Roe, R.`` or ``Jane Doe, R. Roe``."""
    if ";" in line:
        return [Author(_turned(part)) for part in map(clean, line.split(";")) if part]
    parts = [clean(part) for part in line.split(",")]
    if len(parts) > 1 and len(parts) % 2 == 0 and all(map(_INITIALS.fullmatch, parts[1::2])):
        pairs = zip(parts[::2], parts[1::2], strict=True)
        return [Author(f"{first} {last}") for last, first in pairs]
    return split_authors(line)


def _turned(name: str) -> str:
    last, comma, first = name.partition(",")
    return clean(f"{first} {last}") if comma else name


def _venue(
    entry: Mapping[str, Any], told: Mapping[str, str], channel: Mapping[str, Any]
) -> str | None:
    """The journal of an item, if its feed is one's."""
    named = entry.get("prism_publicationname") or _VOLUME.sub("", told.get("Source", ""))
    if not named and (entry.get("volume") or entry.get("prism_volume")):
        named = _NEWEST.sub("", str(channel.get("title", "")))
    return clean(str(named))[:300] or None


def _moment(entry: Mapping[str, Any]) -> str | None:
    """When an item was published, in UTC."""
    for name in ("published_parsed", "updated_parsed", "created_parsed"):
        with suppress(ValueError, TypeError, OverflowError):
            moment = datetime(*entry[name][:6]) if entry.get(name) else None
            if moment and moment.year >= 1900:
                return moment.replace(tzinfo=UTC).isoformat(timespec="seconds")
    if found := re.match(r"[12]\d{3}-\d\d-\d\d", str(entry.get("prism_publicationdate", ""))):
        return f"{found[0]}T00:00:00+00:00"
    return None


def fetch_preprints(
    door: Door, server: str, category: str, *, since: date, until: date
) -> FeedPage:
    """What a server posted in a category from one day to another, both included.

    First versions are announced as ``cross``, later ones as ``replace``. Raises SourceFailure.
    """
    if SETTING not in door.endpoints:
        raise WrongHost("is not asked in a rehearsal", host=host_of(URL))
    items: dict[str, FeedItem] = {}
    seen = 0
    for _ in range(MAX_PAGES):
        where = f"{door.endpoints[SETTING]}/{server}/{since}/{until}/{seen}/json"
        response = door.get(f"{where}?category={quote(category.replace(' ', '_'))}")
        answer, host = read_json(response), host_of(response.url)
        found = tables(answer, "collection")
        total = _declared(answer, host, may_be_none=not (found or seen))
        seen += len(found)
        # Without the parameter's effect all categories would come.
        mine = [one for one in found if _text(one, "category", category).lower() == category]
        items |= {item.name: item for one in mine if (item := _preprint(one, server))}
        if seen >= total:
            return FeedPage(tuple(items.values()))
        if not found:
            raise unexpected(f"{seen} of {total} preprints", host)
    raise unexpected(f"more than {MAX_PAGES} pages", host)


def _declared(answer: object, host: str, *, may_be_none: bool) -> int:
    """How many preprints there are in all, by the answer."""
    message = next(iter(tables(answer, "messages")), {})
    status, total = _text(message, "status").lower(), number(message, "total")
    if status == "ok" and total is not None:
        return total
    if status.startswith("no posts found") and may_be_none:
        return 0
    raise unexpected(f"{clean(status)[:60]!r} instead of preprints", host)


def _text(one: object, name: str, default: str = "") -> str:
    return text(one, name) or default


def _preprint(one: dict[str, object], server: str) -> FeedItem | None:
    """One preprint; None for what has no DOI or no title, which none of theirs lacks."""
    doi, title = parse_doi(_text(one, "doi")), clean(html_text(_text(one, "title"), "html"))
    if not (doi and title):
        return None
    version = max(1, number(one, "version") or 1)
    day = next(iter(re.findall(r"^[12]\d{3}-\d\d-\d\d$", _text(one, "date"))), None)
    names = (doi, parse_doi(_text(one, "published")))
    facts = PaperFacts(
        title=title[:_MAX_TITLE],
        identifiers=tuple(Identifier("doi", name) for name in names if name),
        authors=tuple(names_in(f"{_text(one, 'authors')};")),
        links=(Link("paper", f"https://www.{server}.org/content/{quote(doi)}v{version}"),),
        abstract=html_text(_text(one, "abstract"), "html") or None,
        submitted=day,
        version=version,
        licence=clean(_text(one, "license")) or None,
    )
    kind: AnnouncementKind = "cross" if version == 1 else "replace"
    at = f"{day}T00:00:00+00:00" if day else None
    return FeedItem(f"doi:{doi}v{version}", at, Announcement(doi, version, kind, facts, "doi"))
