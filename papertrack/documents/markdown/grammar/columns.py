"""What each column of a table holds, judged by its cells; its header is one hint among others.

The title is the column whose cells vary and read like titles, are links to works, or, where no
column reads like titles, hold short names. A header that is known (``Title``, ``标题``) weighs as
much as cells that do; one that is unknown (``Recom``, ``Work``) leaves it to the cells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeVar

from papertrack.documents.markdown.grammar.cells import Cell, Piece, PieceKind
from papertrack.documents.markdown.grammar.likeness import (
    is_title_case,
    name_likeness,
    role_among,
    title_likeness,
)
from papertrack.documents.markdown.headers import (
    PASS_ROLES,
    pass_columns,
    role_of_header,
)
from papertrack.documents.markdown.marks.kind import MAX_PASSES
from papertrack.documents.markdown.marks.kinds import is_only_marks, is_pass_mark
from papertrack.documents.markdown.model import Column, PartRole, PlacedLink
from papertrack.documents.markdown.roles import role_word, strong_identifier
from papertrack.documents.markdown.values import find_rating
from papertrack.text import fold, strip_markup

_Measured = TypeVar("_Measured")
SAMPLE = 200
"""Rows that tell what the columns of a table hold, taken evenly from all of it."""
_TITLE_HEADERS: dict[str, float] = {
    **dict.fromkeys(("paper", "papers", "论文", "paper name", "work", "blog", "文章"), 0.3),
    **dict.fromkeys(("name", "project", "post", "blog post", "名字", "名称"), 0.25),
    **dict.fromkeys(("model", "dataset", "method", "模型", "数据集", "方法"), 0.1),
    **dict.fromkeys(("system", "framework", "algorithm", "approach", "benchmark"), 0.1),
}
"""How much a header, folded, says that its column is the title; any other word for it says 0.6."""
_PLAIN = 0.6
"""So much that cells which are all alike do not speak against it."""
_OF_TITLES = frozenset("title paper model data post project name venue other".split())
"""The roles of headers under which titles may stand: ``Publication``, too."""
_OF_SESSIONS = ("tags", "video")
"""The roles of headers under which the works of a reading group may stand: ``Topic``, ``Talk``."""
_OF_NAMES = ("title", "model", "data", "other")
"""The roles of headers under which short names may stand."""
_BEST_SCORE = 10
_SURE: dict[str, tuple[PartRole, float]] = {
    "author": ("authors", 0.6),
    "venue": ("venue", 0.6),
    "date": ("date", 0.7),
    "rating": ("rating", 0.8),
    "number": ("number", 0.9),
}
"""What a column's cells must read like, and what share of them, where its header says nothing."""
_LINKED = ("paper", "code", "project", "video", "slides", "data", "model", "demo")
_UNIQUE = ("passes", "rating", "title", "name", "date", "author", "venue")
"""Roles of which a second column would make it unclear which to write."""


@dataclass(frozen=True, slots=True)
class TableGrammar:
    """How the rows of a table, and of those with the same headers, are written."""

    columns: tuple[Column, ...]
    title_kind: PieceKind | None
    """As what the titles are written."""
    said: frozenset[str]
    """The roles that the headers say, whatever the cells hold."""
    works: int | None = None
    """The column whose cells list several works each, where the title is only their topic."""


def learn_table(
    headers: Sequence[str], rows: Sequence[Sequence[Cell]], chosen: Mapping[str, str]
) -> TableGrammar:
    """Return how tables with these headers are written; all is as for ``column_roles``."""
    columns = column_roles(headers, rows, chosen)
    title = next((i for i, column in enumerate(columns) if column.role == "title"), len(columns))
    titles = [row[title] for row in rows if title < len(row)]
    return TableGrammar(columns, title_kind(titles), roles_said(headers, chosen))


@dataclass(frozen=True, slots=True)
class Profile:
    """What the cells of a column hold, as shares of those that are filled, from 0 to 1."""

    filled: float = 0.0
    """The share of all rows that fill it."""
    distinct: float = 0.0
    title: float = 0.0
    name: float = 0.0
    cased: float = 0.0
    """How many of what is most like titles have capitals as titles have."""
    linked: float = 0.0
    """How many of these are links to works."""
    has_links: float = 0.0
    only_links: float = 0.0
    link_role: str = "other"
    """What nearly all of its links are for."""
    kinds: Mapping[PartRole | None, float] | None = None
    """How many are, as a whole, names of people, a venue, a date, a rating, a number."""

    def share(self, kind: PartRole) -> float:
        """Return how many of the cells are of a kind as a whole."""
        return (self.kinds or {}).get(kind, 0.0)

    @property
    def is_of_linked_titles(self) -> bool:
        """Whether nearly each cell reads like another title, and has a link."""
        return self.has_links >= 0.5 and self.title >= 0.7 and self.distinct >= 0.9

    @property
    def is_of_links(self) -> bool:
        """Whether it holds links that say what they are for rather than what they lead to."""
        is_of_labels = max(self.title, self.name) < 0.4 or self.distinct < 0.3
        return self.only_links >= 0.6 and is_of_labels


