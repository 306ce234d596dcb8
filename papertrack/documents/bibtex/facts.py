"""Turn the fields of a .bib entry into the facts of a paper.

Also reads what other tools store about reading it, such as JabRef's groups: the tree is in a
comment of the file.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from papertrack.category_paths import MAX_DEPTH
from papertrack.documents.bibtex.blocks import Block
from papertrack.documents.bibtex.names import MONTHS, parse_names
from papertrack.identifiers import ArxivId, find_arxiv_ids, identify, parse_arxiv_id, parse_doi
from papertrack.latex.decode import decode_latex, one_line
from papertrack.records import Identifier, Kind, Link, LinkRole, PaperFacts, Skipped
from papertrack.text import clean_block, group

Fields = Mapping[str, str]


@dataclass(frozen=True)
class BibEntry:
    """One entry: its text, and when asked its facts and its reading state in other tools."""

    citekey: str | None
    """The key as written; None if the entry has no key."""
    type: str
    """The type in lower case, such as ``inproceedings``."""
    raw: str
    """The exact text of the entry, from ``@`` to its closing brace."""
    span: tuple[int, int]
    """The span of ``raw`` in the text."""
    line: int
    """The line number, counted from 1."""
    whole: str = ""
    """``raw`` as a file of its own, with the @strings, @preambles and entries it needs."""
    fields: tuple[tuple[str, str], ...] = ()
    """The fields in order, as name in lower case and value.

    Values have no delimiters, and @string names and ``#`` are resolved. LaTeX stays as written, and
    nothing is inherited.
    """
    borrowed: tuple[tuple[str, str], ...] = ()
    """Fields that change with other parts of the file.

    They contain a @string, or come from a crossref or xdata parent.
    """
    all_fields: Fields = field(default_factory=dict, compare=False)
    """The first field of each name, with inherited ones."""
    is_address_shared: bool = False
    """Whether an entry with another title has its address, which then identifies neither."""
    tags: tuple[str, ...] = ()
    """From ``keywords``, ``mendeley-tags`` and JabRef's ``priority``: ``prio1`` to ``prio3``."""
    categories: tuple[tuple[str, ...], ...] = ()
    """The entry's JabRef groups, as paths in the file's tree of groups."""
    passes_done: int = 0
    """From JabRef's ``readstatus``: ``skimmed`` is the first pass, ``read`` the second."""
    rating: int | None = None
    """From JabRef's ``ranking``, 1 to 5."""
    citekey_aliases: tuple[str, ...] = ()
    """From biblatex's ``ids``."""
    problems: tuple[str, ...] = ()
    """Oddities that did not prevent reading, such as a key used twice."""

    @cached_property
    def facts(self) -> PaperFacts:
        """The facts of its paper."""
        facts = facts_of(self.type, self.all_fields)
        if self.is_address_shared:
            own = tuple(name for name in facts.identifiers if name.scheme != "url")
            facts = facts._replace(identifiers=own)
        return facts

    @property
    def address(self) -> str | None:
        """The address that could identify its paper."""
        named = _page_of(self.all_fields)[2]
        return named.value if named is not None and named.scheme == "url" else None


@dataclass(frozen=True, slots=True)
class BibLibrary:
    """A parsed .bib text. Every entry in it is in ``entries`` or reported in ``skipped``."""

    entries: tuple[BibEntry, ...]
    skipped: tuple[Skipped, ...]
    strings: dict[str, str] = field(default_factory=dict)
    """@string name in lower case → its value without delimiters, LaTeX as written."""
    groups: tuple[tuple[str, ...], ...] = ()
    """JabRef's tree of groups, as paths in the tree's order."""


_VENUES = ("journal", "journaltitle", "booktitle")
_VENUES_OF = {
    **dict.fromkeys(("phdthesis", "mastersthesis", "thesis"), ("school", "institution")),
    **dict.fromkeys(("techreport", "report"), ("institution",)),
}
_VENUE_IS_ARXIV = re.compile(r"\s*+\{*+\s*+(?:arxiv|corr\b|computing research repository)", re.I)
PUBLICATION = frozenset(
    "volume number issue pages month publisher address location series editor translator edition "
    "chapter organization type eid issn isbn howpublished note eventtitle school institution "
    "version urldate pubstate maintitle bookauthor".split()
)
"""Fields that describe how a work was published."""
_PAGES = frozenset({"misc", "online", "electronic", "www"})
"""Types that do not describe how a work was published."""
_NUMBERS = frozenset({"volume", "number", "issue", "pages"})
"""Fields that only repeat the arXiv id if the venue is arXiv."""
_LINK_FIELDS: tuple[tuple[str, LinkRole], ...] = (
    *(("pdf", "pdf"), ("code", "code"), ("github", "code")),
    *(("slides", "slides"), ("video", "video"), ("project", "project")),
)
_HOST_OF_SITE = re.compile(r"https://[^/?#]*[.:]")
_REPOSITORY = re.compile(r"https://git(?:hub|lab)\.com/[^/]+/[^/]+")
_PREPRINT_NOTE = re.compile(r"\W*(?:arxiv|e-?print|preprint)", re.I)
_ARXIV_DOI = "10.48550/arxiv."
_NAMES_ARXIV = re.compile(r"arxiv|abs/", re.I)
_CATEGORY = re.compile(r"[a-z-]+(?:\.[A-Za-z-]+)?")
_YEAR = re.compile(r"(?<![0-9])[0-9]{4}(?![0-9])")
_ADDRESS = re.compile(r"https?://[^\s{}\\]+", re.I)


