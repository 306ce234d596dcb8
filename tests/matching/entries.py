"""Pairs of entries of which it is known whether they are one work: made of facts, by kinds."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tests.matching.titles import Field

Fields = dict[str, str]


@dataclass(frozen=True)
class Entry:
    """One entry of a .bib file, about to be written."""

    type: str
    fields: Fields

    def but(self, type: str | None = None, **fields: str | None) -> Entry:
        """The entry with other fields; None takes one away."""
        merged = {**self.fields, **fields}
        return Entry(type or self.type, {name: v for name, v in merged.items() if v is not None})

    def text(self, key: str) -> str:
        said = ",\n".join(f"  {name} = {{{value}}}" for name, value in self.fields.items())
        return f"@{self.type}{{{key},\n{said}\n}}\n"


@dataclass(frozen=True)
class Pair:
    """Two entries, and what kind of pair they are."""

    kind: str
    one: Entry
    other: Entry
    is_one_work: bool


class Maker:
    """Makes facts of one field of study by chance."""

    def __init__(self, field: Field, chance: random.Random) -> None:
        self.field, self.chance = field, chance
        self.name = self._name()
        self.title = f"{field.title(chance)} in {self.name}"
        self.people = field.authors(chance, chance.randint(1, 3))
        self.year = chance.randint(1995, 2024)
        self.venue, self.short_venue = chance.choice(field.venues)
        self.number = chance.randint(2, 90)
        self.page = chance.randint(3, 900)

    def _name(self) -> str:
        """The name of a place that is hardly another pair's."""
        syllables = [*"ba ke li mo ru sha te vo zi nar dol gim pel tus".split()]
        return "".join(self.chance.choices(syllables, k=4)).title()

    def names(self, people: list[tuple[str, str]] | None = None) -> str:
        return " and ".join(f"{last}, {first}" for first, last in people or self.people)

    def other_title(self) -> str:
        title = self.title
        small = {"of", "the", "in", "for"}
        while set(title.casefold().split()) & set(self.title.casefold().split()) - small:
            title = self.field.title(self.chance)
        return f"{title} in {self._name()}"

    def strangers(self) -> str:
        others = [one for one in self.field.people if one not in self.people]
        return self.names(self.chance.sample(others, 2))

    def doi(self) -> str:
        return f"10.{self.chance.randint(1000, 9999)}/x.{self.chance.randint(1000, 999999)}"

    def arxiv(self) -> str:
        return f"{self.chance.randint(15, 24)}{self.chance.randint(1, 12):02}.{self.page + 10000}"

    def url(self) -> str:
        return f"https://example.org/{self.chance.choice('abcde')}/{self.chance.randint(1, 99999)}"

    def article(self, **more: str) -> Entry:
        fields = {
            "title": self.title, "author": self.names(), "journal": self.venue,
            "year": str(self.year), "volume": str(self.number),
            "pages": f"{self.page}--{self.page + 12}",
        }  # fmt: skip
        return Entry("article", {**fields, **more})

    def book(self, **more: str) -> Entry:
        fields = {"title": self.title, "author": self.names(), "year": str(self.year)}
        return Entry("book", {**fields, "publisher": "Harbour Press", **more})

    def preprint(self, **more: str) -> Entry:
        fields = {"title": self.title, "author": self.names(), "year": str(self.year)}
        return Entry("misc", {**fields, **more})

    def program(self, type: str, **more: str) -> Entry:
        name = self.chance.choice(self.field.coined)
        fields = {"title": name + ": " + self.title, "author": self.names()}
        return Entry(type, {**fields, "year": str(self.year), **more})


Made = tuple[Entry, Entry]
Kind = Callable[[Maker], Made]


# Pairs of two works.


def parts_in_numerals(m: Maker) -> Made:
    one, two = m.chance.choice([("I", "II"), ("II", "III"), ("1", "2"), ("Part 1", "Part 2"),
                                ("Part One", "Part Two"), ("iv", "v"), ("V", "VI")])  # fmt: skip
    joint = m.chance.choice([" ", ", ", ": ", ". ", " -- "])
    return (
        m.article(title=f"{m.title}{joint}{one}"),
        m.article(title=f"{m.title}{joint}{two}", pages=f"{m.page + 13}--{m.page + 20}"),
    )


def parts_with_a_copied_doi(m: Maker) -> Made:
    doi = m.doi()
    one, two = m.article(doi=doi), m.article(doi=doi)
    end = m.chance.choice(["", ": Part {}", " {}"])
    sub = m.field.title(m.chance)
    number = ("I", "II") if end else ("Part I", "Part II")
    return (
        one.but(title=m.title + end.format(number[0]) + ("" if end else f" {number[0]}")),
        two.but(title=m.title + end.format(number[1]) + ("" if end else f" {number[1]}: {sub}")),
    )


