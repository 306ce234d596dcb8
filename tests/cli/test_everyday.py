"""The everyday commands, each through what a user types and sees."""

import json
from pathlib import Path
from typing import Any

import pytest

from papertrack.library import Library
from papertrack.library.surroundings import conflicting_copies
from tests.cli.commands import Command

KEYS = (
    "id kind citekey title authors arxiv_id version doi url submitted updated primary_category "
    "arxiv_categories abstract categories tags passes_done readings decision rating links notes "
    "topics added"
).split()


def shown(papertrack: Command, reference: str) -> dict[str, Any]:
    ran = papertrack("show", reference, "--json")
    assert ran.code == 0, ran.err
    paper: dict[str, Any] = json.loads(ran.out)
    return paper


def test_a_paper_is_named_by_any_spelling(papertrack: Command, shelf: Path) -> None:
    for spelling in (
        "2309.06180",
        "arXiv:2309.06180v2",
        "https://arxiv.org/pdf/2309.06180",
        "10.48550/arXiv.2309.06180",
        "kwon2023efficient",
        "KWON2023EFFICIENT",
        "efficient memory",
    ):
        assert shown(papertrack, spelling)["arxiv_id"] == "2309.06180"


def test_an_unknown_paper_names_the_nearest_and_exits_3(papertrack: Command, shelf: Path) -> None:
    ran = papertrack("show", "kwon2023eficient")
    assert ran.code == 3
    assert "kwon2023efficient" in ran.err


def test_what_looks_like_an_id_can_be_added(papertrack: Command, shelf: Path) -> None:
    assert "`papertrack add 2409.99999` adds it" in papertrack("show", "2409.99999").err


def test_papers_without_a_title_are_told_apart_by_their_identifiers(
    papertrack: Command, shelf: Path
) -> None:
    papertrack("add", "10.1145/1", "10.1145/2", "--offline")
    titles = [line.split("\t")[4] for line in papertrack("list").out.splitlines()]
    assert {f"10.1145/{n} (title not known yet)" for n in (1, 2)} <= {*titles}


def test_an_arxiv_id_alone_makes_a_paper_with_its_month(papertrack: Command, shelf: Path) -> None:
    papertrack("add", "hep-th/9901001", "--tag", "old", "--inbox")
    paper = shown(papertrack, "hep-th/9901001")
    assert paper["submitted"] == "1999-01"
    assert paper["decision"] == "inbox"
    assert paper["tags"] == ["old"]


def test_adding_twice_adds_once(papertrack: Command, shelf: Path) -> None:
    ran = papertrack("add", "2309.06180v3", "2205.14135", "--json")
    report = json.loads(ran.out)
    assert (report["papers_new"], report["papers_unchanged"]) == (1, 1)
    assert json.loads(papertrack("add", "2205.14135", "--json").out)["papers_new"] == 0


@pytest.mark.parametrize("command", ["init", "demo"])
def test_making_a_library_can_be_tried_and_told_to_programs(
    papertrack: Command, home: Path, command: str
) -> None:
    ran = papertrack(command, "new", "--dry-run")
    assert (ran.code, ran.out) == (0, "")
    assert ran.err.startswith("Dry run, nothing changed: Made a ")
    assert not (home / "new").exists()
    made = json.loads(papertrack(command, "new", "--json").out)
    assert made["library"] == str(home / "new")
    assert (home / "new" / "data" / "papertrack.db").is_file()


def test_no_lines_on_stdin_are_nothing_to_do(papertrack: Command, shelf: Path) -> None:
    for command in ("save", "discard", "rm", "cite"):
        ran = papertrack(command, "-", stdin="\n")
        assert (ran.code, ran.out, ran.err) == (0, "", "Nothing to do.\n"), command


def test_lines_of_stdin_are_references(process: Command, shelf: Path) -> None:
    assert process("add", "-", stdin="2205.14135\n\n 2307.08691 \n").code == 0
    assert process("save", "-", stdin="2205.14135\n").code == 0
    assert len(process("list", "--json").out.splitlines()) > 5


