"""Make the files of a site: list pages, a page for each paper, redirects and the feed.

A paper is on the list page that was newest when it was added. So a new paper changes only the
first page, and a pass only the page that lists the paper.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

from papertrack.category_paths import format_path
from papertrack.exporters.bibtex import entry_of
from papertrack.exporters.digest import FeedEntry, http_address, links_of, title_of, to_atom
from papertrack.exporters.site.data import library_json, search_json, shown_readings
from papertrack.exporters.site.names import page_names
from papertrack.identifiers.derived import address_of, year_of
from papertrack.latex.display import readable
from papertrack.records import Paper
from papertrack.text import clean, clean_block, plural

PER_PAGE = 500
"""The number of papers on an older page; the first page has up to twice as many."""
_FEED_ENTRIES = 50
_TEMPLATES = Path(__file__).parent / "templates"
_MAX_AUTHORS = 8
_CHART_ROWS = 24


@dataclass(frozen=True, slots=True)
class Site:
    """The content of a site."""

    title: str
    papers: Sequence[Paper]
    address: str | None = None
    """The address where it will be published, ending in a slash; None if unknown."""
    shows: frozenset[str] = frozenset()
    """The private data that it shows: items of the registry's ``PRIVATE``."""
    notes: Callable[[Paper], Sequence[str]] = lambda paper: ()
    """Returns the texts of a paper's notes; called only when notes are shown."""


class Row(NamedTuple):
    """A paper in the list."""

    paper: Paper
    title: str
    page: str
    """The name of the paper's page in ``papers/``."""
    authors: str
    year: int | None
    venue: str
    passes: str
    categories: tuple[str, ...]
    links: tuple[tuple[str, str], ...]
    """Label and address."""


class Bar(NamedTuple):
    """One line of a chart."""

    label: str
    papers: int
    query: str
    """The search query for these papers."""
    share: int = 100
    """The length in percent of the chart's longest bar."""


def make_site(site: Site) -> Iterator[tuple[str, bytes]]:
    """Yield each file of the site: its path in the site's folder, with ``/``, and its bytes.

    The same papers give the same bytes. Names depend only on the citekeys (see ``page_names``).
    """
    papers = sorted(site.papers, key=attrgetter("added", "id"))
    names = page_names(papers)
    rows = [_row(paper, names[paper.citekey]) for paper in papers]
    render = _renderer(site)
    parts = _parts(rows)
    charts = _charts(papers)
    for number, part in enumerate(parts[:-1], 1):
        first = (number - 1) * PER_PAGE + 1
        yield (
            f"pages/{number}.html",
            render("older.html", rows=_newest_first(part), first=first, number=number, root="../"),
        )
    yield (
        "index.html",
        render(
            "index.html",
            rows=_newest_first(parts[-1]),
            count=plural(len(papers), "paper"),
            older=range(len(parts) - 1, 0, -1),
            charts=charts,
            root="",
        ),
    )
    for row in rows:
        yield f"papers/{row.page}.html", _paper_page(site, row, render)
    for alias, page in _aliases(papers, names):
        yield f"papers/{alias}.html", render("moved.html", page=page, root="../")
    library = library_json(papers, site.shows)
    yield "library.json", library
    yield "search.json", search_json(papers, names, len(library))
    yield "feed.xml", _feed(site, papers, names)
    for name in ("site.css", "site.js"):
        yield name, (_TEMPLATES / name).read_bytes()


def _renderer(site: Site) -> Callable[..., bytes]:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["clean_block"] = clean_block
    environment.globals.update(site=site, per_page=PER_PAGE)

    def render(template: str, **values: Any) -> bytes:
        return environment.get_template(template).render(**values).encode("utf-8", "replace")

    return render


