"""A list is read by the grammar that its own entries show."""

from __future__ import annotations

import random
import re

import pytest

from papertrack.documents.markdown.read.document import parse_document
from tests.corpus import WHOLE
from tests.documents.list_grammars import ListGrammar, Work, works
from tests.documents.test_parts import parts_of


def read_titles(text: str) -> dict[str, str]:
    """The titles in a text, by arXiv id."""
    found = parse_document(text).entries
    return {one.value: e.fields.title for e in found for one in e.identifiers}


def bare(title: str | None) -> str:
    return re.sub(r"\W+", "", title or "").casefold()


def wrong_in(seed: int) -> list[tuple[str, str | None]]:
    """The titles that a list of a random grammar has and is not read to have."""
    listed: list[Work] = random.Random(seed).sample(works(), 12)
    found = read_titles(ListGrammar(seed).text(listed))
    pairs = [(work.title, found.get(work.arxiv)) for work in listed]
    return [(title, read) for title, read in pairs if bare(title) != bare(read)]


def test_titles_are_found_in_lists_of_random_grammars() -> None:
    seeds = range(60 if WHOLE else 20)
    wrong = {seed: found for seed in seeds if (found := wrong_in(seed))}
    assert sum(map(len, wrong.values())) <= len(seeds) * 12 * 0.02, wrong


@pytest.mark.parametrize(
    ("entry", "title"),
    [
        ('- **[{n}]** Ada Lovelace, Alan Turing. "**{t}**" [[pdf]]({u})', None),
        ("- 🔥🔥[Short] {t} (@Org etc) [[pdf]]({u})", None),
        ("- Ada Lovelace and Alan Turing. {t}. ICLR, 2024. [[pdf]]({u})", None),
        ("- (ICLR'24) {t} [[paper]]({u})", None),
        ("- [2024.05] **{t}** *Ada Lovelace, Alan Turing* arXiv [paper]({u})", None),
        ("- **{t}.** Ada Lovelace, Alan Turing. *ICML 2024.* [[paper]({u})]", None),
        ("* [[paper]]({u}) {t}", None),
        ("* [📄 Paper]({u}) {t}", None),
        ("1. {t}<br>*Ada Lovelace, Alan Turing*<br>[Link]({u})", None),
        ("- [Sys{n}]({u}): {t} | ICLR'24", "Sys{n}: {t}"),
        ("- **Sys{n}** - {t} [[paper]]({u})", None),
    ],
)
def test_a_title_is_what_varies_and_reads_like_one(entry: str, title: str | None) -> None:
    listed = random.Random(entry).sample(works(), 10)
    items = [
        entry.format(n=n, t=work.title, u=f"https://arxiv.org/abs/{work.arxiv}")
        for n, work in enumerate(listed)
    ]
    found = read_titles("## Papers\n\n" + "\n".join(items) + "\n")
    wanted = [(title or "{t}").format(n=n, t=work.title) for n, work in enumerate(listed)]
    wrong = [
        (want, found.get(work.arxiv))
        for want, work in zip(wanted, listed, strict=True)
        if bare(want) != bare(found.get(work.arxiv))
    ]
    assert len(wrong) <= 1, wrong


def test_what_is_known_of_a_work_says_where_titles_stand() -> None:
    items = [
        f"- Deep Sea Diver {letter} | Blue Whale Song {letter} | [pdf](https://arxiv.org/abs/2401.0000{n})"
        for n, letter in enumerate("ABCDEF")
    ]
    text = "\n".join(items)
    for name in ("Deep Sea Diver", "Blue Whale Song"):
        known = {f"arxiv:2401.0000{n}": f"{name} {letter}" for n, letter in enumerate("ABCDE")}
        assert parse_document(text, known=known).entries[5].fields.title == f"{name} F"


def test_the_parts_of_a_reference_are_its_authors_title_and_venue() -> None:
    line = (
        "- Ada Lovelace, Alan M. Turing. **A Title of Words: And More.** *ICLR 2024*. "
        "[[pdf]](https://arxiv.org/abs/2309.06180)"
    )
    assert parts_of(line)[:3] == [
        ("authors", "Ada Lovelace, Alan M. Turing"),
        ("title", "A Title of Words: And More"),
        ("venue", "ICLR 2024"),
    ]
    (entry,) = parse_document(line).entries
    assert entry.fields.authors == ("Ada Lovelace", "Alan M. Turing")
    assert entry.fields.venue == "ICLR 2024"


def test_projects_and_organisations_are_no_authors() -> None:
    text = "- [A Tool for Many Things](https://github.com/a/b) | OpenAI, Google DeepMind\n"
    (entry,) = parse_document(text * 1).entries
    assert entry.fields.authors == ()


NAMED = (
    ("Flash", "Flash: Fast and Exact Attention on Small Chips", "2205.14135"),
    ("Sinks", "Efficient Streaming Language Models with Attention Sinks", "2309.17453"),
    ("In a Flash", "In a Flash: Inference of Large Models with Limited Memory", "2312.11514"),
    ("Solver", "Is a Chat Model a General Solver of Language Tasks?", "2302.06476"),
    ("Lang", "Lang: Efficient Execution of Structured Programs", "2312.07104"),
)