def first_part_without_a_number(m: Maker) -> Made:
    two = m.chance.choice([" II", ", Part 2", ": Part II", " (2)", " 2"])
    return m.article(), m.article(title=m.title + two, volume=str(m.number + 1), pages="5--9")


def volumes_of_a_book(m: Maker) -> Made:
    isbn = {"isbn": "978-3-16-148410-0"} if m.chance.random() < 0.5 else {}
    url = {"url": m.url()} if m.chance.random() < 0.5 else {}
    return m.book(volume="1", **isbn, **url), m.book(volume="2", **isbn, **url)


def chapter_and_its_book(m: Maker) -> Made:
    doi = m.doi()
    part = m.book(doi=doi, title=m.other_title(), booktitle=m.title, pages="31--60")
    same = m.book(doi=doi, chapter="3", pages="31--60")
    return m.book(doi=doi), m.chance.choice([part.but("incollection"), same.but("inbook")])


def chapters_with_the_doi_of_their_book(m: Maker) -> Made:
    doi = m.doi()
    one = m.book(doi=doi, booktitle="The Handbook", pages="31--60").but("incollection")
    return one, one.but(title=m.other_title(), pages="61--80")


def thesis_and_book(m: Maker) -> Made:
    thesis = m.preprint(school="University of Nowhere").but("phdthesis")
    shared = m.chance.choice([{}, {"url": m.url()}, {"doi": m.doi()}])
    return thesis.but(**shared), m.book(year=str(m.year + m.chance.randint(0, 4)), **shared)


def thesis_and_article(m: Maker) -> Made:
    thesis = m.preprint(school="University of Nowhere").but("phdthesis")
    return thesis, m.article(year=str(m.year + m.chance.randint(0, 2)))


def a_thesis_told_in_a_note(m: Maker) -> Made:
    note = m.chance.choice(["PhD thesis", "Doctoral dissertation, Nowhere", "Thèse de doctorat"])
    return m.preprint(note=note), m.article()


def two_theses(m: Maker) -> Made:
    thesis = m.preprint(school="University of Nowhere")
    return thesis.but("mastersthesis"), thesis.but("phdthesis", year=str(m.year + 4))


def a_doi_copied_onto_another_title(m: Maker) -> Made:
    doi = m.doi()
    return m.article(doi=doi), m.article(
        doi=doi, title=m.other_title(), year=str(m.year + m.chance.randint(0, 2)), pages="2"
    )


def a_doi_copied_onto_strangers(m: Maker) -> Made:
    doi = m.doi()
    return m.article(doi=doi), m.article(doi=doi, title=m.other_title(), author=m.strangers())


def a_doi_copied_and_little_else(m: Maker) -> Made:
    doi = m.doi()
    word, other = m.chance.choice([("Dense", "Sparse"), ("Early", "Late"), ("Fast", "Safe")])
    one = m.preprint(doi=doi, title=f"{word} {m.title}").but("article")
    two = m.chance.choice([m.preprint(doi=doi, title=m.other_title()),
                           one.but(title=f"{other} {m.title}")])  # fmt: skip
    return one, two


def an_arxiv_id_copied_onto_strangers(m: Maker) -> Made:
    eprint = {"eprint": m.arxiv(), "archiveprefix": "arXiv"}
    return m.preprint(**eprint), m.preprint(title=m.other_title(), author=m.strangers(), **eprint)


def a_url_copied(m: Maker) -> Made:
    url = m.url()
    other = m.other_title()
    return m.preprint(url=url), m.preprint(url=url, title=other)


def versions_of_a_program(m: Maker) -> Made:
    url = m.url()
    type = m.chance.choice(["software", "misc", "manual"])
    one = m.program(type, url=url, version="1.2")
    gap = m.chance.randint(0, 2)
    return one, one.but(version=m.chance.choice(["1.3", "2.0"]), year=str(m.year + gap))


def versions_told_otherwise(m: Maker) -> Made:
    url = m.url()
    one = m.program("misc", url=url)
    title = one.fields["title"]
    told = m.chance.choice(["title", "note", "howpublished", "year"])
    if told == "title":
        return one.but(title=f"{title} 1.19"), one.but(title=f"{title} 1.21")
    if told == "year":
        return one.but("software"), one.but("software", year=str(m.year + 2))
    return one.but(**{told: "Version 3.1"}), one.but(**{told: "Version 3.4"})


