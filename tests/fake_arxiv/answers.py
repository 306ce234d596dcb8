"""Answers in arXiv's shapes: the query API, the feeds, OAI-PMH, DataCite, the listing pages."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from html import escape
from xml.sax.saxutils import escape as xml
from xml.sax.saxutils import quoteattr

from tests.fake_arxiv.records import Work

ATOM = "application/atom+xml; charset=utf-8"


@dataclass
class Answer:
    """What goes over the wire if no fault changes it."""

    status: int
    content_type: str
    body: bytes
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Announced:
    """One line of a day's announcements in one category."""

    work: Work
    kind: str = "new"
    version: int = 1


def api_feed(works: Sequence[tuple[Work, int]], total: int, start: int, size: int) -> Answer:
    """A page of the query API: works, each in the version asked for."""
    entries = "".join(_api_entry(work, version) for work, version in works)
    return Answer(200, ATOM, _api_head(total, start, size).encode() + f"{entries}</feed>".encode())


def api_error(summary: str) -> Answer:
    slug = summary.replace(" ", "_")
    entry = (
        f"<entry><id>https://arxiv.org/api/errors#{xml(slug)}</id><title>Error</title>"
        f"<updated>2026-04-12T22:59:06Z</updated><summary>{xml(summary)}</summary>"
        "<author><name>arXiv api core</name></author></entry></feed>"
    )
    return Answer(400, ATOM, (_api_head(1, 0, 1) + entry).encode())


def _api_head(total: int, start: int, size: int) -> str:
    return (
        "<?xml version='1.0' encoding='UTF-8'?>\n"
        '<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" '
        'xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns="http://www.w3.org/2005/Atom">\n'
        "<id>https://arxiv.org/api/fake</id><title>arXiv Query</title>"
        "<updated>2026-04-12T22:09:27Z</updated>"
        f"<opensearch:itemsPerPage>{size}</opensearch:itemsPerPage>"
        f"<opensearch:totalResults>{total}</opensearch:totalResults>"
        f"<opensearch:startIndex>{start}</opensearch:startIndex>\n"
    )


def _api_entry(work: Work, version: int) -> str:
    versioned = f"{work.arxiv_id}v{version}"
    lines = [
        f"<id>http://arxiv.org/abs/{versioned}</id>",
        f"<title>{xml(work.title)}</title>",
        f"<updated>{work.versions[version - 1]}</updated>",
        f'<link href="https://arxiv.org/abs/{versioned}" rel="alternate" type="text/html"/>',
        f'<link href="https://arxiv.org/pdf/{versioned}" rel="related" '
        'type="application/pdf" title="pdf"/>',
        f"<summary>{xml(work.abstract)}</summary>",
        *(f'<category term="{name}" scheme="x"/>' for name in work.categories),
        f"<published>{work.versions[0]}</published>",
        f"<arxiv:comment>{xml(work.comment)}</arxiv:comment>" if work.comment else "",
        f'<arxiv:primary_category term="{work.categories[0]}"/>',
        f"<arxiv:journal_ref>{xml(work.journal_ref)}</arxiv:journal_ref>"
        if work.journal_ref
        else "",
        *(
            f"<author><name>{xml(name)}</name>"
            + (f"<arxiv:affiliation>{xml(where)}</arxiv:affiliation>" if where else "")
            + "</author>"
            for name, where in work.authors
        ),
        f"<arxiv:doi>{xml(work.doi)}</arxiv:doi>" if work.doi else "",
    ]
    return "<entry>" + "\n".join(line for line in lines if line) + "</entry>\n"