def column_roles(
    headers: Sequence[str], rows: Sequence[Sequence[Cell]], chosen: Mapping[str, str]
) -> tuple[Column, ...]:
    """Return the columns of a table from its headers as written and some of its rows.

    ``chosen`` is what the reader said: folded header → role. A row may have more cells than there
    are headers (hidden on the rendered page): they get a column with an empty header, so that
    nothing is lost.
    """
    width = max([len(headers), *map(len, rows)])
    plain = _plain_headers(headers, width)
    words = list(map(fold, plain))
    said = {number: chosen[word] for number, word in enumerate(words) if word in chosen}
    columns = [[row[at] for row in rows if at < len(row)] for at in range(width)]
    profiles = [profile_of(cells, len(rows)) for cells in columns]
    roles = list(map(role_of_header, words, plain))
    title = _title_column(words, roles, profiles, said)
    _resolve(roles, profiles, title)
    for number, role in enumerate(roles):
        if role == "rating" and _counts_stars(rows, number):
            roles[number] = "other"
    if passes := _pass_columns(plain, rows):
        roles = [role if role != "passes" else "other" for role in roles]
        for number, column in passes.items():
            roles[column] = PASS_ROLES[number - 1]
    elif "passes" not in roles:
        _promote_marks(roles, plain, rows)
    return tuple(map(Column, plain, _unique(_with_said(roles, said))))


def _plain_headers(headers: Sequence[str], width: int = 0) -> list[str]:
    plain = [" ".join(strip_markup(header).split()) for header in headers]
    return plain + [""] * (width - len(plain))


def _with_said(roles: Sequence[str], said: Mapping[int, str]) -> list[str]:
    """Return the roles with those that the reader said; no other column keeps one of these."""
    kept = ["other" if role in said.values() else role for role in roles]
    return [said.get(number, role) for number, role in enumerate(kept)]


def _unique(roles: Sequence[str]) -> Iterator[str]:
    """Yield roles, of those of which only one column can be written the first."""
    for number, role in enumerate(roles):
        yield "other" if role in _UNIQUE and role in roles[:number] else role


def roles_said(headers: Sequence[str], chosen: Mapping[str, str]) -> frozenset[str]:
    """Return the roles that headers say, or the reader of them, whatever the cells hold."""
    plain = _plain_headers(headers)
    words = list(map(fold, plain))
    roles = [chosen.get(w) or role_of_header(w, p) for w, p in zip(words, plain, strict=True)]
    if "title" not in roles:  # The surest of the other words says it, and nothing else.
        surest = max(words, key=_title_prior, default="")
        if _title_prior(surest) >= 0.25:
            roles[words.index(surest)] = "title"
    return frozenset(roles)


def profile_of(cells: Sequence[Cell], rows: int) -> Profile:
    """Return what the cells of a column hold, of which short rows have none."""
    filled = [cell for cell in cells if cell.is_filled]
    return _profile(filled, rows) if filled else Profile()


def _profile(filled: Sequence[Cell], rows: int) -> Profile:
    best = [max(cell.pieces, key=_likeness, default=None) for cell in filled]
    texts = [piece.text for piece in best if piece]
    count = len(filled)
    return Profile(
        filled=count / rows,
        distinct=len(set(texts)) / count,
        title=_mean(title_likeness, texts, count),
        name=_mean(name_likeness, texts, count),
        cased=_mean(is_title_case, texts, count),
        linked=_mean(_leads_to_work, best, count),
        has_links=sum(bool(cell.links) for cell in filled) / count,
        only_links=_mean(_is_only_links, filled, count),
        link_role=_main_role([link for cell in filled for link in cell.links]),
        kinds={kind: number / count for kind, number in Counter(map(_kind_of, filled)).items()},
    )


def _mean(measure: Callable[[_Measured], float], things: Sequence[_Measured], count: int) -> float:
    return sum(map(measure, things)) / count


