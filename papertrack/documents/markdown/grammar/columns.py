"""Decide what each column of a table contains, by its cells, with its header as a hint.

The title column has a different text in each row, which reads like a title or links to a work. If
no column reads like titles, short names count as titles. A known header such as ``Title`` weighs as
much as the cells; below an unknown header (``Recom``, ``Work``), the cells decide.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from papertrack.documents.markdown.grammar import likeness
from papertrack.documents.markdown.grammar.cells import Cell, Piece, PieceKind
from papertrack.documents.markdown.headers import PASS_ROLES, pass_columns, role_of_header
from papertrack.documents.markdown.link_labels import names_work
from papertrack.documents.markdown.marks.kind import MAX_PASSES
from papertrack.documents.markdown.marks.kinds import is_only_marks, is_pass_mark
from papertrack.documents.markdown.model import Column, PartRole
from papertrack.documents.markdown.roles import strong_identifier
from papertrack.documents.markdown.values import find_rating
from papertrack.text import fold, strip_markup

SAMPLE = 200
"""How many rows, evenly spread, are used to learn a table's columns."""
_TITLE_HEADERS: dict[str, float] = {
    **dict.fromkeys(("paper", "papers", "论文", "paper name", "work", "blog", "文章"), 0.3),
    **dict.fromkeys(("name", "project", "post", "blog post", "名字", "名称"), 0.25),
    **dict.fromkeys(("model", "dataset", "method", "模型", "数据集", "方法"), 0.1),
    **dict.fromkeys(("system", "framework", "algorithm", "approach", "benchmark"), 0.1),
}
"""How strongly a folded header suggests a title column. Other words for titles count 0.6."""
_PLAIN = 0.6
"""Evidence from a header that is strong enough to accept a column of equal or short labels."""
_OF_TITLES = frozenset("title paper model data post project name venue other".split())
"""Roles by header that a title column may have; ``Publication`` is a header for venues."""
_OF_SESSIONS = ("tags", "video")
"""Roles by header that the works of a reading group may have: ``Topic``, ``Talk``."""
_OF_NAMES = ("title", "model", "data", "other")
"""Roles by header that a column of short names may have."""
_BEST_SCORE = 10
_SURE: dict[str, tuple[PartRole, float]] = {
    "author": ("authors", 0.6),
    "venue": ("venue", 0.6),
    "date": ("date", 0.7),
    "rating": ("rating", 0.8),
    "number": ("number", 0.9),
}
"""Maps column roles to the role that the cells must have, and the share of such cells, if the
header is unknown."""
_LINKED = ("paper", "code", "project", "video", "slides", "data", "model", "demo")
_UNIQUE = ("passes", "rating", "title", "name", "date", "author", "venue")
"""Roles that only one column may have; with two, it would be unclear where to write."""


@dataclass(frozen=True, slots=True)
class TableGrammar:
    """What was learnt about tables with the same headers."""

    columns: tuple[Column, ...]
    title_kind: PieceKind | None
    """The kind of the pieces that are titles."""
    roles: frozenset[str]
    """The roles by headers, whatever the cells contain."""
    works_at: int | None = None
    """The column that lists several works per cell; the title is only their topic then."""
    has_authors: bool = False
    """Whether title cells also name the authors, in plain text: ``A Title / Ann Bee et al.``"""


def learn_table(
    headers: Sequence[str], rows: Sequence[Sequence[Cell]], chosen: Mapping[str, str]
) -> TableGrammar:
    """Learn the grammar of tables with these headers. Takes the arguments of ``column_roles``."""
    columns = column_roles(headers, rows, chosen)
    title = next((i for i, column in enumerate(columns) if column.role == "title"), len(columns))
    titles = [row[title] for row in rows if title < len(row)]
    return TableGrammar(columns, title_kind(titles), header_roles(headers, chosen))


