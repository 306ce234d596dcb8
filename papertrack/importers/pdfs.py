"""PDFs: find out which work a file is, by its name, its metadata and its first page."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from papertrack.errors import DocumentError, PapertrackError
from papertrack.foreign_database import opened
from papertrack.identifiers import find_arxiv_ids, identify_work, parse_arxiv_id, parse_doi, url_of
from papertrack.identifiers.citekeys import is_citekey
from papertrack.importers.fields import line, people, person, title_of, year_of
from papertrack.importers.model import Found, Item, ItemFile, Source, read_head
from papertrack.pdfs.reader import PdfReader, PdfText, UnreadablePdf
from papertrack.pdfs.texts import SOFT_HYPHEN
from papertrack.records import Author, Identifier, Link, PaperFacts

MAGIC = b"%PDF-"
_MOST_LETTERS = 20_000
_STAMP = re.compile(r"(?:^\s*arXiv|arXiv(?=\s*:\s*\S+\s+\[[a-z]))\s*:\s*(\S+)", re.I | re.M)
"""An arXiv id at the start of a line or with a category after it; other ids may be citations."""
_DOI = re.compile(r"(?:doi\.org/|\bdoi\s*+(?:[:=]\s*+)?)(10\.\d{4,9}/\S+)", re.I)
_NO_TITLE = re.compile(
    r"(?:untitled|microsoft (?:word|powerpoint)|.*\.(?:dvi|tex|docx?|pdf|indd|qxd|ps)$|\W*$|"
    r"(?:title|paper|main|manuscript|document|slide)\W*\d*$)",
    re.I,
)
_NAMED = re.compile(r"(?P<who>.+?) - (?P<year>\d{4}) - (?P<title>.+)")
"""How Zotero and many readers name files."""
_WORDS = 3
"""From this many words on, a file's name may be a title."""
_MOST_BYTES = 64 * 2**20
"""The most bytes of a file whose hash distinguishes it from any other."""
_FOOTNOTE_MARKS = "*\u2217\u2020\u2021\u00a7\u00b6 "
_MOST_WORDS = 40
"""Longer texts in the tallest letters are not titles."""
_LINES, _LINES_OF_TITLE = 15, 4
"""The title may be within this many lines of a page, in at most this many of them."""
_COPY = re.compile(r" ?\(\d+\)$")
"""What browsers add to a name that is taken."""
NOTHING = (
    "neither its name, its metadata nor its first page says what it is; `papertrack pdf add FILE "
    "--to REF` adds it to a paper of yours"
)


def is_pdf(path: Path) -> bool:
    """Return whether a file is a PDF. Raises the errors of ``opened``."""
    return path.is_file() and MAGIC in read_head(path, 1024)


def is_pdfs(found: Found) -> bool:
    """Return whether it is a PDF, or a folder with PDFs."""
    return next(_files(found.path), None) is not None


def read_pdfs(found: Found) -> Source:
    """Return the PDF, or those below the folder with their folders as categories. Raises
    DocumentError for a single PDF that cannot be identified."""
    source = source_of(list(_files(found.path)), found.path if found.is_folder else None)
    if not found.is_folder and not source.items:
        raise DocumentError(f"{found.path}: {source.left_out[0].reason}. It was not imported.")
    return source


def source_of(paths: Sequence[Path], root: Path | None = None) -> Source:
    """Return the works of these PDFs, equal files as one; unidentified ones are left out."""
    source = Source("pdf", len(paths))
    items: dict[str, Item] = {}
    with PdfReader() as reader:
        for path in filter(source.can_name, paths):
            read, item, reason = PdfText(0, {}, (), ""), None, NOTHING
            try:
                read = reader.read(path, first_page_only=True)
            except UnreadablePdf as error:
                reason = f"it {error.reason}"  # Its name may still say what it is.
            try:
                item = _item(read, path, root)
            except PapertrackError as error:
                reason = str(error)
            if item is None:
                source.leave_out(path.name, path.name, reason)
            elif same := items.get(item.key):
                inside = tuple(dict.fromkeys((*same.categories, *item.categories)))
                items[item.key] = replace(same, categories=inside, stands_for=same.stands_for + 1)
            else:
                items[item.key] = item
    for item in items.values():
        source.take(item)
    return source


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield from [path] if is_pdf(path) else []
        return
    if (path / "papertrack.toml").is_file():
        return  # Its PDFs are those of its papers.
    for one in sorted(path.rglob("*")):
        if any(part.startswith(".") for part in one.relative_to(path).parts):
            continue
        if one.suffix.lower() == ".pdf" and not one.is_symlink() and is_pdf(one):
            yield one


