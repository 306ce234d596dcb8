"""Feeds of journals, blogs and preprint servers: RSS 2.0, RSS 1.0, Atom, and bioRxiv's API.

feedparser gets bytes that lxml has checked or repaired, fetches nothing and expands no entity. Real
feeds are broken in many ways: papertrack keeps what is readable and reports the rest. Each item
becomes an ``Announcement``, like those of arXiv. Its identifier is an arXiv id or DOI if it has
one, else its URL, else its id in the feed.

The API of bioRxiv and medRxiv (https://api.biorxiv.org/) states the total number of preprints. An
answer with fewer is a failure, not a quiet day.
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
from papertrack.text import clean, clean_block, has_endless_tag, shorten, strip_markup, title_key

if TYPE_CHECKING:
    from papertrack.sources.transport import Door

SETTING = "biorxiv_url"
URL = "https://api.biorxiv.org/details"
"""The address also serves medRxiv."""
MAX_PAGES = 100
"""Pages of 100 preprints; a month of the largest category has ten."""
MAX_BYTES = 8 * 1024 * 1024
"""Decoded; feeds with whole articles have a few megabytes."""
DEADLINE_SECONDS = 30.0
MAX_ITEMS = 2000
_MAX_TITLE = 1000
_MAX_ABSTRACT = 20_000
_MAX_AUTHORS = 3000
"""The largest collaborations in physics have this many."""
_DOCTYPE = re.compile(rb"<!DOCTYPE[^<>\[]{0,300}>", re.IGNORECASE)
"""A DOCTYPE without entities, as in RSS 0.91 and web pages."""
_END = re.compile(rb"</(?:\w{1,20}:)?(?:rss|feed|RDF)\s*>", re.IGNORECASE)
_START = re.compile(r"<\?xml\s|<(?:rss|feed|rdf:RDF)[\s>]", re.IGNORECASE)
_MAX_WARNING = 5000
"""Some servers print warnings of their programs before a feed."""
_UTF_16 = {
    **{b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"},
    **{b"<\0?\0": "utf-16-le", b"\0<\0?": "utf-16-be"},
}
"""How texts in UTF-16 start."""
_DECLARED_ENCODING = re.compile(
    rb"""\s*<\?xml[^<>]{0,60}?encoding=["']((?:gb|big5|shift_jis|euc-|koi8|iso-8859-(?!1["'])"""
    rb"""|windows-125)[\w-]{0,12})["']""",
    re.IGNORECASE,
)
"""Encodings besides UTF-8 and Windows-1252 in which broken feeds are read."""
_DECLARATION = re.compile(r"^\s*<\?xml[^<>]{0,200}\?>")
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_NUMBER = re.compile(r"&#(?:[xX]([0-9a-fA-F]{1,8})|([0-9]{1,8}));")
_NOT_ENTITY = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-fA-F]+);)([a-zA-Z]\w{1,30};)?")
_BLOCKS = "p div br li ul ol h1 h2 h3 h4 h5 h6 tr table blockquote section article pre figure"
_LABELLED = re.compile(r"(?:^|\n)\s*(Source|Author\(s\)):\s*([^\n]{1,20000})")
"""ScienceDirect has source and authors only in its descriptions."""
_NEWEST = re.compile(
    r"(?<!\s)\s*[-:–]\s*(?:new toc|latest articles|current issue)\b.*", re.IGNORECASE
)
"""What some journals add to their name in the title of a feed."""
_VOLUME = re.compile(r"(?:,|(?<!\s))\s*\b(?:Volume|Issue|Part)\s.*", re.DOTALL)
_JOURNAL_PLACE = re.compile(r"^[^:]{2,100}, Vol\. \d+, Pages? [\w-]+: ")
"""MDPI puts the place in the journal before the title."""
_CITATION = re.compile(
    r"(?:[^.\n]{1,200}, )?(?:Volume \d|Ahead of Print|Early ?View)[^.\n]{0,150}[.,\s]*",
    re.IGNORECASE,
)
"""The whole summary of some journals is where the paper was published."""
_MAIL = re.compile(r"\S{1,200}@\S{1,200}\s+\((.{1,300})\)")
"""RSS writes authors as mail addresses."""
_PEOPLE = frozenset("author contributor creator managingeditor owner publisher webmaster".split())
_ITEMS = ("item", "entry")
_TAGS = frozenset("category keywords subject tags".split())
_MOST_OF_TAGS = 1_000
"""Letters of the tags of an item."""
_ENDLESS_NAME = re.compile(r"([\w.+-]{300})[\w.+-]+", re.ASCII)
_INITIALS = re.compile(r"(?:[^\W\d_]\.?[ -]?){1,4}")