def versions_of_data(m: Maker) -> Made:
    shared = m.chance.choice([{"doi": m.doi()}, {"url": m.url()}])
    type = m.chance.choice(["dataset", "misc"])
    one = m.preprint(version="1", publisher="Zenodo", **shared).but(type)
    return one, one.but(version="2", year=str(m.year + m.chance.randint(0, 1)))


def data_and_its_article(m: Maker) -> Made:
    return m.article(), m.preprint(doi=m.doi()).but("dataset")


def reply(m: Maker) -> Made:
    lead = m.chance.choice(["Reply to ``{}''", "Comment on: {}", "Response to '{}'", "{}: Reply",
                            "{} -- A Comment", "Discussion of {}", "Comments on \"{}\"",
                            "{}: A Reply to {}", "Rejoinder: {}"])  # fmt: skip
    _, last = m.field.people[0]
    title = lead.replace("{}", m.title, 1).replace("{}", last)
    author = m.chance.choice([m.names(), m.strangers()])
    shared = m.chance.choice([{}, {"doi": m.doi()}])
    return m.article(**shared), m.article(title=title, author=author, pages="1--2", **shared)


def erratum(m: Maker) -> Made:
    lead = m.chance.choice(["Erratum: {}", "Erratum to: {}", "Corrigendum to ``{}''",
                            "{} (Erratum)", "Correction: {}", "Addendum to {}",
                            "Retraction of '{}'", "Publisher's Correction: {}"])  # fmt: skip
    shared = m.chance.choice([{}, {"doi": m.doi()}])
    year = str(m.year + m.chance.randint(0, 1))
    return m.article(**shared), m.article(title=lead.format(m.title), year=year, pages="9",
                                          **shared)  # fmt: skip


def reply_and_comment(m: Maker) -> Made:
    return (
        m.article(title=f"Comment on {m.title}", author=m.strangers()),
        m.article(title=f"Reply to Comment on {m.title}", pages=f"{m.page + 3}"),
    )


def reprint(m: Maker) -> Made:
    shared = m.chance.choice([{}, {"url": m.url()}])
    return m.book(**shared), m.book(year=str(m.year + m.chance.randint(12, 60)), **shared)


def second_edition(m: Maker) -> Made:
    edition = m.chance.choice(["2", "Second", "2nd"])
    shared = m.chance.choice([{}, {"url": m.url()}])
    first = m.book(**shared, **m.chance.choice([{}, {"edition": "1"}]))
    return first, m.book(edition=edition, year=str(m.year + m.chance.randint(1, 6)), **shared)


def a_column(m: Maker) -> Made:
    title = f"Letter from the Editor of the {m.name} Monthly"
    gap = m.chance.randint(0, 1)
    year = str(m.year + gap)
    volume = str(m.number + gap)
    one = m.article(title=title, number="1")
    return one, one.but(year=year, volume=volume, number="2", pages=f"{m.page + 80}")


def a_title_of_others(m: Maker) -> Made:
    return m.article(), m.article(author=m.strangers(), pages="5--11")


def namesakes(m: Maker) -> Made:
    first, last = m.people[0]
    other = next(one for one in ("Quentin", "Ulrich") if one[0] != first[0])
    return (
        m.article(author=f"{last}, {first}"),
        m.article(author=f"{last}, {other}", volume=str(m.number + 1), pages="5"),
    )


def one_word_apart(m: Maker) -> Made:
    one, other = m.chance.choice([("upper bounds", "lower bounds"), ("linear", "nonlinear"),
                                  ("supervised", "unsupervised"), ("symmetric", "asymmetric"),
                                  ("male", "female"), ("short-term", "long-term"),
                                  ("import", "export"), ("2019", "2020"), ("north", "south"),
                                  ("macro data", "micro data")])  # fmt: skip
    end = m.chance.choice(["{}: the case of {}", "{} with {}", "{} ({})"])
    return (
        m.article(title=end.format(m.title, one)),
        m.article(title=end.format(m.title, other), pages=f"{m.page + 13}"),
    )


def annual_reports(m: Maker) -> Made:
    url = m.chance.choice([{}, {"url": m.url()}])
    one = Entry(
        "techreport",
        {
            "title": f"Annual Report of the {m.name} Observatory",
            "year": str(m.year),
            "author": "{The Observatory}",
            "institution": "Observatory",
            **url,
        },
    )
    return one, one.but(year=str(m.year + 1))