@dataclass(frozen=True, slots=True)
class Profile:
    """What the cells of a column contain, mostly as shares of the filled cells, from 0 to 1."""

    filled: float = 0.0
    """The share of all rows in which the cell is filled."""
    distinct: float = 0.0
    """The number of different texts per filled cell."""
    title: float = 0.0
    """The mean ``title_likeness`` of the piece of each cell that reads most like a title."""
    name: float = 0.0
    """The mean ``name_likeness`` of these pieces."""
    cased: float = 0.0
    """The share of these pieces in title case."""
    linked: float = 0.0
    """The share of these pieces that link to works."""
    has_links: float = 0.0
    only_links: float = 0.0
    link_role: str = "other"
    """The role of at least 80 % of the links in the column, else ``other``."""
    kinds: Mapping[PartRole | None, float] = field(default_factory=dict)
    """The share of cells that are only names, only a venue, a date, a rating or a number."""

    @property
    def is_of_linked_titles(self) -> bool:
        """Whether nearly all cells read like different titles, and most have links."""
        return self.has_links >= 0.5 and self.title >= 0.7 and self.distinct >= 0.9

    @property
    def is_of_links(self) -> bool:
        """Whether it contains links labelled with roles, such as *pdf*, rather than with names."""
        is_of_labels = max(self.title, self.name) < 0.4 or self.distinct < 0.3
        return self.only_links >= 0.6 and is_of_labels

    @property
    def is_of_names(self) -> bool:
        """Whether it contains short names of works, nearly all different."""
        is_short = self.name >= 0.6 and self.title < 0.6
        return is_short and self.distinct >= 0.85 and self.filled >= 0.5


def column_roles(
    headers: Sequence[str], rows: Sequence[Sequence[Cell]], chosen: Mapping[str, str]
) -> tuple[Column, ...]:
    """Return the columns of a table with their roles, from its headers and some rows.

    ``chosen`` are the user's settings: folded header → role. Rows may have more cells than there
    are headers, which the rendered page hides; these columns get an empty header.
    """
    width = max([len(headers), *map(len, rows)])
    plain = _plain_headers(headers, width)
    words = list(map(fold, plain))
    chosen_roles = {number: chosen[word] for number, word in enumerate(words) if word in chosen}
    columns = [[row[at] for row in rows if at < len(row)] for at in range(width)]
    profiles = [profile_of(cells, len(rows)) for cells in columns]
    roles = list(map(role_of_header, words, plain))
    title = _title_column(words, roles, profiles, chosen_roles)
    _resolve(roles, profiles, title)
    if title is not None:
        groups = zip(roles, profiles, columns, strict=True)
        roles = [_role_of_names(*group, columns[title]) for group in groups]
    texts = [[cell.text for cell in cells if cell.text] for cells in columns]
    for number, role in enumerate(roles):
        # Numbers above 10 are no ratings but, for example, GitHub stars.
        if role == "rating" and any(
            t.isdecimal() and int(t[:9]) > _BEST_SCORE for t in texts[number]
        ):
            roles[number] = "other"
    passes = pass_columns(plain)
    if passes and all(map(is_pass_mark, (text for at in passes.values() for text in texts[at]))):
        roles = [role if role != "passes" else "other" for role in roles]
        for number, column in passes.items():
            roles[column] = PASS_ROLES[number - 1]
    elif "passes" not in roles:
        _promote_marks(roles, plain, texts)
    # Only the chosen columns have a chosen role. Of a unique role, the first column has it.
    roles = ["other" if role in chosen_roles.values() else role for role in roles]
    roles = [chosen_roles.get(number, role) for number, role in enumerate(roles)]
    is_again = [role in _UNIQUE and role in roles[:n] for n, role in enumerate(roles)]
    pairs = zip(roles, is_again, strict=True)
    return tuple(map(Column, plain, ["other" if again else role for role, again in pairs]))


def _role_of_names(
    role: str, profile: Profile, cells: Sequence[Cell], titles: Sequence[Cell]
) -> str:
    """Return ``name`` for keywords that name the works: many titles contain their keyword.

    A keyword that groups works is in few of their titles.
    """
    pairs = zip(cells, titles, strict=False)
    named = [fold(cell.text) in fold(title.text) for cell, title in pairs if cell.text]
    name_works = sum(named) >= max(3, len(named) / 3)
    return "name" if all((role == "tags", profile.is_of_names, name_works)) else role


def _plain_headers(headers: Sequence[str], width: int = 0) -> list[str]:
    """Return headers without markup, padded with "" to the width of the table."""
    plain = [" ".join(strip_markup(header).split()) for header in headers]
    return plain + [""] * (width - len(plain))


def header_roles(headers: Sequence[str], chosen: Mapping[str, str]) -> frozenset[str]:
    """Return the roles by the headers and the user's settings, whatever the cells contain."""
    plain = _plain_headers(headers)
    words = list(map(fold, plain))
    roles = [chosen.get(w) or role_of_header(w, p) for w, p in zip(words, plain, strict=True)]
    if "title" not in roles:  # The header that most suggests a title counts as one.
        surest = max(words, key=_title_prior, default="")
        if _title_prior(surest) >= 0.25:
            roles[words.index(surest)] = "title"
    return frozenset(roles)


