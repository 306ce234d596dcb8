"""How the slots of a document say what they say: dates, labels of links, names, venues, ratings."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import combinations

from papertrack.documents.markdown.grammar.cuts import DETAILS, Cut, Slot
from papertrack.documents.markdown.grammar.labels import (
    arxiv_form,
    arxiv_work,
    is_of_address,
    is_telling,
    label_of,
    label_pattern,
    of_other_site,
    site_named,
    site_of,
)
from papertrack.documents.markdown.grammar.name_lists import (
    Names,
    NameStyle,
    learn_names,
    read_names,
)
from papertrack.documents.markdown.grammar.tally import Context, Tally
from papertrack.documents.markdown.grammar.template import Sketch
from papertrack.documents.markdown.model import Document, Entry
from papertrack.documents.markdown.roles import host_role
from papertrack.documents.markdown.syntax import plain
from papertrack.documents.markdown.values import find_date, medal_tags, write_date
from papertrack.identifiers import parse_arxiv_id, url_of
from papertrack.records import Identifier

_YEAR_AT_END = re.compile(r"(?P<lead>\W*)(?P<year>(?:19|20)[0-9]{2}|(?<=['’‘`])[0-9]{2})$")
_NEARLY_ALL, _ALL = 0.8, 0.9
_NUMBERS = re.compile(r"[0-9]+")
_TELLING = 3
"""Entries of a section that tell how it writes names."""
_AROUND = (
    ("[", "]"),
    ("(", ")"),
    ("**", "**"),
    ("*", "*"),
    ("_", "_"),
    ("`", "`"),
    ("<u>", "</u>"),
)


class Formats:
    """How the slots of cuts are written, learnt from them."""

    def __init__(self, document: Document, cuts: Iterable[Cut] = ()) -> None:
        self.document = document
        self.dates: Tally[str] = Tally()
        self.labels: Tally[str] = Tally()
        self.sites: dict[str, str] = {}
        """Labels that name the site that their links lead to, with that name."""
        self.pictures: dict[str, str] = {}
        """What pictures say, with how each is written."""
        self.is_pictured: Tally[bool] = Tally()
        self.ratings: Tally[str] = Tally()
        self.names: dict[Context, list[Names]] = defaultdict(list)
        self.tags: dict[str, str] = {}
        """How tags are written that are not written as they are called."""
        self.texts: Tally[str] = Tally()
        """What signs say, word by word."""
        self.stops: Tally[bool] = Tally()
        """Whether remarks end with a full stop."""
        self.dots: Tally[bool] = Tally()
        """Whether relative paths start with ``./``."""
        self.repeats: Tally[bool] = Tally()
        """Whether links lead where an earlier one of the entry leads."""
        self.addresses: Tally[str] = Tally()
        """How papers at arXiv are linked: to their pages, or their files."""
        self.years: Tally[str] = Tally()
        """How venues end with the year, ``'%y``; empty for those that do not."""
        self._styles: dict[Context, NameStyle] = {}
        for cut in cuts:
            for slot in cut.slots:
                self.learn(cut, slot)

    def learn(self, cut: Cut, slot: Slot) -> None:
        """Learn how one more slot is written."""
        learners = {
            "date": self._learn_date,
            "label": self._learn_label,
            "authors": self._learn_names,
            "tag": self._learn_tag,
            "rating": self._learn_rating,
            "venue": self._learn_venue,
            "sign": self._learn_text,
            DETAILS: self._learn_details,
            "target": self._learn_target,
            "reference": self._learn_target,
        }
        if learner := learners.get(slot.role):
            learner(cut, slot, self.document.text[slice(*slot.span)])

    def _learn_date(self, cut: Cut, slot: Slot, text: str) -> None:
        iso = iso_of(cut.entry, slot, text)
        if iso and (pattern := date_pattern(text, iso)):
            for one in _fitting(pattern, iso):
                self.dates.add(one, (context for context, _ in _contexts(cut, slot.key)))

    def _learn_label(self, cut: Cut, slot: Slot, text: str) -> None:
        assert slot.link is not None, "a label is a link's"
        contexts = _label_contexts(cut, slot.key, slot.link.url)
        pattern = label_pattern(text, slot.link.url)
        self.labels.add(pattern, (context for context, _ in contexts))
        if site := site_named(text, slot.link.url):
            self.sites[pattern] = site

    def _learn_names(self, cut: Cut, slot: Slot, text: str) -> None:
        if names := read_names(text, cut.entry.fields.authors):
            for context, _ in _contexts(cut, "authors"):
                self.names[context].append(names)

    def _learn_picture(self, cut: Cut, slot: Slot, text: str) -> None:
        is_picture = text.startswith(("![", "<img"))
        self.is_pictured.add(is_picture, [(cut.where, slot.role)])
        if is_picture:
            self.pictures.setdefault(plain(text), text)

    def _learn_tag(self, cut: Cut, slot: Slot, text: str) -> None:
        self._learn_picture(cut, slot, text)
        for name in medal_tags(text):
            self.tags.setdefault(name, text)

    def _learn_rating(self, cut: Cut, slot: Slot, text: str) -> None:
        if rating := cut.entry.fields.rating:
            contexts = (context for context, _ in _contexts(cut, slot.key))
            self.ratings.add(rating_pattern(text, rating), contexts)

    def _learn_text(self, cut: Cut, slot: Slot, text: str) -> None:
        self.texts.add(text, (context for context, _ in _contexts(cut, slot.key)))

    def _learn_details(self, cut: Cut, slot: Slot, text: str) -> None:
        self.stops.add(text.endswith("."), [(cut.where,)])

    def _learn_target(self, cut: Cut, slot: Slot, text: str) -> None:
        assert slot.link is not None, "a target is a link's"
        if ":" not in text and slot.role == "target":
            self.dots.add(text.startswith("./"), [(cut.where,)])
        links = cut.entry.anatomy.links
        contexts = [context for context, _ in _contexts(cut, slot.key)]
        earlier = [arxiv_work(link.url) for link in links if link.span[0] < slot.link.span[0]]
        if earlier:
            self.repeats.add(arxiv_work(slot.link.url) in earlier, contexts)
        if form := arxiv_form(slot.link.url):
            self.addresses.add(form, contexts)

    def _learn_venue(self, cut: Cut, slot: Slot, text: str) -> None:
        self._learn_picture(cut, slot, text)
        contexts = (context for context, _ in _contexts(cut, "venue"))
        self.years.add(_year_form(text), contexts)

    def date(self, like: Cut | Sketch, key: str, iso: str) -> str | None:
        """Return a date as others are written there; None if it is not known as precisely, or
        nothing shows how."""
        chosen = self.document.style.chosen_date_format
        pattern = chosen or self.dates.best(_contexts(like, key))
        return write_date(iso, pattern) if pattern else None

    def address(self, like: Cut | Sketch, key: str, url: str) -> str:
        """Return the address of a paper at arXiv in the form that nearly all others have there:
        ``/pdf/2309.06180`` for ``/abs/2309.06180``; every other address as it is."""
        paper = parse_arxiv_id(url)
        if paper is None or url != url_of(Identifier("arxiv", paper.id)):
            return url
        scores = self.addresses.scores(_contexts(like, key))
        form, count = next(iter(scores.most_common(1)), ("", 0))
        is_usual = count >= _NEARLY_ALL * scores.total() > 0
        return form.replace("{id}", paper.id) if is_usual else url

    def label(self, like: Cut | Sketch, key: str, url: str, known: str | None) -> str | None:
        """Return the label of a link as others are written there: the one it is ``known`` by, as
        markup, if the others have it too or it says more than theirs; None if nothing shows
        how."""
        scores = self.labels.scores(_label_contexts(like, key, url))
        fitting = self._fitting(like, key, url, scores)
        usual, label = next(iter(fitting.items()), ("", None))
        if known is None:
            return label
        same = next((one for one in fitting.values() if _bare(one) == _bare(known)), None)
        if same is not None:
            return same
        counts = self.labels.seen((like.where, key.partition("#")[0]))
        if counts[usual] < _ALL * counts.total() and is_telling(known, url):
            return _dressed(usual, known)
        return label if scores[usual] * 3 > scores.total() or is_of_address(usual) else None

    def is_called(self, like: Cut | Sketch, key: str, url: str, known: str | None) -> bool:
        """Return whether others' links are called what a link is known by; of one without a name,
        whether they are called anything."""
        fitting = self._fitting(like, key, url, self.labels.scores(_label_contexts(like, key, url)))
        return any(known is None or _bare(label) == _bare(known) for label in fitting.values())

    def role_name(self, like: Cut | Sketch, word: str) -> str | None:
        """Return what links of a kind are called where those to papers are called ``paper``; None
        where they are not."""
        known = self.labels.seen((like.where, "label:paper")).most_common(1)
        label = _bare(known[0][0]) if known else ""
        if label.casefold() != "paper":
            return None
        return word.capitalize() if label.istitle() else word

    def dressed(self, like: Cut | Sketch, key: str, url: str, name: str) -> str:
        """Return a name, which is markup, as a label: with the brackets that others have."""
        scores = self.labels.scores(_label_contexts(like, key, url))
        return _dressed(next((pattern for pattern, _ in scores.most_common()), ""), name)

    def _fitting(
        self, like: Cut | Sketch, key: str, url: str, scores: Counter[str]
    ) -> dict[str, str]:
        """Return the labels that an address may have by their patterns, the most usual first;
        those that name another site, with the name of this one, last."""
        counts = self.labels.seen((like.where, key.partition("#")[0]))
        native, adapted = dict[str, str](), dict[str, str]()
        for pattern, _ in scores.most_common():
            label = label_of(pattern, url)
            if label is None or (counts[pattern] == 1 and is_telling(pattern)):
                continue  # What one link alone is called tells where it leads.
            site = self.sites.get(pattern)
            if site is None or site_named(site, url):
                native[pattern] = label
            else:
                adapted[pattern] = of_other_site(label, site, url)
        return native | adapted

    def authors(
        self, like: Cut | Sketch, names: Sequence[str], *, is_cut: bool = False
    ) -> str | None:
        """Return names as others are written there; None if nothing shows how."""
        contexts = reversed([context for context, _ in _contexts(like, "authors")])
        shown = [context for context in contexts if self.names.get(context)]
        if not shown:
            return None
        # A section of two entries tells less than the whole list.
        telling = (context for context in shown if len(self.names[context]) >= _TELLING)
        return self._name_style(next(telling, shown[0])).write(names, is_cut=is_cut)

    def _name_style(self, context: Context) -> NameStyle:
        if context not in self._styles:
            self._styles[context] = learn_names(self.names[context])
        return self._styles[context]

    def pictured(self, like: Cut | Sketch, role: str, words: str) -> str | None:
        """Return what is said by a picture; empty if others say such by pictures, but not this;
        None where it is said in words."""
        if words in self.pictures:
            return self.pictures[words]
        return "" if self.is_pictured.best([((like.where, role), 1)]) else None

    def tag(self, name: str) -> str:
        """Return a tag as it is written: its sign, or its name."""
        return self.tags.get(name, name)

    def rating(self, like: Cut | Sketch, key: str, rating: int) -> str | None:
        """Return a rating as others are written there; None if nothing shows how."""
        pattern = self.ratings.best(_contexts(like, key))
        if pattern is None:
            return None
        return pattern.replace("{n}", str(rating)) if "{n}" in pattern else pattern * rating

    def ends_details(self, like: Cut | Sketch) -> bool:
        """Return whether remarks mostly end with a full stop."""
        return self.stops.best([((like.where,), 1)]) or False

    def has_dots(self, like: Cut | Sketch) -> bool:
        """Return whether relative paths mostly start with ``./``."""
        return self.dots.best([((like.where,), 1)]) or False

    def repeated(self, like: Cut | Sketch, key: str) -> bool:
        """Return whether a link mostly leads where an earlier one of the entry leads."""
        return self.repeats.best(_contexts(like, key)) or False

    def constant(self, like: Cut | Sketch, key: str) -> str | None:
        """Return what a sign says if it says the same nearly everywhere."""
        scores = self.texts.scores(_contexts(like, key))
        text, count = next(iter(scores.most_common(1)), ("", 0))
        return text if count >= _NEARLY_ALL * scores.total() > 0 else None

    def venue(self, like: Cut | Sketch, venue: str, year: str | None) -> str:
        """Return a venue with the year behind it, or without, as others are written there.

        ``year`` is that of the work; it stands in for the year of a venue without any number.
        """
        form = self.years.best(_contexts(like, "venue"))
        whole, found = venue, _YEAR_AT_END.search(venue)
        if found:
            venue, year = venue[: found.start()], f"20{found['year']}"[-4:]
        if form is None or not (venue and year) or _NUMBERS.search(venue):
            return whole
        return venue + form.replace("%Y", year).replace("%y", year[-2:])