def _likeness(piece: Piece) -> float:
    """Return how likely a piece is the name of the thing that its row is about."""
    if piece.kind == "badge":
        return -1.0
    return max(title_likeness(piece.text), name_likeness(piece.text) * 0.3)


def _leads_to_work(piece: Piece | None) -> bool:
    return piece is not None and piece.link is not None and bool(strong_identifier(piece.link.url))


def _is_only_links(cell: Cell) -> bool:
    return bool(cell.links) and all(piece.kind in ("link", "badge") for piece in cell.pieces)


def _main_role(links: Sequence[PlacedLink]) -> str:
    """Return what nearly all links are for; ``other`` if they are for several things."""
    roles = Counter("paper" if link.role == "pdf" else link.role for link in links)
    role, count = roles.most_common(1)[0] if roles else ("other", 0)
    return role if count * 5 >= len(links) * 4 else "other"


def _kind_of(cell: Cell) -> PartRole | None:
    """Return what a cell is as a whole."""
    words = [piece.text for piece in cell.pieces if piece.kind != "badge"]
    found = role_among(" ".join(words), ("date", "number", "venue"))
    if found is None and _is_rating(cell.text):
        return "rating"
    return found or role_among(", ".join(words), ("authors",))


def _is_rating(text: str) -> bool:
    """Whether a cell is nothing but stars, or a score."""
    found = find_rating(text, 0, len(text))
    return found is not None and text[slice(*found[1])].strip("☆ *") == text.strip("☆ *")


def _title_column(
    words: Sequence[str],
    roles: Sequence[str],
    profiles: Sequence[Profile],
    said: Mapping[int, str],
) -> int | None:
    """Return the column of titles; None if there is none. ``said`` is what the reader said."""
    if "title" in said.values():
        return next(number for number, role in said.items() if role == "title")
    scores = [_title_score(*one) for one in zip(words, roles, profiles, strict=True)]
    scores = [-1.0 if i in said else score - 0.02 * i for i, score in enumerate(scores)]
    best = max(range(len(scores)), key=scores.__getitem__)
    return best if scores[best] >= _least_score(words[best], profiles) else None


def _title_prior(word: str) -> float:
    known = _TITLE_HEADERS.get(word)
    return known if known is not None else 0.6 * (role_of_header(word, word) == "title")


def _least_score(word: str, profiles: Sequence[Profile]) -> float:
    """Return how likely the column of titles must be that: little where its header says so."""
    if _title_prior(word):
        return 0.05
    return 0.4 if any(profile.has_links >= 0.3 for profile in profiles) else 0.6


def _title_score(word: str, role: str, profile: Profile) -> float:
    """Return how likely a column is that of titles."""
    is_called_title = _title_prior(word) >= _PLAIN
    may_be_title = role in _OF_TITLES or (role in _OF_SESSIONS and profile.is_of_linked_titles)
    if not may_be_title or (profile.filled and profile.is_of_links and not is_called_title):
        return -1.0
    prior = -0.5 if role == "venue" else _title_prior(word)
    # Prose describes works in sentences, which have no capitals and no links.
    is_prose = profile.linked < 0.5 and profile.cased < 0.5
    like = profile.title * (0.5 if is_prose else 1.0)
    like = max(like, profile.name * 0.45)
    evidence = profile.filled * profile.distinct * (like + 0.25 * profile.linked)
    return prior + evidence


def _resolve(roles: list[str], profiles: Sequence[Profile], title: int | None) -> None:
    """Give each column its role, now that the title's is known."""
    sure = (*_SURE, *_linked_roles(profiles, title))
    if title is not None:
        roles[title] = "title"
    given = Counter(roles)
    for number, profile in enumerate(profiles):
        if number != title:
            free = [role for role in sure if not given[role]]
            given[roles[number]] -= 1
            roles[number] = _role(roles[number], profile, free, has_title=title is not None)
            given[roles[number]] += 1


def _linked_roles(profiles: Sequence[Profile], title: int | None) -> Sequence[str]:
    """Return the roles that columns of links may have. Where titles are links, links elsewhere
    lead to something else than the paper: to where it is cited."""
    is_linked = title is not None and profiles[title].has_links >= 0.5
    return _LINKED[1:] if is_linked else _LINKED


def _role(role: str, profile: Profile, free: Sequence[str], *, has_title: bool) -> str:
    """Return the role of a column other than the title's; ``free`` are those no other has."""
    if not profile.filled:
        return "other" if role == "title" else role
    if role in _OF_NAMES and has_title and _is_of_names(profile):
        return "name"
    return _sure_role(profile, free) if role == "other" else _role_kept(role, profile, free)


