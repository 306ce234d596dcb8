"""The text of the library's PDFs: update the index, find phrases, find citations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from os.path import realpath

from papertrack.errors import NotFoundError, StoreError
from papertrack.pdfs.reader import PdfReader, UnreadablePdf
from papertrack.pdfs.texts import sentence_with, words_of
from papertrack.records import PASSES, Paper
from papertrack.store.citations import Citation, read_citations
from papertrack.store.listing import ListedPaper, read_rows
from papertrack.store.lookup import citekey_of, get_papers
from papertrack.store.pdfs import PdfFile, has_index, known_pdfs, open_index, present_pdfs
from papertrack.store.states import passes_of_papers
from papertrack.store.store import Store
from papertrack.text import plural

SCAN = "has no text: it is a scan, or consists of pictures"
_MOST_NAMED = 5


@dataclass(frozen=True, slots=True)
class UnreadPdf:
    """A PDF without searchable text."""

    file: str
    reason: str


@dataclass(frozen=True, slots=True)
class IndexedPdfs:
    """The result of updating the index of PDFs."""

    read: int
    """PDFs that were new or changed."""
    forgotten: int
    """PDFs that no longer exist."""
    pdfs: int
    """The number of PDFs now."""
    pages: int
    """The number of pages with text."""
    problems: list[UnreadPdf]
    missing: list[str]
    """Messages about linked PDFs that no longer exist; their text stays searchable."""

    def sentences(self) -> Iterator[str]:
        yield from self.missing[:_MOST_NAMED]
        if not self.pdfs and not self.missing:
            yield "There is no PDF yet. Fetch one: `papertrack pdf get REF`."
            return
        done = f"{plural(self.read, 'PDF')} read" if self.read else "Nothing new"
        forgotten = f", {self.forgotten} forgotten" if self.forgotten else ""
        pages = f"{plural(self.pages, 'page')} of {plural(self.pdfs, 'PDF')}"
        yield f"{done}{forgotten}: {pages} are searchable."
        for problem in self.problems[:_MOST_NAMED]:
            yield f"{problem.file} {problem.reason}."
        if (more := len(self.problems) - _MOST_NAMED) > 0:
            yield f"… and {more} more that are not searchable; --json lists all."


def missing_sentences(store: Store, files: Iterable[PdfFile]) -> list[str]:
    """Return messages about those of these PDFs that no longer exist."""
    return [
        f"{realpath(file.path)} is no longer there. `papertrack pdf add FILE --to "
        f"{citekey_of(store, file.paper_id)}` adds it from its new place. Or remove {file.path}."
        for file in files
        if not file.mark
    ]


def new_pdfs(store: Store) -> list[PdfFile]:
    """Return the PDFs whose current state is not in the index."""
    files = present_pdfs(store)
    if not files:
        return []
    with open_index(store) as index:
        indexed = index.known()
    return [file for file in files if indexed.get(file.name) != file.mark]


def index_pdfs(
    store: Store, progress: Callable[[int, int], None] = lambda done, total: None
) -> IndexedPdfs:
    """Index PDFs that are new or changed, and forget those that are gone.

    An interruption keeps what was indexed. Raises StoreError when the index cannot be written.
    """
    pdfs, new = known_pdfs(store), new_pdfs(store)
    if not pdfs:
        return IndexedPdfs(0, 0, 0, 0, [], [])
    with open_index(store) as index, PdfReader() as reader:
        removed = index.known().keys() - {file.name for file in pdfs}
        index.remove(removed)
        for done, file in enumerate(new):
            progress(done, len(new))
            try:
                pages = reader.read(file.path).pages
                problem = "" if any(map(str.strip, pages)) else SCAN
            except UnreadablePdf as error:
                pages, problem = (), error.reason
            index.put(file.name, file.mark, pages, problem)
        problems = index.problems()
        return IndexedPdfs(
            len(new),
            len(removed),
            sum(bool(file.mark) for file in pdfs),
            index.count_pages(),
            [UnreadPdf(f.path.name, problems[f.name]) for f in pdfs if f.name in problems],
            missing_sentences(store, pdfs),
        )


@dataclass(frozen=True, slots=True)
class PdfPassage:
    """A sentence of a PDF that contains a phrase."""

    citekey: str
    title: str | None
    page: int
    sentence: str
    path: str


@dataclass(frozen=True, slots=True)
class Passages:
    """The result of a search in PDFs."""

    phrase: str
    pages: int
    """The number of pages that contain the phrase."""
    papers: int
    passages: list[PdfPassage]
    """The first of these pages."""
    missing: list[str]
    """Messages about matching PDFs that no longer exist."""


def find_passages(
    store: Store, phrase: str, *, limit: int, paper_ids: Sequence[int] | None = None
) -> Passages:
    """Find the pages of PDFs that contain the words of a phrase side by side.

    Searches all papers unless some are given, and returns a sentence of each page. ``accept*``
    also finds acceptance. Raises NotFoundError when the phrase has no word.
    """
    is_start = phrase.endswith("*")
    if not words_of(phrase):
        raise NotFoundError(f"{phrase!r} has no words to search for.")
    if not has_index(store):
        return Passages(phrase, 0, 0, [], [])
    files = {file.name: file for file in known_pdfs(store, paper_ids)}
    with open_index(store) as index:
        places = index.places_of(phrase, is_start=is_start)
        places = [place for place in places if place.name in files]
        texts = list(map(index.text_of, places[:limit]))
    ids = {files[place.name].paper_id for place in places}
    missing = missing_sentences(store, {place.name: files[place.name] for place in places}.values())
    rows = {row.id: row for row in read_rows(store, sorted(ids))}
    passages = []
    for place, text in zip(places, texts, strict=False):
        file = files[place.name]
        row = rows[file.paper_id]
        sentence = sentence_with(text, phrase.rstrip("*"), is_start=is_start)
        passages.append(PdfPassage(row.citekey, row.title, place.page, sentence, str(file.path)))
    return Passages(phrase, len(places), len(ids), passages, missing)


def citations_of(store: Store, paper_id: int) -> tuple[list[ListedPaper], list[ListedPaper]]:
    """Return the papers that a paper cites, and those that cite it, ordered by citekey."""
    pairs = _citations(store, [paper_id])
    cites = read_rows(store, [pair.cited for pair in pairs if pair.citing == paper_id])
    cited_by = read_rows(store, [pair.citing for pair in pairs if pair.cited == paper_id])
    by_key = attrgetter("citekey")
    return sorted(cites, key=by_key), sorted(cited_by, key=by_key)


def count_thorough_citers(store: Store) -> Counter[int]:
    """Return how many papers with a third pass cite a paper, by its id."""
    pairs = _citations(store)
    passes = passes_of_papers(store, [pair.citing for pair in pairs])
    return Counter(pair.cited for pair in pairs if passes[pair.citing] == PASSES[-1])


def _citations(store: Store, about: list[int] | None = None) -> list[Citation]:
    """Return who cites whom; nothing if the index cannot be read, so that the papers are still
    shown."""
    try:
        return read_citations(store, about)
    except StoreError:
        return []


@dataclass(frozen=True, slots=True)
class DrawnCitations:
    """A graph of which papers cite which."""

    file: str
    papers: int
    citations: int

    def sentences(self) -> Iterator[str]:
        counts = f"{plural(self.citations, 'citation')} among {plural(self.papers, 'paper')}"
        yield f"{self.file}: {counts}."


def citation_graph(store: Store) -> tuple[list[Paper], list[Citation]]:
    """Return which papers cite which. Raises the errors of ``read_citations``."""
    citations = read_citations(store)
    ids = {paper_id for pair in citations for paper_id in pair}
    return get_papers(store, sorted(ids)), citations