PASSES = {"skimmed": 1, "read": 2}
"""JabRef's ``readstatus``: skimming is Keshav's first pass, reading his second."""
RATINGS = {f"rank{number}": number for number in range(1, 6)}
"""JabRef's ``ranking``."""
_PRIORITY = re.compile(r"\s*(prio[1-3])\s*")
_NOTES = ("annote", "annotation", "review", "comment")
"""Fields with the user's own text. The last two are JabRef's."""


def facts_of(entry_type: str, fields: Fields) -> PaperFacts:
    """Return the facts of an entry. ``fields`` include inherited ones, LaTeX as written.

    Title, names, venue and publication fields are decoded; addresses are not. If the venue only
    names arXiv, the paper is a preprint: it has no venue, and its id is read from there.
    """
    url, page, named = _page_of(fields)
    arxiv_url = page if named and named.scheme == "arxiv" else ""
    # The id comes from eprint if that is arXiv's, otherwise from fields that people fill by hand.
    arxiv = _eprint_id(fields) or _named_id(fields, arxiv_url) or _mentioned_id(fields)
    note = next((fields[name] for name in _NOTES if fields.get(name)), "")
    venue_field, venue = venue_in(entry_type, fields)
    is_preprint = _VENUE_IS_ARXIV.match(venue) is not None
    redundant = {venue_field, *_told_elsewhere(fields, url, arxiv)}
    if is_preprint:
        venue = ""
        redundant |= _NUMBERS
    return PaperFacts(
        title=_title(fields),
        kind=_kind(entry_type, named, has_identifier=bool(arxiv or fields.get("doi"))),
        identifiers=tuple(dict.fromkeys(_identifiers(fields, arxiv, named))),
        authors=parse_names(fields.get("author", "")),
        links=tuple(_links(fields, page, named)),
        description=clean_block(note) or None,
        abstract=one_line(fields.get("abstract", "")) or None,
        version=arxiv.version if arxiv else None,
        primary_category=_primary_category(fields, arxiv),
        venue=decode_latex(venue) or None,
        year=_year(fields),
        published_type=entry_type if venue or entry_type not in _PAGES else None,
        publication=tuple(_publication(fields, redundant)),
    )


def _page_of(fields: Fields) -> tuple[str, str, Identifier | None]:
    """Return an entry's address, its page, and the identifier in that.

    An address that only leads to the entry's DOI adds nothing: it is no page.
    """
    url = _address_in(fields, "url") or _address_in(fields, "howpublished")
    doi = fields.get("doi", "").strip()
    page = "" if doi and url.endswith(doi) else url
    return url, page, _named_by(page)


def venue_in(entry_type: str, fields: Fields) -> tuple[str, str]:
    """Return the name and value of the field with the venue, or two empty strings."""
    for name in _VENUES_OF.get(entry_type, _VENUES):
        if fields.get(name):
            return name, fields[name]
    return "", ""


def _told_elsewhere(fields: Fields, url: str, arxiv: ArxivId | None) -> Iterator[str]:
    """Yield fields that only repeat the address or the arXiv id."""
    if url and url in fields.get("howpublished", ""):
        yield "howpublished"
    if arxiv and _PREPRINT_NOTE.match(fields.get("note", "")):
        yield "note"


def _title(fields: Fields) -> str | None:
    parts = (decode_latex(fields.get(name, "")) for name in ("title", "subtitle"))
    return ": ".join(filter(None, parts)) or None


def _year(fields: Fields) -> int | None:
    """Return the year from ``year``, or from biblatex's ``date`` such as ``2019-05-03``."""
    dates = decode_latex(fields.get("year", "")), fields.get("date", "")
    year = next(filter(None, map(_YEAR.search, dates)), None)
    return int(year.group()) if year else None