def _year_form(venue: str) -> str:
    """Return how a venue ends with the year: `` %Y``, ``'%y``; empty if it does not."""
    found = _YEAR_AT_END.search(venue)
    return f"{found['lead']}{'%Y' if len(found['year']) == 4 else '%y'}" if found else ""


def _contexts(like: Cut | Sketch, key: str) -> Iterator[tuple[Context, int]]:
    """Yield where slots are written alike, with their weights."""
    yield (like.where, key), 1
    yield (like.where, key, like.group), 8


def _label_contexts(like: Cut | Sketch, key: str, url: str) -> Iterator[tuple[Context, int]]:
    base = key.partition("#")[0]
    yield (like.where, base), 1
    yield (like.where, base, like.group), 3
    yield (like.where, base, "host", host_role(url)), 8
    yield (like.where, base, "host", host_role(url), like.group), 24
    yield (like.where, base, "site", site_of(url)), 24
    yield (like.where, base, "site", site_of(url), like.group), 72


def _bare(label: str) -> str:
    """Return a label without markup and brackets, by which labels are the same."""
    return plain(label).strip("[]() ")


def _dressed(pattern: str, words: str) -> str:
    """Return markup with the brackets and emphasis that are around a label."""
    if "](" in pattern:
        return words  # A picture.
    for opening, closing in _AROUND:
        inner = pattern.removeprefix(opening).removesuffix(closing)
        if len(inner) == len(pattern) - len(opening) - len(closing):
            return opening + _dressed(inner, words) + closing
    return words