def chinese_parts(m: Maker) -> Made:
    one, two = m.chance.choice([("上", "下"), ("一", "二"), ("1", "2"), ("I", "II")])
    left, right = m.chance.choice(["（）", "()", "  "])
    return (
        m.article(title=f"{m.number}{m.page}深度学习的历史与现状研究{left}{one}{right}".strip()),
        m.article(
            title=f"{m.number}{m.page}深度学习的历史与现状研究{left}{two}{right}".strip(),
            pages="20--30",
        ),
    )


TWO_WORKS: tuple[Kind, ...] = (
    parts_in_numerals, parts_with_a_copied_doi, first_part_without_a_number, volumes_of_a_book,
    chapter_and_its_book, chapters_with_the_doi_of_their_book, thesis_and_book, thesis_and_article,
    two_theses, a_doi_copied_onto_another_title, a_doi_copied_onto_strangers,
    a_doi_copied_and_little_else, a_thesis_told_in_a_note,
    an_arxiv_id_copied_onto_strangers, a_url_copied, versions_of_a_program,
    versions_told_otherwise, versions_of_data, data_and_its_article, reply, erratum,
    reply_and_comment, reprint, second_edition, a_column, a_title_of_others, namesakes,
    one_word_apart, annual_reports, chinese_parts,
)  # fmt: skip


# Pairs of one work.


def preprint_and_print(m: Maker) -> Made:
    eprint = {"eprint": m.arxiv(), "archiveprefix": "arXiv"}
    in_both = m.chance.random() < 0.5
    year = str(m.year + m.chance.randint(0, 2))
    doi = m.chance.choice([{}, {"doi": m.doi()}])
    return m.preprint(**eprint), m.article(year=year, **doi, **(eprint if in_both else {}))


def retitled_when_printed(m: Maker) -> Made:
    eprint = {"eprint": m.arxiv(), "archiveprefix": "arXiv"}
    title = m.chance.choice([m.other_title(), "Revisiting " + m.title[0].lower() + m.title[1:]])
    return m.preprint(**eprint), m.article(title=title, year=str(m.year + 1), **eprint)


def without_subtitle_by_identifier(m: Maker) -> Made:
    shared = m.chance.choice([{"doi": m.doi()}, {"eprint": m.arxiv(), "archiveprefix": "arXiv"}])
    long = m.title + m.chance.choice([": ", " -- ", ". "]) + m.field.title(m.chance)
    return m.article(title=long, **shared), m.article(**shared)


def without_subtitle(m: Maker) -> Made:
    end = m.chance.choice([m.field.title(m.chance), "a critical study of 30 cases",
                           "an essay", "lessons from COVID-19", "1914--1945"])  # fmt: skip
    long = m.title + m.chance.choice([": ", " -- ", ". ", "? "]) + end
    make = m.chance.choice([m.article, m.book])
    return make(title=long), make()


def subtitle_field(m: Maker) -> Made:
    sub = m.field.title(m.chance)
    return m.book(subtitle=sub), m.book(title=f"{m.title}: {sub}")


def without_its_name(m: Maker) -> Made:
    name = m.chance.choice(m.field.coined)
    shared = m.chance.choice([{}, {"eprint": m.arxiv(), "archiveprefix": "arXiv"}])
    return m.preprint(title=f"{name}: {m.title}", **shared), m.preprint(**shared)


def written_otherwise(m: Maker) -> Made:
    title = m.chance.choice([
        m.title.upper(), m.title.title(), "{" + m.title + "}", m.title + ".",
        m.title.replace(" and ", " \\& "), m.title.replace(" of ", " of {\\em the} ", 0),
        m.title.replace("e", "{e}", 1), m.title.replace(" in ", " {\\it in} ", 1),
    ])  # fmt: skip
    return m.article(), m.article(title=title)


def accents_otherwise(m: Maker) -> Made:
    tex = {"é": "{\\'e}", "ã": "{\\~a}", "ú": "{\\'u}", "ø": "{\\o}", "á": "{\\'a}", "ñ": "{\\~n}",
           "ß": "{\\ss}", "è": "{\\`e}", "í": "{\\'\\i}", "ä": '{\\"a}', "ó": "{\\'o}",
           "ö": '{\\"o}', "Å": "{\\AA}", "É": "{\\'E}", "ë": '{\\"e}'}  # fmt: skip
    names = "".join(tex.get(char, char) for char in m.names())
    title = m.title + " à la carte"
    return m.article(title=title), m.article(author=names, title=title.replace("à", "{\\`a}"))


def authors_otherwise(m: Maker) -> Made:
    people = m.people
    initials = " and ".join(f"{first[0]}. {last}" for first, last in people)
    turned = " and ".join(f"{last}, {first[0]}." for first, last in people)
    first, last = people[0]
    cut = f"{last}, {first} and others"
    return m.article(), m.article(author=m.chance.choice([initials, turned, cut]))