def _publication(fields: Fields, redundant: set[str]) -> Iterator[tuple[str, str]]:
    for name, value in fields.items():
        if name not in PUBLICATION or name in redundant:
            continue
        month = value[:3].casefold()
        text = month if name == "month" and month in MONTHS else decode_latex(value)
        if text:
            yield name, text


def _eprint_id(fields: Fields) -> ArxivId | None:
    archive = fields.get("archiveprefix") or fields.get("eprinttype") or "arxiv"
    eprint = fields.get("eprint", "").partition("[")[0]
    if not eprint or "arxiv" not in archive.casefold():
        return None
    category = fields.get("primaryclass") or fields.get("eprintclass") or ""
    # Until 2007 a number alone was not an id; some files keep the archive in the class.
    return parse_arxiv_id(eprint) or parse_arxiv_id(f"{category.strip()}/{eprint.strip()}")


def _named_id(fields: Fields, arxiv_url: str) -> ArxivId | None:
    """Return the arXiv id from a field or an address that can hold nothing else."""
    doi = fields.get("doi", "")
    arxiv_doi = doi if "arxiv" in doi.casefold() else ""
    for text in (fields.get("arxivid"), fields.get("arxiv"), arxiv_doi, arxiv_url):
        if text and (arxiv_id := parse_arxiv_id(text)) is not None:
            return arxiv_id
    return None


def _mentioned_id(fields: Fields) -> ArxivId | None:
    """Return the arXiv id that a field with free text mentions."""
    for name in ("journal", "journaltitle", "volume", "number", "howpublished", "note"):
        value = fields.get(name)
        if not value or not _NAMES_ARXIV.search(value):
            continue
        if name == "note" and not _PREPRINT_NOTE.match(value):
            continue
        if ids := find_arxiv_ids(value) or find_arxiv_ids(value.replace("abs/", "arXiv:")):
            return ids[0]
    return None


def _primary_category(fields: Fields, arxiv: ArxivId | None) -> str | None:
    """From ``primaryClass``, or from an eprint such as ``1706.03762 [cs.CL]``."""
    if arxiv is None:
        return None
    stated = fields.get("primaryclass") or fields.get("eprintclass")
    category = stated or fields.get("eprint", "").partition("[")[2].rstrip("] ")
    return category if _CATEGORY.fullmatch(category) else None


def _address_in(fields: Fields, name: str) -> str:
    value = fields.get(name)
    address = _ADDRESS.search(value.replace("\\", "")) if value else None
    return address.group() if address else ""


def _named_by(page: str) -> Identifier | None:
    """Return the identifier in an address; None for a broken address.

    A host of one label (``https://sites.``) is an address that was cut off.
    """
    named = identify(page) if page else None
    is_cut = named is not None and named.scheme == "url" and not _HOST_OF_SITE.match(named.value)
    return None if is_cut else named


def _identifiers(
    fields: Fields, arxiv: ArxivId | None, named: Identifier | None
) -> Iterator[Identifier]:
    if arxiv is not None:
        yield Identifier("arxiv", arxiv.id)
    for doi in decode_latex(fields.get("doi", "")).split():
        # The DOI that arXiv gives every preprint repeats its id.
        if (parsed := parse_doi(doi)) is not None and not parsed.startswith(_ARXIV_DOI):
            yield Identifier("doi", parsed)
    # A paper has one arXiv id; another one would be another work.
    if named is not None and (arxiv is None or named.scheme != "arxiv"):
        yield named
    record = identify(fields.get("biburl", ""))
    if record is not None and record.scheme == "dblp":
        yield record


def _links(fields: Fields, page: str, named: Identifier | None) -> Iterator[Link]:
    """Yield the links of an entry: its page, PDF, code and others.

    The page is left out if the arXiv id or DOI leads there.
    """
    if page and (named is None or named.scheme not in ("arxiv", "doi")):
        yield Link("paper", page)
    for name, role in _LINK_FIELDS:
        if name in fields and (address := _address_in(fields, name)):
            yield Link(role, address)


def _kind(entry_type: str, named: Identifier | None, *, has_identifier: bool) -> Kind:
    is_page = entry_type in _PAGES and not has_identifier
    if entry_type == "software" or (
        is_page and named is not None and _REPOSITORY.fullmatch(named.value)
    ):
        return "project"
    if is_page and entry_type != "misc":
        return "post"
    return "resource" if entry_type == "dataset" else "paper"