def _item(read: PdfText, path: Path, root: Path | None) -> Item | None:
    with opened(path) as file:
        digest = hashlib.sha256(file.read(_MOST_BYTES)).hexdigest()[:24]
    stem = _COPY.sub("", path.stem)
    identifier = _identifier_of(stem, read)
    title, page = _title_of(stem, read), _page_of(read)
    if not (identifier or title or page):
        return None
    named = _NAMED.fullmatch(stem)
    identifiers = (identifier,) if identifier else ()
    facts = PaperFacts(
        title=title,
        identifiers=identifiers,
        authors=_authors(line(read.info.get("Author", ""))),
        links=tuple(Link("paper", url_of(one)) for one in identifiers),
        year=year_of(named["year"]) if named else None,
    )
    inside = path.parent.relative_to(root).parts if root is not None else ()
    return Item(
        key=digest,
        type="misc",
        facts=facts,
        citekeys=(stem,) if _is_key(stem) else (),
        categories=(tuple(line(name) or "…" for name in inside),) if inside else (),
        files=(ItemFile(digest[:8], path, path.name),),
        titles=tuple(line(one).rstrip(_FOOTNOTE_MARKS) for one in _texts_like_titles(stem, read)),
        page=page and f"{page}\n{stem}\n{read.info.get('Author', '')}",
    )


def _identifier_of(stem: str, read: PdfText) -> Identifier | None:
    """Return the identifier in its name, arXiv's stamp, its metadata, or the page's first DOI."""
    own = parse_arxiv_id(stem) or parse_arxiv_id(stem.replace("_", "/", 1))
    if own is not None:
        return Identifier("arxiv", own.id)
    if doi := parse_doi(stem.replace("_", "/", 1)):
        return Identifier("doi", doi)
    page = _page_of(read)
    stamped = _STAMP.search(page)
    if stamped and (ids := find_arxiv_ids(f"arXiv:{stamped[1]}")):
        return Identifier("arxiv", ids[0].id)
    words = " ".join(value for name, value in read.info.items() if name not in ("Title", "Author"))
    return next(filter(None, map(_work_of_doi, (words, page))), None)


def _work_of_doi(text: str) -> Identifier | None:
    found = _DOI.search(text)
    doi = parse_doi(found[1].rstrip(".,;)")) if found else None
    return identify_work(doi) if doi else None


def _page_of(read: PdfText) -> str:
    return "".join(read.pages)[:_MOST_LETTERS].replace(f"{SOFT_HYPHEN}\n", "").strip()


def _title_of(stem: str, read: PdfText) -> str | None:
    """Return the likeliest title: from the metadata, the file's name, or the tallest letters. A
    title in the metadata that is the name of a file or program does not count."""
    title = line(read.info.get("Title", ""))
    if title and not _NO_TITLE.match(title) and len(title.split()) > 1:
        return title_of(title)
    named = _NAMED.fullmatch(stem)
    words = (named["title"] if named else stem).replace("_", " ").strip(" .…")
    if named is not None or sum(map(str.isalpha, words.split())) >= _WORDS:
        return title_of(words)
    heading = line(read.heading).rstrip(_FOOTNOTE_MARKS)
    return title_of(heading) if 1 < len(heading.split()) <= _MOST_WORDS else None


def _texts_like_titles(stem: str, read: PdfText) -> Iterator[str]:
    """Yield texts of a PDF that may be its title, likeliest first."""
    yield from (_title_of(stem, read) or "", read.info.get("Title", ""), stem, read.heading)
    lines = _page_of(read).splitlines()[:_LINES]
    for start in range(len(lines)):
        for end in range(start + _LINES_OF_TITLE, start, -1):
            yield " ".join(lines[start:end])


def _authors(told: str) -> tuple[Author, ...]:
    """Split a text into people at semicolons, ``and``, or commas between whole names."""
    if "@" in told or len(told) > 2000:
        return ()
    separator = ";" if ";" in told else " and " if " and " in told else ","
    names = [line(name) for name in told.split(separator)]
    return people(map(_person, names)) if all(len(name.split()) > 1 for name in names) else ()


def _person(name: str) -> Author | None:
    family, comma, given = name.partition(",")
    return person(given, family) if comma else Author(name)


def _is_key(stem: str) -> bool:
    """Return whether a file's name is a citekey: ``kwon2023efficient``."""
    return bool(re.fullmatch(r"[a-z-]+\d{4}[a-z]+", stem)) and is_citekey(stem)