def test_what_names_no_work_is_refused_with_nothing_added(papertrack: Command, shelf: Path) -> None:
    ran = papertrack("add", "2205.14135", "not an id")
    assert ran.code == 2
    assert "'not an id'" in ran.err
    assert papertrack("show", "2205.14135").code == 3


def test_the_json_of_a_paper_has_the_promised_keys_and_null_for_the_unknown(
    papertrack: Command, shelf: Path
) -> None:
    paper = shown(papertrack, "kwon2023efficient")
    assert set(KEYS) <= set(paper)
    assert paper["authors"] == ["Woosuk Kwon", "Zhuohan Li"]
    assert paper["doi"] is None
    assert paper["categories"] == ["Systems/Serving"]
    assert {"role": "code", "label": None, "url": "https://github.com/vllm-project/vllm"} in paper[
        "links"
    ]
    listed = json.loads(papertrack("list", "--json").out)
    assert {key: value for key, value in paper.items() if key != "files"} in listed
    assert len(listed) == 3


def test_a_list_in_a_pipe_is_separated_by_tabs(papertrack: Command, shelf: Path) -> None:
    ran = papertrack("list", "--sort", "title")
    assert ran.out.splitlines()[0] == (
        "unread\t2023-09\tkwon2023efficient\tKwon et al.\t"
        "Efficient Memory Management with PagedAttention"
    )
    assert ran.err == ""


def test_a_work_without_a_preprint_is_listed_with_its_year(
    papertrack: Command, shelf: Path
) -> None:
    Path("old.bib").write_text("@book{old, title={Old Lamps}, author={Al Ba}, year=1975}\n")
    assert papertrack("import", "old.bib").code == 0
    assert papertrack("list", "old lamps").out.split("\t")[1] == "1975"


def test_a_query_selects_and_a_bad_one_names_the_place(papertrack: Command, shelf: Path) -> None:
    assert "zero" in papertrack("list", "title:memory", "NOT", "paged*").out
    assert "kwon" not in papertrack("list", "title:memory NOT paged*").out
    ran = papertrack("list", "titel:memory")
    assert ran.code == 2
    assert "title" in ran.err
    assert papertrack("list", "year:2100-").out == ""


def test_a_discarded_paper_with_a_pass_says_both(papertrack: Command, shelf: Path) -> None:
    papertrack("discard", "zero", "--reason", "read the sequel")
    papertrack("pass", "zero", "1")
    assert "pass 1, discarded (read the sequel)" in papertrack("show", "zero").out


def test_discarded_papers_are_listed_when_asked_for(papertrack: Command, shelf: Path) -> None:
    papertrack("discard", "zero", "--reason", "read the sequel")
    assert "zero" not in papertrack("list").out
    assert "zero" not in papertrack("list", "memory").out
    assert "zero" in papertrack("list", "--all").out
    assert "discarded" in papertrack("list", "is:discarded").out
    assert "read the sequel" in papertrack("show", "zero").out
    papertrack("save", "zero")
    assert "zero" in papertrack("list").out


def test_a_pass_is_recorded_with_what_stayed_and_taken_back(
    papertrack: Command, shelf: Path
) -> None:
    papertrack("pass", "zero", "1", "--minutes", "10", "--takeaway", "Shard it all.")
    papertrack("pass", "zero", "2", "--at", "2026-02-01")
    readings = shown(papertrack, "zero")["readings"]
    assert readings == [
        {
            "pass": 1,
            "at": "2026-03-01T09:30:00+00:00",
            "minutes": 10,
            "version": None,
            "takeaway": "Shard it all.",
        },
        {"pass": 2, "at": "2026-02-01", "minutes": None, "version": None, "takeaway": None},
    ]
    assert "pass 2" in papertrack("list", "zero").out
    papertrack("pass", "zero", "--undo")
    assert shown(papertrack, "zero")["passes_done"] == 1


def test_without_a_number_the_pass_that_is_due_is_done(papertrack: Command, shelf: Path) -> None:
    assert "0 → 1" in papertrack("pass", "zero").err
    assert json.loads(papertrack("pass", "zero", "--json").out)["passes_done"] == 2
    assert papertrack("pass", "zero", "4").code == 2
    assert "as a number: 1, 2, 3." in papertrack("pass", "zero", "one").err
    assert papertrack("pass", "kwon2023efficient", "--undo").code == 2