@dataclass(frozen=True, slots=True)
class FeedItem:
    """One item of a feed."""

    name: str
    """A permanent name in the feed, without blanks: ``doi:10.1101/123456v2``."""
    at: str | None
    """The time of publication in ISO 8601, UTC; None if the feed does not have it."""
    announcement: Announcement


@dataclass(frozen=True, slots=True)
class FeedPage:
    """The contents of a feed."""

    items: tuple[FeedItem, ...]
    """The items in the feed's order, each once."""
    problems: tuple[str, ...] = ()
    """What could not be read, in messages."""
    etag: str = ""
    modified: str = ""
    moved_to: str | None = None
    """The address that the server says to use from now on."""


def fetch_feed(
    door: Door, url: str, *, feed: str = "", etag: str = "", modified: str = ""
) -> FeedPage | None:
    """Return the contents of a feed, or None if nothing changed since these validators.

    ``feed`` is the feed's known address, if it has moved to ``url``. Raises SourceFailure; its
    subclass BadAnswer for anything but a feed.
    """
    validators = {"If-None-Match": etag, "If-Modified-Since": modified}
    response = door.get(
        url,
        max_bytes=MAX_BYTES,
        deadline=DEADLINE_SECONDS,
        expect=frozenset({200, 304}),
        headers={name: value for name, value in validators.items() if value},
    )
    if response.status == 304:
        return None
    page = parse_feed_page(response.body, response.url, feed=feed or url)
    # The rest of a broken page may come later with the same validators.
    response_headers = {} if page.problems else response.headers
    etag, modified = (clean(response_headers.get(n, ""))[:300] for n in ("etag", "last-modified"))
    return FeedPage(page.items, page.problems, etag, modified, response.moved_to)


def parse_feed_page(body: bytes, url: str, *, feed: str = "") -> FeedPage:
    """Parse the contents of a feed. Pure.

    ``url`` is where it came from, ``feed`` the feed's known address. Raises BadAnswer for anything
    but a feed, such as a web page.
    """
    host = host_of(url)
    root, problems = _tree(body, host)
    if str(root.tag).rpartition("}")[2].lower() == "html":
        raise _web_page(body, url)
    count = trim(root, MAX_ITEMS)
    parsed = read_feed(root, host)
    if not parsed.get("version"):
        raise unexpected(f"XML that is no feed ({str(root.tag)[:60]!r})", host)
    base = url
    with suppress(ValueError):
        base = urljoin(url, parsed.feed.get("link", ""))
    entries = [dict(entry) for entry in parsed.entries]
    if problems and not _END.search(_repair(body)[-500:]):
        del entries[-1:]  # The last entry may be cut off.
    if count > MAX_ITEMS:
        problems.append(f"only the first {MAX_ITEMS:,} of {count:,} items were read")
    named_entries = zip(entries, _names(entries, base), strict=True)
    parsed_items = [_item(e, *names, feed or url, parsed.feed) for e, names in named_entries]
    items: dict[str, FeedItem] = {}
    for item in filter(None, parsed_items):
        items.setdefault(item.name, item)
    if None in parsed_items:
        problems.append("an item has neither a title nor a text nor an address")
    return FeedPage(tuple(items.values()), tuple(dict.fromkeys(problems)))


