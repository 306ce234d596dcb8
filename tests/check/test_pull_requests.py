"""``papertrack check`` in a pull request: only what is new, as programs want it."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.cli.commands import Command

HEAD = "# Reading\n\n## Memory\n\n"
PAGED = "- [PagedAttention](https://arxiv.org/abs/2309.06180)\n"
SCALING = "- [Scaling Laws for Neural Language Models](https://arxiv.org/abs/2001.08361)\n"
EMPTY = "- [A Work without an Address]()\n"
OLD = HEAD + PAGED + PAGED + EMPTY


def git(folder: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    command = ["git", "-C", str(folder), *identity, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def repository(home: Path) -> Path:
    """A repository whose README has two findings on its main branch, and a branch of it."""
    git(home, "init", "--initial-branch=main")
    (home / "README.md").write_text(OLD, encoding="utf-8")
    git(home, "add", "README.md")
    git(home, "commit", "--message=Begin")
    git(home, "checkout", "-b", "change")
    return home


def found(papertrack: Command, *arguments: str) -> list[tuple[int, str]]:
    ran = papertrack("check", "README.md", *arguments, "--format", "json")
    findings = [(one["line"], one["kind"]) for one in json.loads(ran.out)["findings"]]
    assert ran.code == (5 if findings else 0)
    return findings


def test_what_the_base_has_already_is_not_new_wherever_it_moves(
    papertrack: Command, repository: Path
) -> None:
    assert len(found(papertrack)) == 2
    assert found(papertrack, "--base", "main") == []
    moved = HEAD + EMPTY + SCALING + "\nSome words.\n\n" + PAGED + PAGED
    (repository / "README.md").write_text(moved, encoding="utf-8")
    assert found(papertrack, "--base", "main") == []
    ran = papertrack("check", "README.md", "--base", "main")
    assert ran.err == "Nothing new in 4 entries of 1 file; 2 known already.\n"


def test_of_what_is_alike_that_in_the_new_line_is_new(
    papertrack: Command, repository: Path
) -> None:
    new = "- [Paged Attention](https://arxiv.org/abs/2309.06180v2)\n"
    (repository / "README.md").write_text(HEAD + new + PAGED + PAGED + EMPTY, encoding="utf-8")
    assert found(papertrack, "--base", "main") == [(5, "duplicate")]


def test_a_new_row_makes_no_old_one_wrong(papertrack: Command, repository: Path) -> None:
    linkless = "- A Work without Any Link at All\n"
    others = "".join(f"- [Work Number {n}](https://example.org/{n})\n" for n in range(4))
    few = HEAD + linkless + linkless.replace("Any", "One") + others
    (repository / "README.md").write_text(few, encoding="utf-8")
    git(repository, "commit", "--all", "--message=Few")
    more = "".join(f"- [Work Number {n}](https://example.org/{n})\n" for n in range(4, 9))
    (repository / "README.md").write_text(few + more, encoding="utf-8")
    assert [kind for _, kind in found(papertrack)] == ["no-link", "no-link"]
    assert found(papertrack, "--base", "HEAD") == []


def test_the_base_is_where_the_branch_left_it(papertrack: Command, repository: Path) -> None:
    git(repository, "checkout", "main")
    (repository / "README.md").write_text(HEAD + PAGED, encoding="utf-8")
    git(repository, "commit", "--all", "--message=Mend")
    git(repository, "checkout", "change")
    assert found(papertrack, "--base", "main") == []


def test_a_file_that_is_new_is_checked_whole(papertrack: Command, repository: Path) -> None:
    git(repository, "rm", "--cached", "README.md")
    git(repository, "commit", "--message=Without")
    assert len(found(papertrack, "--base", "HEAD")) == 2


def test_a_file_that_was_there_at_the_base_is_newly_missing(
    papertrack: Command, repository: Path
) -> None:
    (repository / "paging.png").write_bytes(b"")
    text = HEAD + PAGED + "\n![paging](paging.png) ![other](other.png)\n"
    (repository / "README.md").write_text(text, encoding="utf-8")
    git(repository, "add", "--all")
    git(repository, "commit", "--message=Pictures")
    (repository / "paging.png").unlink()
    assert found(papertrack, "--base", "HEAD") == [(7, "missing-file")]


@pytest.mark.parametrize(
    ("ref", "code", "told"),
    [("nowhere", 3, "has no nowhere"), ("--help", 3, "has no --help")],
)
def test_a_base_that_is_not_there_is_told(
    papertrack: Command, repository: Path, ref: str, code: int, told: str
) -> None:
    ran = papertrack("check", "README.md", f"--base={ref}")
    assert ran.code == code
    assert told in ran.err


def test_what_git_itself_complains_of_is_told(papertrack: Command, repository: Path) -> None:
    (repository / ".git" / "HEAD").unlink()
    ran = papertrack("check", "README.md", "--base", "main")
    assert ran.code == 1
    assert "not a git repository" in ran.err


def test_a_base_without_a_common_commit_is_told(papertrack: Command, repository: Path) -> None:
    git(repository, "checkout", "--orphan", "alone")
    git(repository, "commit", "--message=Alone")
    ran = papertrack("check", "README.md", "--base", "main")
    assert ran.code == 3
    assert "fetch-depth: 0" in ran.err


def test_outside_of_a_repository_there_is_no_base(papertrack: Command, home: Path) -> None:
    (home / "README.md").write_text(OLD, encoding="utf-8")
    ran = papertrack("check", "README.md", "--base", "main")
    assert ran.code == 2
    assert "not in a git repository" in ran.err


def test_what_is_recorded_is_not_new(papertrack: Command, home: Path) -> None:
    (home / "README.md").write_text(OLD, encoding="utf-8")
    ran = papertrack("check", "README.md", "--write-baseline", "docs/known.json")
    assert (ran.code, ran.err) == (0, "docs/known.json records 2 findings.\n")
    assert found(papertrack, "--baseline", "docs/known.json") == []
    (home / "README.md").write_text(HEAD + EMPTY + EMPTY + PAGED + PAGED, encoding="utf-8")
    assert found(papertrack, "--baseline", "docs/known.json") == [(6, "empty-link")]


def test_a_record_is_written_over_no_other_file(papertrack: Command, home: Path) -> None:
    (home / "README.md").write_text(OLD, encoding="utf-8")
    (home / "other.json").write_text("{}", encoding="utf-8")
    ran = papertrack("check", "README.md", "--write-baseline", "other.json")
    assert ran.code == 2
    assert (home / "other.json").read_text("utf-8") == "{}"
    assert papertrack("check", "README.md", "--write-baseline", "known.json", "-n").code == 0
    assert not (home / "known.json").exists()
    assert papertrack("check", "README.md", "--baseline", "known.json").code == 3
    both = papertrack("check", "README.md", "--baseline", "a", "--base", "main")
    assert both.code == 2
    assert "cannot be combined" in both.err


@pytest.mark.parametrize("text", ["[" * 100_000, '{"files": {"a": [["kind", "about", 1e999]]}}'])
def test_a_record_of_odd_values_is_refused(papertrack: Command, home: Path, text: str) -> None:
    (home / "README.md").write_text(OLD, encoding="utf-8")
    (home / "odd.json").write_text(text.replace("{", '{"papertrack_check_baseline": 1, ', 1))
    ran = papertrack("check", "README.md", "--baseline", "odd.json")
    assert ran.code == 2
    assert "odd.json is not a record" in ran.err


def test_github_is_told_each_finding_as_an_annotation(
    papertrack: Command, repository: Path
) -> None:
    folder = repository / "a, b"
    folder.mkdir()
    evil = "100% ##[stop-commands]x ::warning::y"
    text = HEAD + f"- [{evil}]()\n" + SCALING + SCALING.replace("- ", "\n## B\n\n- ")
    (folder / "list.md").write_text(text, encoding="utf-8")
    ran = papertrack("check", "a, b/list.md", "--format", "github")
    assert ran.code == 5
    assert ran.out == (
        "::warning file=a%2C b/list.md,line=5,title=papertrack%3A empty-link::"
        "The link “100%25 # # [stop-commands]x ::warning::y” has no address.\n"
        "::notice file=a%2C b/list.md,line=10,title=papertrack%3A several-sections::"
        "“Scaling Laws for Neural Language Models” is in line 6 too: it is listed under "
        "Memory and B.\n"
    )


def test_code_scanning_is_given_sarif(papertrack: Command, repository: Path) -> None:
    ran = papertrack("check", "README.md", "--format", "sarif")
    assert ran.code == 5
    log = json.loads(ran.out)
    assert (log["version"], set(log)) == ("2.1.0", {"$schema", "version", "runs"})
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "papertrack"
    ids = [rule["id"] for rule in driver["rules"]]
    assert len(set(ids)) == len(ids)
    assert all(rule["shortDescription"]["text"].endswith(".") for rule in driver["rules"])
    for result in run["results"]:
        assert ids[result["ruleIndex"]] == result["ruleId"]
        assert result["level"] in ("error", "warning", "note")
        assert result["message"]["text"]
        (location,) = result["locations"]
        place = location["physicalLocation"]
        assert place["artifactLocation"] == {"uri": "README.md", "uriBaseId": "%SRCROOT%"}
        assert place["region"]["startLine"] in (6, 7)
    fingerprints = [one["partialFingerprints"] for one in run["results"]]
    assert len({str(one) for one in fingerprints}) == 2
    # They stay where lines move.
    moved = OLD.replace("## Memory", "Some words.\n\n## Memory")
    (repository / "README.md").write_text(moved, encoding="utf-8")
    log = json.loads(papertrack("check", "README.md", "--format", "sarif").out)
    assert [one["partialFingerprints"] for one in log["runs"][0]["results"]] == fingerprints


def test_how_grave_a_finding_must_be_is_said_or_set(papertrack: Command, home: Path) -> None:
    text = HEAD + PAGED + "\n## Serving\n\n" + PAGED
    (home / "README.md").write_text(text, encoding="utf-8")
    assert papertrack("check", "README.md").code == 5
    assert papertrack("check", "README.md", "--fail-on", "warning").code == 0
    papertrack("init")
    papertrack("config", "check.fail_on", "error")
    ran = papertrack("check", "README.md")
    assert (ran.code, "several-sections" in ran.out) == (0, True)
    papertrack("config", "check.ignore", "several-sections")
    assert papertrack("check", "README.md", "--fail-on", "note").out == ""
    papertrack("config", "check.ignore", "several")
    assert papertrack("check", "README.md").code == 2