def daily_feed(category: str, day: date, announced: Sequence[Announced]) -> Answer:
    """The Atom feed of one category, made on ``day``."""
    entries = "".join(
        f"<entry><id>oai:arXiv.org:{item.work.arxiv_id}v{item.version}</id>"
        f"<title>{xml(item.work.title_tex or item.work.title)}</title>"
        f"<updated>{day}T04:00:19.899254+00:00</updated>"
        f'<link href="https://arxiv.org/abs/{item.work.arxiv_id}" rel="alternate" '
        'type="text/html"/>'
        f"<summary>arXiv:{item.work.arxiv_id}v{item.version} Announce Type: {item.kind} \n"
        f"Abstract: {xml(item.work.abstract)}</summary>"
        + "".join(f'<category term="{name}"/>' for name in item.work.categories)
        + f"<published>{day}T00:00:00-04:00</published>"
        f"<arxiv:announce_type>{item.kind}</arxiv:announce_type>"
        f"<dc:rights>{item.work.licence}</dc:rights>"
        + (f"<arxiv:DOI>{xml(item.work.doi)}</arxiv:DOI>" if item.work.doi else "")
        + (
            f"<arxiv:journal_reference>{xml(item.work.journal_ref)}</arxiv:journal_reference>"
            if item.work.journal_ref
            else ""
        )
        + f"<dc:creator>{xml(item.work.author_line)}</dc:creator></entry>\n"
        for item in announced
    )
    return Answer(200, ATOM, _feed_head(category, f"{category} updates on arXiv.org", day, entries))


def feed_error(query: str) -> Answer:
    day = date(2026, 1, 1)
    return Answer(400, ATOM, _feed_head(query, f"Feed error for query: {query}", day, ""))


def _feed_head(category: str, title: str, day: date, entries: str) -> bytes:
    return (
        "<?xml version='1.0' encoding='UTF-8'?>\n"
        '<feed xmlns:arxiv="http://arxiv.org/schemas/atom" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns="http://www.w3.org/2005/Atom" '
        'xml:lang="en-us">\n'
        f"<id>http://rss.arxiv.org/atom/{xml(category)}</id><title>{xml(title)}</title>"
        f"<updated>{day}T04:00:19.866337+00:00</updated>"
        f'<link href={quoteattr("http://rss.arxiv.org/atom/" + category)} rel="self" '
        'type="application/atom+xml"/>'
        f"<subtitle>{xml(category)} updates on the arXiv.org e-print archive.</subtitle>\n"
        f"{entries}</feed>"
    ).encode()


SECTIONS = {
    "new": ("New submissions", ("new",)),
    "cross": ("Cross submissions", ("cross",)),
    "replace": ("Replacement submissions", ("replace", "replace-cross")),
}


def listing_page(
    heading: str, announced: Sequence[Announced], whole: Sequence[Announced] = ()
) -> Answer:
    """A /list/…/new or /catchup page with its own date and counts.

    ``whole`` is what all pages of the day hold, where this is not the only one.
    """
    sections = []
    number = 0
    for title, kinds in SECTIONS.values():
        items = [item for item in announced if item.kind in kinds]
        if not items:
            continue
        rows = []
        for item in items:
            number += 1
            rows.append(_listing_row(number, item))
        count = sum(item.kind in kinds for item in whole or announced)
        part = "" if len(items) == count else "first "
        sections.append(
            f"<dl id='articles'>\n<h3>{title} (showing {part}{len(items)} of {count} entries)"
            "</h3>\n" + "".join(rows) + "</dl>\n"
        )
    body = "".join(sections) or "<p>No updates today.</p>"
    page = f"<!DOCTYPE html><html><body><div id='dlpage'>{heading}\n{body}</div></body></html>"
    return Answer(200, "text/html; charset=utf-8", page.encode())


def _listing_row(number: int, item: Announced) -> str:
    work = item.work
    note = {"cross": f"(cross-list from {work.categories[0]})", "new": ""}.get(
        item.kind, "(replaced)"
    )
    authors = ", ".join(f"<a href='/a/x' rel='nofollow'>{escape(n)}</a>" for n, _ in work.authors)
    comment = (
        "<div class='list-comments mathjax'><span class='descriptor'>Comments:</span>\n"
        f"{escape(work.comment)}\n</div>"
        if work.comment
        else ""
    )
    subjects = "; ".join(f"Some Subject ({name})" for name in work.categories[1:])
    return (
        f"<dt><a name='item{number}'>[{number}]</a>\n"
        f'<a href ="/abs/{work.arxiv_id}" title="Abstract" id="{work.arxiv_id}">\n'
        f"arXiv:{work.arxiv_id}\n</a>\n{note}\n[<a href='/pdf/{work.arxiv_id}'>pdf</a>]\n</dt>\n"
        "<dd><div class='meta'><div class='list-title mathjax'>"
        f"<span class='descriptor'>Title:</span>\n{escape(work.title)}\n</div>"
        f"<div class='list-authors'>{authors}</div>{comment}"
        "<div class='list-subjects'><span class='descriptor'>Subjects:</span>\n"
        f'<span class="primary-subject">First Subject ({work.categories[0]})</span>'
        f"{'; ' + subjects if subjects else ''}</div>"
        f"<p class='mathjax'>\n{escape(work.abstract)}\n</p></div></dd>\n"
    )