def _tree(body: bytes, host: str) -> tuple[Any, list[str]]:
    """Return the root of a feed, and what had to be repaired. Raises BadAnswer."""
    body = _DOCTYPE.sub(b"", body, count=1) if b"<!" in body[:2000] else body
    try:
        return parse_xml(body.strip(), host=host), []
    except BadAnswer as error:
        if "DOCTYPE" in error.what or not body.strip():
            raise
        problem = error.what.partition("broken XML")[2].strip(" ()")
        is_cut = not isinstance(error, BrokenXML)
    root, has_errors = _recover(_repair(body))
    if root is None:
        raise unexpected(f"broken XML ({problem})", host)
    # A feed that only needed another encoding is complete.
    return root, [f"its XML is broken ({problem})"] if has_errors or is_cut else []


def trim(root: Any, most_items: int = sys.maxsize) -> int:
    """Trim a feed to what feedparser reads in linear time; return the number of its items.

    Its first ``most_items`` items stay. Endless tags and endless names go.
    """
    count = letters = 0
    for element in list(root.iterdescendants()):
        name = str(element.tag).rpartition("}")[2].lower()
        is_surplus = False
        if name in _ITEMS:
            count, letters = count + 1, 0
            is_surplus = count > most_items
        elif name in _TAGS:
            letters += 10 + len("".join(element.itertext()))
            is_surplus = letters > _MOST_OF_TAGS
        elif name in _PEOPLE:
            _cut_name(element)
        if is_surplus:
            element.getparent().remove(element)
    return count


def _cut_name(element: Any) -> None:
    name = "".join(element.itertext())
    if _ENDLESS_NAME.search(name):
        del element[:]
        element.text = _ENDLESS_NAME.sub(r"\1", name)


def _recover(body: bytes) -> tuple[Any, bool]:
    """Return the root of broken XML, or None, and whether something was lost."""
    from lxml import etree

    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=True
    )
    root = None
    with suppress(etree.XMLSyntaxError, ValueError):
        root = etree.fromstring(body, parser)
    if root is not None and bool(getattr(root.getroottree().docinfo, "doctype", "")):
        root = None
    return root, any(error.level_name != "WARNING" for error in parser.error_log)


def _repair(body: bytes) -> bytes:
    """Return the feed in UTF-8, without invalid characters and text before the XML."""
    text = _NOT_XML.sub("", _decode(body))
    start = _START.search(text[:_MAX_WARNING])
    if start and "<html" not in text[: start.start()].lower():
        text = text[start.start() :]
    # HTML entities are unknown in XML, and recovering would drop them.
    text = _NOT_ENTITY.sub(_replace_entity, _DECLARATION.sub("", text))
    # Some feeds write a character as its two UTF-16 numbers.
    utf16 = _NUMBER.sub(_replace_number, text).encode("utf-16", "surrogatepass")
    text = utf16.decode("utf-16", "replace")
    return _NOT_XML.sub("", text).encode()


def _decode(body: bytes) -> str:
    """Decode bytes that may not be in the encoding that they declare."""
    if wide := next((name for start, name in _UTF_16.items() if body.startswith(start)), None):
        return body.decode(wide, "replace").removeprefix("\ufeff")
    declared = _DECLARED_ENCODING.match(body)
    declared_names = [declared[1].decode()] if declared else []
    for encoding in ("utf-8-sig", *declared_names, "cp1252"):
        with suppress(UnicodeDecodeError):
            return body.decode(encoding)
    return body.decode(declared_names[0] if declared_names else "utf-8", "replace")


def _replace_number(match: re.Match[str]) -> str:
    """Return the character of an invalid number, if it is half of a valid one."""
    number = int(match[1], 16) if match[1] else int(match[2])
    if 0xD800 <= number < 0xE000:
        return chr(number)
    return "" if number > sys.maxunicode or _NOT_XML.match(chr(number)) else match[0]