def test_a_sixth_paper_in_hand_is_refused_unless_forced(papertrack: Command, shelf: Path) -> None:
    papertrack("config", "reading.in_hand", "2")
    assert papertrack("queue", "zero", "kwon2023efficient").code == 0
    ran = papertrack("queue", "2401.09670")
    assert ran.code == 1
    assert "zero" in ran.err
    assert papertrack("queue", "2401.09670", "--force").code == 0
    assert papertrack("queue", "--aside", "zero").code == 0
    in_hand = json.loads(papertrack("queue", "--json").out)["in_hand"]
    assert [paper["citekey"] for paper in in_hand] == ["kwon2023efficient", in_hand[1]["citekey"]]


def test_what_is_due_is_listed_until_it_is_put_off(papertrack: Command, shelf: Path) -> None:
    papertrack("pass", "zero", "1", "--at", "2026-02-14")
    assert "zero" in papertrack("list", "is:due").out
    ran = papertrack("snooze", "zero", "--until", "1m", "--json")
    assert json.loads(ran.out)["snoozed_until"] == "2026-04-01"
    assert papertrack("list", "is:due").out == ""
    assert "zero" in papertrack("list", "is:snoozed").out
    assert "until 2026-04-01" in papertrack("show", "zero").out
    assert json.loads(papertrack("show", "zero", "--json").out)["snoozed_until"] == "2026-04-01"
    assert "No longer snoozed: zero." in papertrack("snooze", "zero", "--back").err
    assert "zero" in papertrack("list", "is:due").out
    assert "'soon' is not a day" in papertrack("snooze", "zero", "--until", "soon").err
    assert papertrack("snooze", "zero", "--back", "--until", "2w").code == 2


def test_next_takes_a_paper_in_hand_and_stays_with_it(papertrack: Command, shelf: Path) -> None:
    papertrack("edit", "zero", "rating=5")
    first = json.loads(papertrack("next", "--json").out)
    assert (first["citekey"], first["pass"], first["is_taken"]) == ("zero", 1, True)
    again = json.loads(papertrack("next", "--json").out)
    assert (again["citekey"], again["is_taken"]) == ("zero", False)


def test_tags_and_categories_change(papertrack: Command, shelf: Path) -> None:
    papertrack("tag", "zero", "+memory", "training")
    papertrack("tag", "zero", "-training", "--json")
    papertrack("move", "zero", "--category", "Training", "--also")
    paper = shown(papertrack, "zero")
    assert paper["tags"] == ["memory"]
    assert paper["categories"] == ["Systems/Serving", "Training"]
    papertrack("move", "zero", "-c", "Training")
    assert shown(papertrack, "zero")["categories"] == ["Training"]
    assert papertrack("tag").out == "memory\t1\n"
    assert papertrack("tag", "zero").code == 2


def test_removing_and_merging_can_be_undone_and_redone(papertrack: Command, shelf: Path) -> None:
    before = papertrack("list", "--json").out
    papertrack("merge", "kwon2023efficient", "zero")
    assert shown(papertrack, "zero")["citekey"] == "kwon2023efficient"
    assert "former keys" in papertrack("show", "kwon2023efficient").out
    papertrack("rm", "kwon2023efficient")
    assert len(json.loads(papertrack("list", "--json").out)) == 1
    assert papertrack("undo").code == 0
    assert papertrack("undo").code == 0
    assert papertrack("list", "--json").out == before
    papertrack("redo")
    assert len(json.loads(papertrack("list", "--json").out)) == 2


def test_the_log_tells_what_was_done_to_one_paper(papertrack: Command, shelf: Path) -> None:
    papertrack("pass", "zero", "1")
    actions = json.loads(papertrack("log", "zero", "--json").out)
    assert [action["verb"] for action in actions] == ["pass", "edit", "add"]
    everything = json.loads(papertrack("log", "--json").out)
    assert len(everything) == 4


def test_the_log_shows_the_readers_own_time(process: Command, shelf: Path) -> None:
    for zone, time in (("Asia/Tokyo", "18:30"), ("UTC", "09:30")):
        assert process("log", TZ=zone).out.splitlines()[0].split("\t")[1] == f"2026-03-01 {time}"