def profile_of(cells: Sequence[Cell], rows: int) -> Profile:
    """Return the profile of a column with these cells, in a table with this number of rows."""
    filled = [cell for cell in cells if cell.is_filled]
    if not filled:
        return Profile()
    best = list(filter(None, (max(cell.pieces, key=_likeness, default=None) for cell in filled)))
    texts, count = [piece.text for piece in best], len(filled)

    def mean(measure: Callable[[Any], float], things: Iterable[object]) -> float:
        return sum(map(measure, things)) / count

    return Profile(
        filled=count / rows,
        distinct=len(set(texts)) / count,
        title=mean(likeness.title_likeness, texts),
        name=mean(likeness.name_likeness, texts),
        cased=mean(likeness.is_title_case, texts),
        linked=mean(lambda x: bool(x.link and strong_identifier(x.link.url)), best),
        has_links=sum(bool(cell.links) for cell in filled) / count,
        only_links=mean(_is_only_links, filled),
        link_role=_main_role(filled),
        kinds={kind: number / count for kind, number in Counter(map(_kind_of, filled)).items()},
    )


def _is_only_links(cell: Cell) -> bool:
    return bool(cell.links) and all(piece.kind in ("link", "badge") for piece in cell.pieces)


def _likeness(piece: Piece) -> float:
    """Return how likely a piece is the title or name of its row's work."""
    if piece.kind == "badge":
        return -1.0
    return max(likeness.title_likeness(piece.text), likeness.name_likeness(piece.text) * 0.3)


def _main_role(cells: Iterable[Cell]) -> str:
    """Return the role of at least 80 % of the links, else ``other``."""
    links = (link.role for cell in cells for link in cell.links)
    roles = Counter("paper" if role == "pdf" else role for role in links)
    role, count = roles.most_common(1)[0] if roles else ("other", 0)
    return role if count * 5 >= roles.total() * 4 else "other"


def _kind_of(cell: Cell) -> PartRole | None:
    """Return the role of a cell's whole content, or None."""
    words = [piece.text for piece in cell.pieces if piece.kind != "badge"]
    role = likeness.role_among(" ".join(words), ("date", "number", "venue"))
    rating = find_rating(cell.text, 0, len(cell.text)) if role is None else None
    if rating and cell.text[slice(*rating[1])].strip("☆ *") == cell.text.strip("☆ *"):
        return "rating"  # It has only stars, or only a score.
    return role or likeness.role_among(", ".join(words), ("authors",))


def _title_column(
    words: Sequence[str],
    roles: Sequence[str],
    profiles: Sequence[Profile],
    chosen: Mapping[int, str],
) -> int | None:
    """Return the index of the title column, or None.

    A column must reach a certain score, which is low if its header suggests titles. ``chosen`` are
    the roles that the user chose, by column.
    """
    if "title" in chosen.values():
        return {role: number for number, role in chosen.items()}["title"]
    scores = [_title_score(*column) for column in zip(words, roles, profiles, strict=True)]
    scores = [-1.0 if i in chosen else score - 0.02 * i for i, score in enumerate(scores)]
    best = max(range(len(scores)), key=scores.__getitem__)
    least = 0.4 if any(profile.has_links >= 0.3 for profile in profiles) else 0.6
    return best if scores[best] >= (0.05 if _title_prior(words[best]) else least) else None


def _title_prior(word: str) -> float:
    """Return how strongly a folded header suggests a title column."""
    evidence = _TITLE_HEADERS.get(word)
    return evidence if evidence is not None else 0.6 * (role_of_header(word, word) == "title")


def _title_score(word: str, role: str, profile: Profile) -> float:
    """Return how likely a column is the title column."""
    is_called_title = _title_prior(word) >= _PLAIN
    may_be_title = role in _OF_TITLES or (role in _OF_SESSIONS and profile.is_of_linked_titles)
    if not may_be_title or (profile.filled and profile.is_of_links and not is_called_title):
        return -1.0
    prior = -0.5 if role == "venue" else _title_prior(word)
    # Prose describes works in sentences, without title case and links.
    is_prose = profile.linked < 0.5 and profile.cased < 0.5
    like = profile.title * (0.5 if is_prose else 1.0)
    like = max(like, profile.name * 0.45)
    return prior + profile.filled * profile.distinct * (like + 0.25 * profile.linked)