def _replace_entity(match: re.Match[str]) -> str:
    import html

    char = html.unescape(match[0])
    return f"&amp;{match[0][1:]}" if char == match[0] or char[:1] == "&" else char


def _web_page(body: bytes, url: str) -> WebPage:
    """Return the failure for a web page instead of a feed, with the feed that it links."""
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
    guid: str,
    feed: str,
    channel: Mapping[str, Any],
) -> FeedItem | None:
    abstract = _abstract(entry)[:_MAX_ABSTRACT]
    title = _title(entry) or shorten(clean(abstract), 80) or link or ""
    if not title:
        return None
    label_matches = _LABELLED.findall(abstract) if "Publication date:" in abstract else ()
    labels = {name: clean(value) for name, value in label_matches}
    names = tuple(_identifiers(entry, address, guid)) or (_name_in(feed, guid or title_key(title)),)
    published, venue = _published_at(entry), _venue(entry, labels, channel)
    facts = PaperFacts(
        title=title[:_MAX_TITLE],
        kind="paper" if names[0].scheme != "url" or venue else "post",
        identifiers=names,
        authors=tuple(_authors(entry, labels))[:_MAX_AUTHORS],
        links=(Link("paper", link),) if link else (),
        abstract=abstract or None,
        submitted=published[:10] if published else None,
        venue=venue,
    )
    # It counts as a cross-list, so that topics see it in each feed that has it.
    announcement = Announcement(names[0].value, None, "cross", facts, names[0].scheme)
    return FeedItem(f"{names[0].scheme}:{names[0].value}", published, announcement)


def _name_in(feed: str, name: str) -> Identifier:
    """Return the identifier of an item that has only an id in its feed."""
    address = f"{feed}#/{quote(name, safe='')[:500]}"
    return identify(address) or Identifier("url", address)


def _names(
    entries: Sequence[Mapping[str, Any]], base: str
) -> Iterator[tuple[str | None, str | None, str]]:
    """Yield the link of each item, its URL as identifier, and its own id.

    A URL or id that several items share, such as their site's address, does not count.
    """
    links = [_link(entry, base) for entry in entries]
    addresses = [normalise_url(link or "") for link in links]
    ids = [clean(entry.get("id", ""))[:500] for entry in entries]
    items = list(zip(links, map(title_key, map(_title, entries)), strict=True))
    shared = _shared_names([*addresses, *ids], [*items, *items])
    for link, address, guid in zip(links, addresses, ids, strict=True):
        if address not in shared:
            yield link, address, guid
        else:  # The link is the item's own only if it has a fragment.
            fragment_link = link if link and urlsplit(link).fragment else None
            yield fragment_link, None, "" if guid in shared else guid


def _shared_names(names: Iterable[Hashable], items: Iterable[Hashable]) -> set[Hashable]:
    """Return the names that several different items have."""
    items_by_name: dict[Hashable, set[Hashable]] = {}
    for name, item in zip(names, items, strict=True):
        items_by_name.setdefault(name, set()).add(item)
    return {name for name, name_items in items_by_name.items() if len(name_items) > 1}


def _link(entry: Mapping[str, Any], base: str) -> str | None:
    """Return the web address of an item, or None."""
    guid = entry.get("id", "")
    for href in (entry.get("link", ""), guid if guid.startswith(("http://", "https://")) else ""):
        with suppress(ValueError):
            absolute = urljoin(base, clean(href)) if href else ""
            normal = urlsplit(normalise_url(absolute) or "")
            # The address of the site is not that of an item.
            if normal.path or normal.query or normal.fragment:
                # Drop the parameters that track where the reader came from.
                return urlsplit(absolute)._replace(query=normal.query).geturl()
    return None