def test_what_no_longer_fits_is_told_by_the_command_that_puts_it_right(
    papertrack: Command, shelf: Path
) -> None:
    papertrack("move", "zero", "-c", "New")
    papertrack("move", "zero", "-c", "Other")
    papertrack("category", "rm", "New")
    number = json.loads(papertrack("log", "--json").out)[1]["id"]
    refused = papertrack("undo", str(number))
    assert refused.code == 5
    assert f"Action {number} no longer fits" in refused.err
    papertrack("undo")
    assert papertrack("undo", str(number)).code == 0


def test_a_dry_removal_promises_no_undo(papertrack: Command, shelf: Path) -> None:
    assert papertrack("rm", "zero", "-n").err == "Dry run, nothing changed: Removed zero.\n"
    assert papertrack("rm", "zero").err == "Removed zero. `papertrack undo` brings it back.\n"


def test_an_older_action_is_undone_by_its_number(papertrack: Command, shelf: Path) -> None:
    papertrack("tag", "zero", "+a")
    number = json.loads(papertrack("log", "--json").out)[0]["id"]
    papertrack("tag", "kwon2023efficient", "+b")
    assert papertrack("undo", str(number)).code == 0
    assert papertrack("tag").out == "b\t1\n"
    for options in ((), ("--dry-run",)):
        ran = papertrack("undo", "999", *options)
        assert ran.code == 3
        assert "There is no action 999" in ran.err


def test_undo_and_redo_tell_programs_what_they_did(papertrack: Command, shelf: Path) -> None:
    papertrack("tag", "zero", "+a")
    (action, *_) = json.loads(papertrack("log", "--json").out)
    for command in ("undo", "redo"):
        for options in (("--dry-run",), ()):
            assert json.loads(papertrack(command, *options, "--json").out) == {
                "action": {**action, "state": "done" if command == "redo" else "undone"},
                "dry_run": bool(options),
            }
    assert json.loads(papertrack("redo", "--json").out) == {"action": None, "dry_run": False}


def test_a_dry_undo_refuses_what_undo_would_refuse(papertrack: Command, shelf: Path) -> None:
    papertrack("edit", "zero", "title=One")
    number = json.loads(papertrack("log", "--json").out)[0]["id"]
    papertrack("edit", "zero", "title=Two")
    assert papertrack("undo", str(number), "--dry-run").code == 5


def test_a_tag_is_renamed_on_every_paper(papertrack: Command, shelf: Path) -> None:
    papertrack("tag", "zero", "+kvcache", "+old")
    papertrack("tag", "kwon2023efficient", "+kvcache", "+kv-cache")
    ran = papertrack("tag", "--rename", "kvcache", "kv-cache")
    assert ran.err == "kvcache is kv-cache on 2 papers.\n"
    assert papertrack("tag").out == "kv-cache\t2\nold\t1\n"
    papertrack("tag", "--rename", "kv-cache", "KV-Cache")
    assert papertrack("tag").out == "KV-Cache\t2\nold\t1\n"
    papertrack("undo")
    papertrack("undo")
    assert papertrack("tag").out == "kv-cache\t1\nkvcache\t2\nold\t1\n"
    assert papertrack("tag", "--rename", "nothing", "x").code == 3
    assert papertrack("tag", "--rename", "old").code == 2


def test_what_a_bib_file_said_is_shown_word_for_word(papertrack: Command, shelf: Path) -> None:
    entry = "@article{other2020,\n  title = {{Other}},\n  odd-field = {kept}\n}"
    (shelf / "refs.bib").write_text(f"% mine\n{entry}\n")
    papertrack("import", "refs.bib")
    ran = papertrack("show", "other2020", "--raw")
    assert (ran.out, ran.err) == (entry + "\n", "refs.bib:other2020:\n")
    assert json.loads(papertrack("show", "other2020", "--raw", "--json").out) == {
        "refs.bib:other2020": entry
    }
    assert "No imported .bib file" in papertrack("show", "zero", "--raw").err


