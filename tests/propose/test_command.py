"""``papertrack propose``: links and wishes into edits in the list's own form."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from tests.cli.commands import Command
from tests.fake_arxiv import FakeArxiv, synthesise

PAGED = "Paged Attention for Serving Requests"
README = f"""\
# List

## Serving

| Title | Paper | Code |
|--|--|--|
| {PAGED} | [arXiv](https://arxiv.org/abs/2309.06180) | [code](https://github.com/a/paged) |
| Disaggregated Prefill and Decode Serving | [arXiv](https://arxiv.org/abs/2401.09670) | |

## Training

- [Sharded Optimizer States](https://arxiv.org/abs/1910.02054) [[code](https://github.com/a/zero)]
- [Tensor Parallel Transformers](https://arxiv.org/abs/1909.08053)
"""


@pytest.fixture
def readme(home: Path) -> Path:
    path = home / "README.md"
    path.write_text(README, encoding="utf-8")
    return path


@pytest.fixture
def online(fake_arxiv: FakeArxiv, monkeypatch: pytest.MonkeyPatch) -> FakeArxiv:
    monkeypatch.delenv("PAPERTRACK_ARXIV_OFFLINE")
    monkeypatch.setenv("PAPERTRACK_ARXIV_INTERVAL_SECONDS", "0")
    for name, url in fake_arxiv.environment.items():
        monkeypatch.setenv(name, url)
    return fake_arxiv


def issue(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def title_of(arxiv_id: str) -> str:
    work = synthesise(arxiv_id)
    assert work is not None
    return work.title


def test_a_link_becomes_a_row_as_its_section_writes_them(
    papertrack: Command, readme: Path, online: FakeArxiv
) -> None:
    ran = papertrack("propose", "README.md", "2501.00001", "-c", "Serving")
    assert ran.code == 0, ran.err
    added = [line for line in ran.out.splitlines() if line.startswith("+|")]
    link = "[arXiv](https://arxiv.org/abs/2501.00001)"
    assert added == [f"+| {title_of('2501.00001')} | {link} | |"]
    assert readme.read_text(encoding="utf-8") == README


def test_the_file_is_written_only_when_told_to(
    papertrack: Command, readme: Path, online: FakeArxiv
) -> None:
    arguments = ("propose", "README.md", "2501.00001", "-c", "Training", "--write")
    papertrack(*arguments, "--dry-run")
    assert readme.read_text(encoding="utf-8") == README
    assert papertrack(*arguments).code == 0
    new = f"- [{title_of('2501.00001')}](https://arxiv.org/abs/2501.00001)\n"
    assert readme.read_text(encoding="utf-8") == README + new
    again = papertrack(*arguments)
    assert "is already in Training" in again.err
    assert readme.read_text(encoding="utf-8") == README + new


def test_an_issue_is_answered_in_markdown(
    papertrack: Command, readme: Path, online: FakeArxiv, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "### Links\n\n2501.00001\n2309.06180\n2501.00999\n\n### Category\n\nTraining\n"
    issue(monkeypatch, text + "\n### Notes\n\n```\n@all `x`\n")
    ran = papertrack("propose", "README.md", "-", "-o", "new.md", "--summary", "pr.md")
    assert ran.code == 3, ran.err  # One of the works is not found; the others are done.
    summary = Path("pr.md").read_text(encoding="utf-8")
    assert "### Added (1)" in summary
    assert "### In the list already (1)" in summary
    assert "### Not found (1)" in summary
    assert "knows no paper 2501.00999" in summary
    assert "````markdown\n```\n@all `x`\n````\n" in summary
    assert "2501.00001" in Path("new.md").read_text(encoding="utf-8")
    assert papertrack("propose", "README.md", "2501.00001", "-o", "new.md").code == 2


def test_with_a_library_it_is_known_what_may_be_replaced(
    papertrack: Command, readme: Path, online: FakeArxiv
) -> None:
    papertrack("init")
    arguments = ("propose", str(readme), "2501.00001", "-c", "Training", "-o", "new.md")
    assert [papertrack(*arguments).code for _ in range(2)] == [0, 0]
    Path("new.md").write_text("My own words.\n")
    assert papertrack(*arguments).code == 5
    assert papertrack(*arguments, "--force").code == 0
    assert Path("new.md.before-1").read_text() == "My own words.\n"


def test_a_work_without_a_section_goes_where_works_are_like_it(
    papertrack: Command, readme: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    issue(monkeypatch, "[Sharded Optimizer States Revisited](https://arxiv.org/abs/2501.00001)")
    ran = papertrack("propose", "README.md", "-", "--json")
    (outcome,) = json.loads(ran.out)["outcomes"]
    assert (outcome["kind"], outcome["category"]) == ("added", "Training")
    assert "most similar work is “Sharded Optimizer States”" in outcome["reason"]


def test_a_work_that_is_like_nothing_is_left_to_the_maintainer(
    papertrack: Command, readme: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    issue(monkeypatch, "[Protein Folding at Home](https://arxiv.org/abs/2501.00001)")
    (outcome,) = json.loads(papertrack("propose", "README.md", "-", "--json").out)["outcomes"]
    assert (outcome["kind"], outcome["category"]) == ("undecided", None)
    issue(monkeypatch, "### Links\n\n[Paged](https://arxiv.org/abs/2501.00001)\n\n### Topic\n\nX\n")
    (outcome,) = json.loads(papertrack("propose", "README.md", "-", "--json").out)["outcomes"]
    assert "has no section 'X'" in outcome["reason"]


def test_arxiv_that_cannot_be_asked_is_told_and_the_rest_is_made(
    papertrack: Command, readme: Path, online: FakeArxiv, monkeypatch: pytest.MonkeyPatch
) -> None:
    for service in ("api", "oai", "datacite"):
        online.fail(service, "rate-seconds")
    issue(monkeypatch, "- 2501.00002\n- [Sharded Serving](https://arxiv.org/abs/2501.00001)\n")
    ran = papertrack("propose", "README.md", "-", "-c", "Serving", "--json")
    assert ran.code == 4
    outcomes = json.loads(ran.out)["outcomes"]
    assert [one["kind"] for one in outcomes] == ["added", "not-found"]
    assert "answered 429" in outcomes[1]["reason"]


def test_the_exit_code_says_what_was_not_done(papertrack: Command, readme: Path) -> None:
    papertrack("init")
    papertrack("add", "2501.00001", "--offline")
    papertrack("edit", "2501.00001", "title=A Known Work")
    known = ("propose", "README.md", "2501.00001", "--summary", "pr.md")
    assert papertrack(*known, "-c", "Serving").code == 0
    assert papertrack(*known, "-c", "No Such Section").code == 5
    assert papertrack(*known, "-c", "Serving", "words that name nothing").code == 3
    assert "words that name nothing" in readme.with_name("pr.md").read_text()


def test_a_list_is_not_changed_when_its_summary_would_replace_a_file_by_hand(
    papertrack: Command, readme: Path
) -> None:
    papertrack("init")
    readme.with_name("pr.md").write_text("by hand\n")
    wish = ("propose", "README.md", "--remove", "2401.09670", "--write", "--summary", "pr.md")
    assert papertrack(*wish).code == 5
    assert readme.read_text(encoding="utf-8") == README
    assert papertrack(*wish, "--force").code == 0
    assert "2401.09670" not in readme.read_text(encoding="utf-8")


def test_the_library_knows_what_it_has_by_any_of_its_names(
    papertrack: Command, readme: Path
) -> None:
    papertrack("init")
    papertrack("add", "2501.00001", "--offline")
    papertrack("edit", "2501.00001", "title=A Known Work", "citekey=known2025")
    ran = papertrack("propose", "README.md", "2501.00001", "-c", "Serving")
    assert "+| A Known Work | [arXiv](https://arxiv.org/abs/2501.00001) | |" in ran.out


def test_entries_are_removed_and_moved_in_the_lists_own_form(
    papertrack: Command, readme: Path
) -> None:
    more = "\n## Parallel\n\n- [Pipelines](https://arxiv.org/abs/1811.06965)\n"
    readme.write_text(README + more, encoding="utf-8")
    ran = papertrack(
        *("propose", "README.md", "--remove", "2401.09670", "--move", "Tensor", "--to", "Parallel"),
        "--write",
    )
    assert ran.code == 0, ran.err
    text = readme.read_text(encoding="utf-8")
    assert "2401.09670" not in text
    assert text.endswith(
        "[Pipelines](https://arxiv.org/abs/1811.06965)\n" + README.splitlines()[-1] + "\n"
    )
    assert papertrack("propose", "README.md", "--remove", "nothing").code == 3
    assert papertrack("propose", "README.md", "--move", "Tensor").code == 2


def test_where_a_work_was_published_is_linked_beside_its_preprint(
    papertrack: Command, readme: Path
) -> None:
    ran = papertrack(
        *("propose", "README.md", "--write"),
        *("--published", "2309.06180", "10.1145/3600006.3613165"),
        *("--published", "Sharded", "https://dl.acm.org/doi/10.5555/3433701.3433727"),
    )
    assert ran.code == 0, ran.err
    text = readme.read_text(encoding="utf-8")
    assert (
        "[arXiv](https://arxiv.org/abs/2309.06180), "
        "[DOI](https://doi.org/10.1145/3600006.3613165) | [code]"
    ) in text
    assert (
        "[[code](https://github.com/a/zero)] "
        "[[DOI](https://dl.acm.org/doi/10.5555/3433701.3433727)]\n"
    ) in text


def test_no_title_of_a_stranger_leaves_its_cell(
    papertrack: Command, readme: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    title = "A | B <script>alert(1)</script> `x` @all ![i](http://e.example/i)"
    issue(monkeypatch, f"[{title[:40]}](https://arxiv.org/abs/2501.00001)")
    ran = papertrack("propose", "README.md", "-", "-c", "Serving", "--summary", "-")
    added = ran.out.partition("```markdown\n")[2].partition("\n  ```")[0]
    assert added.count(" | ") == 3
    assert "<script>" not in added.replace("\\<script>", "")


def test_nothing_asked_for_is_a_mistake_and_too_much_is_told(
    papertrack: Command, readme: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert papertrack("propose", "README.md").code == 2
    issue(monkeypatch, "\n".join(f"- 2301.{number:05}" for number in range(1, 60)))
    outcomes = json.loads(papertrack("propose", "README.md", "-", "--offline", "--json").out)
    told = [one for one in outcomes["outcomes"] if one["kind"] == "undecided"]
    assert [one["reference"] for one in told] == ["9 further works"]