def iso_of(entry: Entry, slot: Slot, text: str) -> str | None:
    """Return the ISO date that a slot says."""
    if slot.span == entry.anatomy.date:
        return entry.fields.date
    found = find_date(text)
    return found.iso if found else None


def date_pattern(text: str, iso: str) -> str | None:
    """Return how a date is written, as a pattern of ``write_date``; None if it is not this date."""
    found = find_date(text)
    if found and found.span == (0, len(text)) and found.iso == iso:
        return found.pattern
    parts = iso.split("-")
    named = dict(zip(reversed(parts), _signs(parts), strict=True))
    named[parts[0][2:]] = named.get(parts[0][2:], "%y")
    pattern = _NUMBERS.sub(lambda match: named.get(match.group(), match.group()), text)
    return pattern if write_date(iso, pattern) == text and pattern != text else None


def _fitting(pattern: str, iso: str) -> Iterator[str]:
    """Yield the pattern of a date, and those that write this date alike: 12/10 shows not whether
    a day or month below ten has a zero."""
    numbers = dict(zip("md", map(int, iso.split("-")[1:]), strict=False))
    open_ones = [part for part, number in numbers.items() if number > 9 and f"%{part}" in pattern]
    for length in range(len(open_ones) + 1):
        for parts in combinations(open_ones, length):
            yield reduce(lambda text, part: text.replace(f"%{part}", f"%-{part}"), parts, pattern)


def _signs(parts: Sequence[str]) -> list[str]:
    return ["%Y", "%m", "%d"][: len(parts)][::-1]


def rating_pattern(text: str, rating: int) -> str:
    """Return how a rating is written: ``{n}/5``, or the sign that is repeated."""
    if str(rating) in text:
        return text.replace(str(rating), "{n}", 1)
    length = len(text) // rating
    return text[:length] if text[:length] * rating == text else text