@pytest.mark.parametrize(
    "template",
    [
        "- [{name}] {title} [[pdf]](https://arxiv.org/pdf/{id})",
        "- [**{name}**] {title} [[pdf]](https://arxiv.org/pdf/{id})",
        "- **[{name}]** {title} [[pdf]](https://arxiv.org/pdf/{id})",
        "- **{name}**: {title} [[pdf]](https://arxiv.org/pdf/{id})",
        "- [{name}](https://arxiv.org/abs/{id}): {title}",
        "- [**{name}**](https://github.com/x/{id}) - {title}. [[Paper](https://arxiv.org/abs/{id})]",
        "| 2023 | 🔥[**{name}**] {title}(@Lab) | [[pdf]](https://arxiv.org/pdf/{id}) |",
        "| 2023 | [**{name}**] {title} | [[pdf]](https://arxiv.org/pdf/{id}) |",
    ],
)
def test_another_name_in_front_is_no_part_of_the_title(template: str) -> None:
    head = "| Date | Title | Paper |\n|---|---|---|\n" if template[0] == "|" else ""
    lines = [template.format(name=name, title=title, id=id_) for name, title, id_ in NAMED]
    text = "# List\n\n" + head + "\n".join(lines) + "\n"
    entries = parse_document(text).entries
    assert [entry.fields.title for entry in entries] == [title for _, title, _ in NAMED]


def test_a_name_before_a_colon_is_the_titles_where_no_title_says_it_again() -> None:
    text = "# List\n\n" + "".join(
        f"- **{name}**: {title.rpartition(': ')[2]} [[pdf]](https://arxiv.org/pdf/{id_})\n"
        for name, title, id_ in NAMED
    )
    entry = parse_document(text).entries[0]
    assert entry.fields.title == "Flash: Fast and Exact Attention on Small Chips"


MEDICINE = (
    "Dao T, Fu DY, Ermon S. Fast and Exact Attention on Small Chips. J Chips. 2022;3(2):12-20.",
    "van den Berg J. Efficient Streaming of Language Models. Nat Med. 2023;29:1-9.",
    "Smith J.A., Beta A., et al. Inference of Large Models on Phones. Proc Mach. 2023.",
    "Qin C. Chat Models as General Solvers of Tasks. PLoS One. 2023 Feb;8(2):e123.",
)


def test_names_with_initials_behind_end_before_the_title() -> None:
    lines = [f"- {one} https://doi.org/10.1000/x{n}" for n, one in enumerate(MEDICINE)]
    entries = parse_document("# List\n\n" + "\n".join(lines) + "\n").entries
    assert [(entry.fields.authors, entry.fields.title) for entry in entries] == [
        (("T. Dao", "D. Y. Fu", "S. Ermon"), "Fast and Exact Attention on Small Chips"),
        (("J. van den Berg",), "Efficient Streaming of Language Models"),
        (("J. A. Smith", "A. Beta"), "Inference of Large Models on Phones"),
        (("C. Qin",), "Chat Models as General Solvers of Tasks"),
    ]


@pytest.mark.parametrize("template", ['- Doe, Jane. "{}." *Journal.*', "- Jane Doe, ``{},'' 2023."])
def test_signs_of_a_citation_within_its_quotes_are_none_of_the_title(template: str) -> None:
    titles = [title for _, title, _ in NAMED]
    lines = [
        f"{template.format(title)} https://doi.org/10.1000/x{n}" for n, title in enumerate(titles)
    ]
    entries = parse_document("# List\n\n" + "\n".join(lines) + "\n").entries
    assert [entry.fields.title for entry in entries] == titles


@pytest.mark.parametrize(
    ("names", "authors"),
    [
        ("Dao T., Beta A.", ("T. Dao", "A. Beta")),
        ("Dao, T. & Fu, D. Y.", ("T. Dao", "D. Y. Fu")),
        ("Dao, T., Fu, D. Y. & Ermon, S.", ("T. Dao", "D. Y. Fu", "S. Ermon")),
        ("Donald E. Low.", ("Donald E. Low",)),
        ("Thomas N. Low, Max Roe.", ("Thomas N. Low", "Max Roe")),
        ("Robert J. Low et al.", ("Robert J. Low",)),
        ("J. R. R. Low.", ("J. R. R. Low",)),
    ],
)
def test_initials_tell_where_names_end(names: str, authors: tuple[str, ...]) -> None:
    line = f"- {names} Fast attention on small chips. *Nature* 2022. https://doi.org/10.1000/x1"
    (entry,) = parse_document(f"# List\n\n{line}\n").entries
    assert (entry.fields.authors, entry.fields.title) == (authors, "Fast attention on small chips")


@pytest.mark.parametrize(
    ("said", "are_tags"),
    [
        (["SGLang", "FlashOne", "OPT-Flash", "SolverX", "H2O"], False),
        (["SGLang", "Survey", "Theory", "Survey", "oral"], True),
    ],
)
def test_words_in_front_are_tags_unless_they_are_written_as_names_are(
    said: list[str], are_tags: bool
) -> None:
    lines = [
        f"- [{word}] {title} [[pdf]](https://arxiv.org/pdf/{id_})"
        for word, (_, title, id_) in zip(said, NAMED, strict=True)
    ]
    entries = parse_document("# List\n\n" + "\n".join(lines) + "\n").entries
    tags = [(word,) if are_tags else () for word in said]
    assert [entry.fields.tags for entry in entries] == tags