def oai(inner: str, today: date = date(2026, 11, 20)) -> Answer:
    body = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/">\n'
        f"<responseDate>{today}T10:00:00Z</responseDate>"
        f"<request>http://oaipmh.arxiv.org/oai</request>\n{inner}</OAI-PMH>"
    )
    return Answer(200, "text/xml; charset=utf-8", body.encode())


def oai_error(code: str, text: str = "", today: date = date(2026, 11, 20)) -> Answer:
    return oai(f'<error code="{code}">{xml(text)}</error>', today)


def oai_record(work: Work) -> str:
    """A record with metadataPrefix=arXivRaw."""

    def part(name: str, value: str | None) -> str:
        return f"<{name}>{xml(value)}</{name}>" if value else ""

    versions = "".join(
        f'<version version="v{number}"><date>'
        f"{datetime.fromisoformat(time):%a, %d %b %Y %H:%M:%S} GMT</date>"
        "<size>20kb</size><source_type>D</source_type></version>"
        for number, time in enumerate(work.versions, 1)
    )
    return (
        f"<record><header><identifier>oai:arXiv.org:{work.arxiv_id}</identifier>"
        f"<datestamp>{work.versions[-1][:10]}</datestamp><setSpec>cs</setSpec></header><metadata>"
        '<arXivRaw xmlns="http://arxiv.org/OAI/arXivRaw/">'
        f"<id>{work.arxiv_id}</id><submitter>Somebody</submitter>{versions}"
        + part("title", work.title_tex or work.title)
        + part("authors", work.author_line)
        + part("categories", " ".join(work.categories))
        + part("comments", work.comment)
        + part("journal-ref", work.journal_ref)
        + part("doi", work.doi)
        + part("license", work.licence)
        + part("abstract", f"  {work.abstract}\n")
        + "</arXivRaw></metadata></record>\n"
    )


def datacite(work: Work) -> Answer:
    attributes: dict[str, object] = {
        "titles": [{"title": work.title}],
        "creators": [
            {
                "name": name,
                "nameType": "Personal",
                "givenName": name.rpartition(" ")[0] or None,
                "familyName": name.rpartition(" ")[2],
                "affiliation": [where] if where else [],
            }
            for name, where in work.authors
        ],
        "descriptions": [{"description": work.abstract, "descriptionType": "Abstract"}],
        "subjects": [
            {"subject": f"Some Subject ({name})", "subjectScheme": "arXiv"}
            for name in work.categories
        ],
        "dates": [
            {"date": work.versions[0], "dateType": "Submitted", "dateInformation": "v1"},
            {"date": work.versions[-1], "dateType": "Updated"},
        ],
        "rightsList": [{"rightsUri": work.licence}],
        "publicationYear": int(work.versions[0][:4]),
        "relatedIdentifiers": [
            {
                "relatedIdentifier": work.doi,
                "relatedIdentifierType": "DOI",
                "relationType": "IsVersionOf",
            }
        ]
        if work.doi
        else [],
    }
    return datacite_deposit(f"10.48550/arxiv.{work.arxiv_id.lower()}", attributes)


def datacite_deposit(doi: str, attributes: dict[str, object]) -> Answer:
    """DataCite's record of any DOI that is registered there."""
    body = json.dumps({"data": {"id": doi, "attributes": {"doi": doi, **attributes}}})
    return Answer(200, "application/json; charset=utf-8", body.encode())