def test_stats_count_by_category_and_month(papertrack: Command, shelf: Path) -> None:
    papertrack("pass", "zero", "1", "--minutes", "25")
    found = json.loads(papertrack("stats", "--json").out)
    assert found["passes"] == {"unread": 2, "first": 1, "second": 0, "third": 0}
    assert found["by_category"] == [
        {
            "category": "Systems/Serving",
            "papers": 3,
            "unread": 2,
            "first": 1,
            "second": 0,
            "third": 0,
        }
    ]
    assert found["by_month"] == [
        {"month": "2026-03", "first": 1, "second": 0, "third": 0, "minutes": 25}
    ]
    assert "Systems/Serving" in papertrack("stats").out


def test_citations_come_in_every_form(papertrack: Command, shelf: Path) -> None:
    assert papertrack("cite", "2309.06180", "zero").out == "kwon2023efficient\nzero\n"
    assert papertrack("cite", "zero", "--latex").out == "\\cite{zero}\n"
    assert "@zero" in papertrack("cite", "zero", "--pandoc").out
    assert "2309.06180" in papertrack("cite", "kwon2023efficient", "--text").out
    assert papertrack("cite", "zero", "--bibtex").out.startswith("@misc{zero,")
    assert json.loads(papertrack("cite", "zero", "--json").out)[0]["latex"] == "\\cite{zero}"


def test_what_would_be_opened_is_printed_and_only_the_web_is_opened(
    papertrack: Command, shelf: Path
) -> None:
    assert papertrack("open", "zero", "-p").out == "https://arxiv.org/abs/1910.02054\n"
    assert papertrack("open", "zero", "--pdf", "-p").out == "https://arxiv.org/pdf/1910.02054\n"
    code = papertrack("open", "kwon2023efficient", "--code", "-p")
    assert code.out == "https://github.com/vllm-project/vllm\n"
    assert papertrack("open", "zero", "--code").code == 3
    assert papertrack("open", "zero", "--note").code == 3


def test_a_fetched_pdf_is_opened_with_the_viewer_of_the_settings(
    papertrack: Command, process: Command, shelf: Path
) -> None:
    (shelf / "pdfs").mkdir()
    (shelf / "pdfs" / "zero.pdf").write_bytes(b"%PDF-1.4")
    papertrack("config", "pdf_viewer", "echo viewing")
    ran = process("open", "zero", "--pdf")
    assert ran.out == f"viewing {shelf / 'pdfs' / 'zero.pdf'}\n"
    assert process("open", "zero", "--pdf", PAPERTRACK_PDF_VIEWER="no-such-viewer").code == 1


def test_a_dry_run_changes_nothing(papertrack: Command, shelf: Path) -> None:
    papertrack("tag", "kwon2023efficient", "+undone")
    papertrack("tag", "zero", "+undone")
    papertrack("undo")
    before = (shelf / "data" / "papertrack.db").read_bytes()
    for line in (
        "pass zero 1",
        "save 2401.09670",
        "discard zero",
        "queue zero",
        "snooze zero",
        "next",
        "add 2205.14135",
        "edit zero rating=3",
        "tag zero +x",
        "move zero -c Elsewhere",
        "rm zero",
        "tag --rename undone done",
        "merge kwon2023efficient zero",
        "undo",
        "redo",
    ):
        ran = papertrack(*line.split(), "--dry-run")
        assert ran.code == 0, ran.err
        assert (shelf / "data" / "papertrack.db").read_bytes() == before, line


def test_citekeys_categories_and_tags_are_completed(process: Command, shelf: Path) -> None:
    process("tag", "zero", "+memory")

    def completed(words: str, at: int) -> str:
        return process(
            _PAPERTRACK_COMPLETE="bash_complete",
            COMP_WORDS=f"papertrack {words}",
            COMP_CWORD=str(at),
        ).out

    assert completed("show kwo", 2) == "plain,kwon2023efficient\n"
    assert completed("tag zero +me", 3) == "plain,+memory\n"
    assert completed("move zero --category Sys", 4) == "plain,Systems\nplain,Systems/Serving\n"
    assert completed("pass ze", 2) == "plain,zero\n"