def _parts(rows: Sequence[Row]) -> list[Sequence[Row]]:
    """Split the rows into list pages, oldest first; the last part goes on the first page."""
    full = max(len(rows) // PER_PAGE - 1, 0)
    cuts = [*range(0, full * PER_PAGE, PER_PAGE), full * PER_PAGE]
    return [rows[at : at + PER_PAGE] for at in cuts[:-1]] + [rows[cuts[-1] :]]


def _newest_first(rows: Sequence[Row]) -> list[Row]:
    """Sort rows by day, newest first; papers of one day stay in the order of adding."""
    return sorted(rows, key=lambda row: row.paper.added[:10], reverse=True)


def _row(paper: Paper, page: str) -> Row:
    facts = paper.facts
    names = [clean(author.name) for author in facts.authors]
    authors = ", ".join(names[:_MAX_AUTHORS])
    if len(names) > _MAX_AUTHORS:
        authors += f" and {len(names) - _MAX_AUTHORS} more"
    address = http_address(address_of(paper))
    main = [("paper" if facts.kind == "paper" else "open", address)] if address else []
    other_links = [(label, url) for label, url in links_of(paper) if url != address]
    return Row(
        paper,
        readable(title_of(paper)),
        page,
        authors,
        year_of(paper),
        clean(facts.venue or ""),
        " ".join("✓" * paper.passes_done),
        tuple(format_path(path) for path in paper.categories),
        tuple(dict.fromkeys([*main, *other_links])),
    )


def _paper_page(site: Site, row: Row, render: Callable[..., bytes]) -> bytes:
    paper, facts, shows = row.paper, row.paper.facts, site.shows
    return render(
        "work.html",
        root="../",
        row=row,
        facts=facts,
        authors=[clean(author.name) for author in facts.authors],
        abstract=_paragraphs(readable(facts.abstract or "")),
        description=_paragraphs(facts.description or ""),
        doi=facts.identifier("doi"),
        arxiv=facts.identifier("arxiv"),
        meta=_citation_tags(paper, row),
        readings=shown_readings(paper, shows),
        notes=[clean_block(text) for text in site.notes(paper)] if "notes" in shows else [],
        # A new entry, since the user's own may contain local paths of PDFs.
        bibtex=entry_of(paper).strip(),
    )


def _paragraphs(text: str) -> list[str]:
    return [line for line in clean_block(text).split("\n") if line]


def _citation_tags(paper: Paper, row: Row) -> list[tuple[str, str]]:
    """Return the tags that Google Scholar and Zotero's connector read.

    https://scholar.google.com/intl/en/scholar/inclusion.html#indexing
    """
    facts = paper.facts
    submitted = (facts.submitted or "")[:10].replace("-", "/")
    is_article = facts.published_type in (None, "article")
    tags = [
        ("title", row.title),
        *(("author", clean(author.name)) for author in facts.authors),
        ("publication_date", str(facts.year or submitted)),
        ("journal_title" if is_article else "conference_title", row.venue),
        ("doi", facts.identifier("doi")),
        ("arxiv_id", facts.identifier("arxiv")),
        ("pdf_url", dict(row.links).get("pdf")),
    ]
    return [(f"citation_{name}", value) for name, value in tags if value]


def _aliases(papers: Sequence[Paper], names: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Yield a page name for each former key, and the page that it redirects to.

    Leaves out ambiguous keys.
    """
    owners: dict[str, set[str]] = {}
    for paper in papers:
        for alias in paper.citekey_aliases:
            owners.setdefault(alias, set()).add(names[paper.citekey])
    used = {name.casefold() for name in names.values()}
    for alias in sorted(owners):
        (name,) = page_names([alias]).values()
        if len(owners[alias]) == 1 and name.casefold() not in used:
            used.add(name.casefold())
            yield name, next(iter(owners[alias]))


_PASSES = ("not read yet", "first pass", "second pass", "third pass")


def _charts(papers: Sequence[Paper]) -> list[tuple[str, list[Bar]]]:
    """Return charts by pass, category, tag and year, each with a title and bars."""
    passes = Counter(paper.passes_done for paper in papers)
    years = Counter(filter(None, map(year_of, papers)))
    categories = Counter(format_path(path) for paper in papers for path in paper.categories)
    tags = Counter(tag for paper in papers for tag in paper.tags)
    newest = sorted(years, reverse=True)[:_CHART_ROWS]
    charts = {
        "Passes": [Bar(_PASSES[done], passes[done], f"pass:{done}") for done in sorted(passes)],
        "Categories": _named_bars("category", categories),
        "Tags": _named_bars("tag", tags),
        "Years": [Bar(str(year), years[year], f"year:{year}") for year in newest],
    }
    return [(title, _with_shares(bars)) for title, bars in charts.items() if bars]


def _named_bars(field: str, counts: Counter[str]) -> list[Bar]:
    top = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:_CHART_ROWS]
    escapes = str.maketrans({"\\": "\\\\", '"': '\\"'})
    return [Bar(name, count, f'{field}:"{name.translate(escapes)}"') for name, count in top]


def _with_shares(bars: Sequence[Bar]) -> list[Bar]:
    longest = max(bar.papers for bar in bars)
    return [bar._replace(share=round(100 * bar.papers / longest)) for bar in bars]


def _feed(site: Site, papers: Sequence[Paper], names: dict[str, str]) -> bytes:
    newest = sorted(papers, key=attrgetter("added", "id"), reverse=True)[:_FEED_ENTRIES]
    entries = [
        FeedEntry(
            paper,
            tuple(format_path(path) for path in paper.categories),
            "",
            f"{paper.added[:10]}T00:00:00+00:00",  # The time of day stays private.
            f"{site.address}papers/{names[paper.citekey]}.html" if site.address else None,
        )
        for paper in newest
    ]
    return to_atom(
        entries,
        name=f"site:{site.address or site.title}",
        title=site.title,
        updated="1970-01-01T00:00:00+00:00",
        place=f"{site.address}feed.xml" if site.address else "feed.xml",
    ).encode("utf-8", "replace")