def tags_of(fields: Fields) -> tuple[str, ...]:
    """Return the tags of an entry: its keywords, Mendeley's, and JabRef's priority."""
    tags = [*_tags(fields.get("keywords", "")), *_tags(fields.get("mendeley-tags", ""))]
    priority = _PRIORITY.fullmatch(fields.get("priority", ""))
    return (*dict.fromkeys(tags), *(priority.groups() if priority else ()))


def _tags(keywords: str) -> Iterable[str]:
    """Split keywords at semicolons if there are any, otherwise at commas."""
    separator = ";" if ";" in keywords else ","
    return filter(None, map(decode_latex, keywords.split(separator)))


_TREE = re.compile(r"\s*jabref-meta:\s*(?:grouping|groupstree):", re.IGNORECASE)
# A group is written "1 StaticGroup:Name\;0\;...;": level, kind, and parts. Escaped semicolons
# separate the parts; an unescaped one ends the group.
_NODE = re.compile(r"\s*([0-9]{1,3})\s+(\w+):(.*)", re.DOTALL)

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Groups:
    """JabRef's tree of groups."""

    paths: Sequence[Path] = ()
    """The paths of the named groups, in order."""
    by_name: Mapping[str, Sequence[Path]] = field(default_factory=dict)
    """Group name, case-folded → paths. An entry is in every group of that name."""
    members: Mapping[str, Sequence[Path]] = field(default_factory=dict)
    """Citation key → paths, if the tree lists keys."""


def find_groups(blocks: Iterable[Block]) -> Groups:
    """Return the groups of the first comment that has any."""
    trees = (_parse_groups(block.text) for block in blocks if block.kind == "comment")
    return next((tree for tree in trees if tree.paths), Groups())


def _parse_groups(comment: str) -> Groups:
    """Parse the named groups of a comment.

    JabRef keeps its tree in a @comment (``jabref-meta: grouping:``); other comments have no groups.
    Groups that are searches (by keyword, by author) are not categories.
    """
    written: list[Path] = []
    keys_of: dict[Path, list[str]] = {}
    stack: list[tuple[int, str]] = []
    for level, kind, parts in _nodes(comment):
        stack = [above for above in stack if above[0] < level]
        if kind in ("StaticGroup", "ExplicitGroup") and parts[0]:
            del stack[MAX_DEPTH - 1 :]
            stack.append((level, parts[0].replace("\\\\", "")))
            path = tuple(name for _, name in stack)
            written.append(path)
            # JabRef before 3.8 stored the citation keys in the tree.
            keys_of[path] = [*filter(None, parts[2:] if kind == "ExplicitGroup" else ())]
    paths = _without_prefixes(written)
    each = dict.fromkeys(written)
    by_name = group((path[-1].casefold(), paths[path]) for path in each)
    members = group((key, paths[path]) for path in each for key in keys_of[path])
    return Groups([paths[path] for path in written], by_name, members)


def _without_prefixes(written: Iterable[Path]) -> dict[Path, Path]:
    """Map each path to one without the prefixes that an export adds to equal names.

    JabRef knows groups by name alone. So the export writes ``A - Lamps`` and ``B - Lamps`` for the
    groups ``Lamps`` below ``A`` and ``B``.
    """
    short: dict[Path, Path] = {(): ()}
    for path in written:
        above = short[path[:-1]]
        short[path] = (*above, path[-1].removeprefix(" - ".join((*above, ""))))
    often = Counter(path[-1] for raw, path in short.items() if raw)
    cleaned: dict[Path, Path] = {(): ()}
    for path in written:
        name = short[path][-1] if often[short[path][-1]] > 1 else path[-1]
        cleaned[path] = (*cleaned[path[:-1]], name)
    return cleaned


def _nodes(comment: str) -> Iterator[tuple[int, str, list[str]]]:
    """Yield level, kind and parts of each group in the tree."""
    if (tree := _TREE.match(comment)) is None:
        return
    # JabRef folds long lines anywhere, even within a word, and ignores line ends when it reads.
    unfolded = re.sub(r"[\r\n]+", "", comment[tree.end() :])
    for entry in re.split(r"(?<!\\);", unfolded):
        node = _NODE.fullmatch(entry)
        if node is not None and node[2] != "AllEntriesGroup":
            yield int(node[1]), node[2], [" ".join(part.split()) for part in node[3].split(r"\;")]


def paths_of(written: str, groups: Groups) -> list[Path]:
    """Return the group paths of an entry's ``groups`` field.

    Names are separated by commas. A name that is not in the tree becomes a path of its own.
    """
    names = filter(None, (" ".join(name.split()) for name in written.split(",")))
    return [path for name in names for path in groups.by_name.get(name.casefold(), [(name,)])]