def _identifiers(entry: Mapping[str, Any], address: str | None, guid: str) -> Iterator[Identifier]:
    """Yield the identifiers of an item, one of each scheme, the strongest first."""
    fields = [entry.get(field) for field in ("prism_doi", "dc_identifier", "doi", "prism_url")]
    identifiers = [identify_work(t) for t in (*fields, address, guid) if isinstance(t, str) and t]
    by_scheme: dict[str, Identifier] = {}
    for identifier in filter(None, identifiers):
        by_scheme.setdefault(identifier.scheme, identifier)
    yield from sorted(by_scheme.values(), key=lambda i: (i.scheme != "arxiv", i.scheme != "doi"))
    if not by_scheme and address:
        yield Identifier("url", address)


def _title(entry: Mapping[str, Any]) -> str:
    title = html_text(entry.get("title", ""), str(entry.get("title_detail", {}).get("type", "")))
    # Some feeds escape the title twice.
    title = clean(strip_markup(title) if re.search(r"</?[a-z]{1,6}>", title) else title)
    return _JOURNAL_PLACE.sub("", title, count=1)


def _abstract(entry: Mapping[str, Any]) -> str:
    """Return the item's summary, or its text if there is none."""
    for part in (entry.get("summary_detail"), *entry.get("content", ())):
        text = html_text(part.get("value", ""), str(part.get("type", ""))) if part else ""
        if text and not _CITATION.fullmatch(text):
            return text
    text = html_text(str(entry.get("summary", "")), "text/html")
    return "" if _CITATION.fullmatch(text) else text


def html_text(text: str, kind: str) -> str:
    """Return the text of HTML in paragraphs; text of another type is only cleaned."""
    if "html" not in kind or not re.search("[<&]", text):
        return clean_block(text)
    from lxml import html

    try:
        # Line ends are blanks in HTML.
        flat = " ".join(text[: 10 * _MAX_ABSTRACT].split())
        if has_endless_tag(flat):
            raise ValueError("This would take minutes.")
        tree = html.fragment_fromstring(flat, create_parent="div")
    except (ValueError, AssertionError, html.etree.LxmlError):
        return clean_block(strip_markup(text))
    for element in tree.iter(*_BLOCKS.split()):
        element.tail = "\n\n" + (element.tail or "")
        element.text = "\n\n" + (element.text or "")
    for element in tree.xpath(".//script|.//style"):
        element.text = ""
    return clean_block(str(tree.text_content()))


def _authors(entry: Mapping[str, Any], labels: Mapping[str, str]) -> Iterator[Author]:
    names = entry.get("authors", [])
    if isinstance(names, str):  # IEEE has an element of its own.
        names = [{"name": name} for name in names.split(";")]
    lines = [clean(text(person, "name") or "") for person in names]
    if mail := _MAIL.fullmatch(clean(str(entry.get("author", "")))):
        lines = [mail[1]]
    for line in [person for person in lines if person] or [labels.get("Author(s)", "")]:
        yield from names_in(line)


def names_in(line: str) -> Sequence[Author]:
    """Parse the authors of ``Doe, J. A., Roe, R.``, ``Doe, J.; Roe, R.`` or ``J. Doe, R. Roe``."""
    if ";" in line:
        return [Author(_given_name_first(part)) for part in map(clean, line.split(";")) if part]
    parts = [clean(part) for part in line.split(",")]
    if len(parts) > 1 and len(parts) % 2 == 0 and all(map(_INITIALS.fullmatch, parts[1::2])):
        pairs = zip(parts[::2], parts[1::2], strict=True)
        return [Author(f"{first} {last}") for last, first in pairs]
    return split_authors(line)


def _given_name_first(name: str) -> str:
    last, comma, first = name.partition(",")
    return clean(f"{first} {last}") if comma else name


def _venue(
    entry: Mapping[str, Any], labels: Mapping[str, str], channel: Mapping[str, Any]
) -> str | None:
    """Return the journal of an item, if the feed is a journal's."""
    journal = entry.get("prism_publicationname") or _VOLUME.sub("", labels.get("Source", ""))
    if not journal and (entry.get("volume") or entry.get("prism_volume")):
        journal = _NEWEST.sub("", str(channel.get("title", "")))
    return clean(str(journal))[:300] or None