def _role_kept(role: str, profile: Profile, free: Sequence[str]) -> str:
    """Return the role that a header says, or another if the cells say clearly otherwise."""
    if role == "date" and profile.share("venue") > 0.6 > profile.share("date"):
        return "venue" if "venue" in free else role
    is_none = role == "title" or (role == "paper" and not profile.has_links)
    return "other" if is_none else role


def _is_of_names(profile: Profile) -> bool:
    """Whether a column holds short names of the works, each its own."""
    is_short = profile.name >= 0.6 and profile.title < 0.6
    return is_short and profile.distinct >= 0.85 and profile.filled >= 0.5


def _sure_role(profile: Profile, free: Sequence[str]) -> str:
    """Return what nearly all cells of a column are, if anything."""
    sure = (role for role, (kind, least) in _SURE.items() if profile.share(kind) >= least)
    linked = [profile.link_role] if profile.is_of_links else []
    return next((role for role in (*sure, *linked) if role in free), "other")


def _promote_marks(
    roles: list[str], headers: Sequence[str], rows: Sequence[Sequence[Cell]]
) -> None:
    """The first column without any word as its header is of marks if it holds nothing else; under
    words that say nothing to us one whose marks stand once and several times: they count."""
    headless = [n for n, header in enumerate(headers) if not any(map(str.isalnum, header))]
    others = [number for number, role in enumerate(roles) if role == "other"]
    of_marks = (number for number in headless if _marks_in(rows, number))
    counted = (number for number in others if _are_counted(_marks_in(rows, number)))
    if (found := next(chain(of_marks, counted), None)) is not None:
        roles[found] = "passes"


def _counts_stars(rows: Sequence[Sequence[Cell]], number: int) -> bool:
    """Whether the numbers of a column are too many for ratings: GitHub's stars reach thousands."""
    texts = [row[number].text for row in rows if number < len(row)]
    return any(text.isdecimal() and int(text) > _BEST_SCORE for text in texts)


def _pass_columns(headers: Sequence[str], rows: Sequence[Sequence[Cell]]) -> dict[int, int]:
    """Return pass → column of a table with a column for each pass, which hold marks or days."""
    columns = pass_columns(headers)
    texts = [row[at].text for at in columns.values() for row in rows if at < len(row)]
    return columns if all(map(is_pass_mark, filter(None, texts))) else {}


def _marks_in(rows: Sequence[Sequence[Cell]], number: int) -> set[str]:
    """Return the marks in a column, without blanks; none where it holds anything else."""
    texts = [row[number].text for row in rows if number < len(row)]
    are_marks = all(map(is_only_marks, filter(None, texts)))
    return {"".join(text.split()) for text in texts if text} if are_marks else set()


def _are_counted(marks: set[str]) -> bool:
    """Whether marks are one sign, which stands as often as there were passes: a sign that only
    stands or does not may say anything."""
    sign = min(marks, key=len, default="")
    return len(marks) > 1 and marks <= {sign * count for count in range(1, MAX_PASSES + 1)}


def title_kind(cells: Sequence[Cell]) -> PieceKind | None:
    """Return as what the titles of a column are written: the kind of pieces most like titles."""
    found: dict[PieceKind, dict[str, float]] = {}
    for cell in cells:
        best = {piece.kind: piece for piece in sorted(cell.pieces, key=_likeness)}
        for kind, piece in best.items():
            # What is said again and again is no title; what is a link is named by its label.
            found.setdefault(kind, {})[piece.text] = _likeness(piece) + 0.5 * bool(piece.link)
    return max(found, key=lambda kind: sum(found[kind].values()), default=None)


def title_piece(pieces: Sequence[Piece], kind: PieceKind | None) -> Piece | None:
    """Return the piece of a cell that is the title: of the kind that its siblings have, if any
    of that kind may be one; of equally likely ones the first."""
    words = [piece for piece in pieces if piece.kind != "badge"]
    if len(words) == 1 and role_word(words[0].text) is None:
        return words[0]
    return _first_likely([one for one in words if one.kind == kind]) or _first_likely(words)


def _first_likely(pieces: Sequence[Piece]) -> Piece | None:
    """Return the first piece that is hardly less like a title than the most likely one."""
    most = max(map(_likeness, pieces), default=0.0)
    likely = (piece for piece in pieces if _likeness(piece) >= 0.6 * most > 0)
    return next(likely, None)