def _resolve(roles: list[str], profiles: Sequence[Profile], title: int | None) -> None:
    """Assign a role to each column, in place, given the title column.

    If titles are links, a column of other links is not assumed to link to the paper.
    """
    is_linked = title is not None and profiles[title].has_links >= 0.5
    sure = (*_SURE, *(_LINKED[1:] if is_linked else _LINKED))
    if title is not None:
        roles[title] = "title"
    given = Counter(roles)
    for number, profile in enumerate(profiles):
        if number != title:
            free = [role for role in sure if not given[role]]
            given[roles[number]] -= 1
            roles[number] = _role(roles[number], profile, free, has_title=title is not None)
            given[roles[number]] += 1


def _role(role: str, profile: Profile, free: Sequence[str], *, has_title: bool) -> str:
    """Return the role of a column that is not the title column.

    ``free`` are the roles in ``_SURE``, and those of links, that no column has yet.
    """
    if not profile.filled:
        return "other" if role == "title" else role
    if role in _OF_NAMES and has_title and profile.is_of_names:
        return "name"
    return _sure_role(profile, free) if role == "other" else _role_kept(role, profile, free)


def _role_kept(role: str, profile: Profile, free: Sequence[str]) -> str:
    """Return the role by the header, or another one if the cells clearly contradict it."""
    shares = profile.kinds
    if role == "date" and shares.get("venue", 0.0) > 0.6 > shares.get("date", 0.0):
        return "venue" if "venue" in free else role
    is_none = role == "title" or (role == "paper" and not profile.has_links)
    return "other" if is_none else role


def _sure_role(profile: Profile, free: Sequence[str]) -> str:
    """Return the role that nearly all cells of a column have, or ``other``."""
    shares = profile.kinds
    sure = (name for name, (kind, least) in _SURE.items() if shares.get(kind, 0.0) >= least)
    linked = [profile.link_role] if profile.is_of_links else []
    return next((name for name in (*sure, *linked) if name in free), "other")


def _promote_marks(
    roles: list[str], headers: Sequence[str], texts: Sequence[Sequence[str]]
) -> None:
    """Give a column of reading marks the role ``passes``, in place.

    It is the first column of only marks whose header has no letters, or else the first column with
    an unknown header in which one sign is repeated for several passes.
    """
    marks = [_marks_in(column) for column in texts]
    of_marks = (n for n, h in enumerate(headers) if marks[n] and not any(map(str.isalnum, h)))
    counted = (n for n, role in enumerate(roles) if role == "other" and _are_counted(marks[n]))
    if (column := next(chain(of_marks, counted), None)) is not None:
        roles[column] = "passes"


def _are_counted(marks: set[str]) -> bool:
    """Return whether marks repeat one sign a different number of times, up to three.

    A sign that is only present or absent may mean anything.
    """
    sign = min(marks, key=len, default="")
    return len(marks) > 1 and marks <= {sign * count for count in range(1, MAX_PASSES + 1)}


def _marks_in(texts: Sequence[str]) -> set[str]:
    """Return the marks in a column, without blanks; empty if it contains anything else."""
    return {"".join(text.split()) for text in texts} if all(map(is_only_marks, texts)) else set()


def title_kind(cells: Sequence[Cell]) -> PieceKind | None:
    """Return the kind of pieces that read most like titles in these cells."""
    scores: dict[PieceKind, dict[str, float]] = {}
    for cell in cells:
        best = {piece.kind: piece for piece in sorted(cell.pieces, key=_likeness)}
        for kind, piece in best.items():
            # A repeated text counts only once. The label of a link is more likely a title.
            scores.setdefault(kind, {})[piece.text] = _likeness(piece) + 0.5 * bool(piece.link)
    return max(scores, key=lambda kind: sum(scores[kind].values()), default=None)


def title_piece(pieces: Sequence[Piece], kind: PieceKind | None) -> Piece | None:
    """Return the piece of a cell that is the title, or None.

    Pieces of ``kind``, the kind of most titles in the column, are preferred.
    """
    words = [piece for piece in pieces if piece.kind != "badge"]
    if len(words) == 1 and names_work(words[0].text):
        return words[0]
    return _first_likely([word for word in words if word.kind == kind]) or _first_likely(words)


def _first_likely(pieces: Sequence[Piece]) -> Piece | None:
    """Return the first piece whose likeness to a title is at least 60 % of the best one's."""
    most = max(map(_likeness, pieces), default=0.0)
    return next((piece for piece in pieces if _likeness(piece) >= 0.6 * most > 0), None)