def _published_at(entry: Mapping[str, Any]) -> str | None:
    """Return when an item was published, in UTC, or None."""
    for name in ("published_parsed", "updated_parsed", "created_parsed"):
        with suppress(ValueError, TypeError, OverflowError):
            moment = datetime(*entry[name][:6]) if entry.get(name) else None
            if moment and moment.year >= 1900:
                return moment.replace(tzinfo=UTC).isoformat(timespec="seconds")
    if match := re.match(r"[12]\d{3}-\d\d-\d\d", str(entry.get("prism_publicationdate", ""))):
        return f"{match[0]}T00:00:00+00:00"
    return None


def fetch_preprints(
    door: Door, server: str, category: str, *, since: date, until: date
) -> FeedPage:
    """Return the preprints that a server posted in a category between two days, inclusive.

    First versions are announced as ``cross``, later ones as ``replace``. Raises SourceFailure.
    """
    if SETTING not in door.endpoints:
        raise WrongHost("is not contacted in a test setup", host=host_of(URL))
    items: dict[str, FeedItem] = {}
    count = 0
    for _ in range(MAX_PAGES):
        where = f"{door.endpoints[SETTING]}/{server}/{since}/{until}/{count}/json"
        response = door.get(f"{where}?category={quote(category.replace(' ', '_'))}")
        answer, host = read_json(response), host_of(response.url)
        posts = tables(answer, "collection")
        total = _declared_total(answer, host, may_be_none=not (posts or count))
        count += len(posts)
        # If the server ignores the parameter, preprints of all categories come.
        category_posts = [p for p in posts if _text(p, "category", category).lower() == category]
        items |= {item.name: item for post in category_posts if (item := _preprint(post, server))}
        if count >= total:
            return FeedPage(tuple(items.values()))
        if not posts:
            raise unexpected(f"{count} of {total} preprints", host)
    raise unexpected(f"more than {MAX_PAGES} pages", host)


def _declared_total(answer: object, host: str, *, may_be_none: bool) -> int:
    """Return the total number of preprints that the answer states."""
    message = next(iter(tables(answer, "messages")), {})
    status, total = _text(message, "status").lower(), number(message, "total")
    if status == "ok" and total is not None:
        return total
    if status.startswith("no posts found") and may_be_none:
        return 0
    raise unexpected(f"{clean(status)[:60]!r} instead of preprints", host)


def _text(post: object, name: str, default: str = "") -> str:
    return text(post, name) or default


def _preprint(post: dict[str, object], server: str) -> FeedItem | None:
    """Return one preprint, or None if it has no DOI or title, which all have."""
    doi, title = parse_doi(_text(post, "doi")), clean(html_text(_text(post, "title"), "html"))
    if not (doi and title):
        return None
    version = max(1, number(post, "version") or 1)
    day = next(iter(re.findall(r"^[12]\d{3}-\d\d-\d\d$", _text(post, "date"))), None)
    dois = (doi, parse_doi(_text(post, "published")))
    facts = PaperFacts(
        title=title[:_MAX_TITLE],
        identifiers=tuple(Identifier("doi", doi_text) for doi_text in dois if doi_text),
        authors=tuple(names_in(f"{_text(post, 'authors')};")),
        links=(Link("paper", f"https://www.{server}.org/content/{quote(doi)}v{version}"),),
        abstract=html_text(_text(post, "abstract"), "html") or None,
        submitted=day,
        version=version,
        licence=clean(_text(post, "license")) or None,
    )
    kind: AnnouncementKind = "cross" if version == 1 else "replace"
    at = f"{day}T00:00:00+00:00" if day else None
    return FeedItem(f"doi:{doi}v{version}", at, Announcement(doi, version, kind, facts, "doi"))