def test_an_edit_that_changes_nothing_says_so_and_leaves_nothing_to_undo(
    papertrack: Command, shelf: Path
) -> None:
    papertrack("edit", "2309.06180", "rating=4")
    again = papertrack("edit", "2309.06180", "rating=4")
    assert "nothing to do" in again.out + again.err
    assert [a["verb"] for a in json.loads(papertrack("log", "--json").out)].count("edit") == 3


def test_a_list_of_nothing_names_what_may_have_been_meant(papertrack: Command, shelf: Path) -> None:
    papertrack("tag", "zero", "kernels")
    for query, hint in {
        "category:serv": "No category is named 'serv'. There is 'Serving' and 'Systems/Serving'.",
        "tag:kernel pass:0": "No tag is named 'kernel'. There is 'kernels'",
        "NOT tag:kernel title:nothing-at-all": "",
        "title:nothing-at-all": "",
        "topic:agents": "No topic is named 'agents'.",
    }.items():
        ran = papertrack("list", query)
        assert (ran.code, ran.out) == (0, "")
        assert hint in ran.err if hint else ran.err == ""


def test_a_dry_run_says_what_the_run_says_and_that_nothing_changed(
    papertrack: Command, shelf: Path
) -> None:
    readme = shelf / "README.md"
    readme.write_text("- [ZeRO](https://arxiv.org/abs/1910.02054)\n")
    (shelf / "paper.tex").write_text(r"\cite{kwon2023efficient}")
    for line in (
        "import README.md",
        "edit 2401.09670 title=DistServe",
        "pass 2401.09670 1",
        "next",
        "config reading.in_hand 7",
        "export --bib",
        "export --csv -o papers.csv",
        "digest -o digest.md",
        "cite --tex paper.tex -o paper.bib",
        "export --md",
    ):
        if line == "export --md":
            readme.write_text(f"{readme.read_text()}- [Flash](https://arxiv.org/abs/2205.14135)\n")
            papertrack("import", "README.md")
            papertrack("edit", "2205.14135", "title=FlashAttention")
        tried = papertrack(*line.split(), "--dry-run")
        done = papertrack(*line.split())
        assert "othing to do" not in done.err, line
        assert (tried.code, tried.out) == (done.code, done.out), line
        assert tried.err == f"Dry run, nothing changed: {done.err}"


def test_an_empty_library_says_how_to_begin(papertrack: Command, home: Path) -> None:
    papertrack("init")
    ran = papertrack("list", "title:attention")
    assert (ran.code, ran.out) == (0, "")
    assert "papertrack import README.md" in ran.err
    papertrack("add", "2309.06180")
    assert papertrack("list", "title:attention").err == ""


def test_a_second_version_by_a_sync_program_is_told_beside_what_was_asked_for(
    papertrack: Command, shelf: Path
) -> None:
    listed = papertrack("list")
    (shelf / "data" / "papertrack (conflicted copy 2026-02-27).db").touch()
    ran = papertrack("list")
    assert (ran.code, ran.out) == (listed.code, listed.out)
    assert ran.err == listed.err + conflicting_copies(Library(shelf))[0] + "\n"
    assert papertrack("-q", "list").err == ""


def test_a_library_on_another_machines_disk_is_told_when_it_is_made(
    papertrack: Command, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "papertrack.cli.library.network_disk", lambda folder: f"{folder} is far away."
    )
    ran = papertrack("init", "there")
    assert ran.code == 0
    assert ran.err.startswith(f"{home / 'there'} is far away.\n")


def test_what_is_said_of_the_ranking_ranks_the_inbox_at_once(
    papertrack: Command, shelf: Path
) -> None:
    papertrack("add", "--inbox", "2402.00001", "--offline")
    papertrack("edit", "2402.00001", "title=Pages of memory", "citekey=pages")
    scores = []
    for said in (("less", "pages"), ("less", "--back", "pages"), ("forget", "memory")):
        papertrack("ranking", *said)
        (listed,) = json.loads(papertrack("list", "is:inbox", "--json").out)
        why = json.loads(papertrack("why", "pages", "--json").out)
        assert listed["rank"]["score"] == round(why["score"], 4)
        scores.append(why["score"])
    assert len(set(scores)) == 3