def venue_otherwise(m: Maker) -> Made:
    return m.article(), m.article(journal=m.short_venue)


def translated(m: Maker) -> Made:
    title = m.chance.choice([f"Über die Lehre von den Dingen in {m.name}",
                             "О некоторых свойствах пространств", "关于若干空间性质的研究",
                             f"Sur quelques propriétés des espaces de {m.name}"])  # fmt: skip
    doi = m.doi()
    return m.article(doi=doi), m.article(doi=doi, title=title)


def with_a_slip(m: Maker) -> Made:
    words = m.title.split()
    at = max(range(len(words)), key=lambda n: len(words[n]))
    word = words[at]
    cut = m.chance.randint(2, len(word) - 2)
    slips = [word[:cut] + word[cut + 1 :], word[:cut] + word[cut] + word[cut:],
             word[:cut] + "x" + word[cut + 1 :]]  # fmt: skip
    words[at] = m.chance.choice(slips)
    shared = m.chance.choice([{}, {"doi": m.doi()}])
    return m.article(**shared), m.article(title=" ".join(words), **shared)


def online_and_in_print(m: Maker) -> Made:
    doi = m.doi()
    return m.article(doi=doi), m.article(doi=doi, year=str(m.year + 1))


def sloppy_pages(m: Maker) -> Made:
    doi = m.doi()
    return m.article(doi=doi), m.article(doi=doi, pages="1--13")


def report_and_paper(m: Maker) -> Made:
    report = m.preprint(institution="Laboratory", number="TR-17").but("techreport")
    return report, m.article(year=str(m.year + m.chance.randint(0, 1)))


def numerals_otherwise(m: Maker) -> Made:
    one, two = m.chance.choice([(": Part II", ", part 2"), (" III", " 3"), (" (IV)", " IV"),
                                (", Part One", ": Part I"), (", Vol. 2", ", Vol. II")])  # fmt: skip
    return m.article(title=m.title + one), m.article(title=m.title + two)


def entered_twice(m: Maker) -> Made:
    make = m.chance.choice([m.article, m.book, m.preprint])
    return make(), make(note="Read in May")


def one_version_of_a_program(m: Maker) -> Made:
    one = m.program("software", url=m.url(), version="2.0")
    return one, one.but(version=m.chance.choice(["2.0.0", "v2.0", "2.0"]))


def hyphens_and_spelling(m: Maker) -> Made:
    one, two = m.chance.choice(
        [
            ("pre-training", "pretraining"),
            ("co-operation", "cooperation"),
            ("labour", "labor"),
            ("modelling", "modeling"),
            ("behaviour", "behavior"),
            ("organisation", "organization"),
        ]
    )
    return m.article(title=f"{m.title} and {one}"), m.article(title=f"{m.title} and {two}")


def one_page(m: Maker) -> Made:
    url = m.url()
    return m.preprint(url=url).but("online"), m.preprint(url=url + "/")


def proceedings_as_a_book(m: Maker) -> Made:
    one = m.article(doi=m.doi()).but("inproceedings", journal=None, booktitle=m.venue)
    return one, one.but("incollection")


def fewer_fields(m: Maker) -> Made:
    left_out = m.chance.choice([["volume", "pages"], ["journal", "volume", "pages"], ["year"]])
    return m.article(), m.article().but(**dict.fromkeys(left_out))


ONE_WORK: tuple[Kind, ...] = (
    preprint_and_print, retitled_when_printed, without_subtitle_by_identifier, without_subtitle,
    subtitle_field, without_its_name, written_otherwise, accents_otherwise, authors_otherwise,
    venue_otherwise, translated, with_a_slip, online_and_in_print, sloppy_pages, report_and_paper,
    numerals_otherwise, entered_twice, one_version_of_a_program, hyphens_and_spelling, one_page,
    proceedings_as_a_book, fewer_fields,
)  # fmt: skip


def pairs(
    fields: tuple[Field, ...], kinds: tuple[Kind, ...], count: int, seed: int
) -> Iterator[Pair]:
    """Make so many pairs, the kinds and fields in turn."""
    chance = random.Random(seed)
    for number in range(count):
        kind = kinds[number % len(kinds)]
        maker = Maker(fields[number // len(kinds) % len(fields)], chance)
        one, other = kind(maker)
        if chance.random() < 0.5:
            one, other = other, one
        yield Pair(kind.__name__, one, other, kinds is ONE_WORK)
