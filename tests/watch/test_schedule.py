"""The watch that runs by itself: what is written where, and that it can be taken out again."""

from __future__ import annotations

import json
import os
import plistlib
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
import yaml

from papertrack.actions.watch.schedule import (
    Machine,
    Schedule,
    carry_out,
    cron_lines,
    ends_with_session,
    github_workflow,
    installed,
    launchd_agent,
    pick_time,
    plan_install,
    plan_uninstall,
    requirement_of,
    run_program,
    systemd_units,
)
from papertrack.errors import PapertrackError, UsageError

PACKAGE = "git+https://github.com/reader/papertrack"
EASTERN = ZoneInfo("America/New_York")
ODD = Path("/home/reader/My papers 100% $HOME \"q\" 'a' \\n")


def schedule(library: Path = Path("/home/reader/papers"), at: time = time(3, 17)) -> Schedule:
    return Schedule(library, ("/usr/bin/papertrack", "--library", str(library), "watch"), at)


@dataclass
class Programs:
    """Stands for crontab, systemctl and launchctl."""

    crontab: str | None = None
    lingers: str = ""
    """What loginctl says."""
    ran: list[tuple[str, ...]] = field(default_factory=list)

    def run(self, command: Sequence[str], stdin: str) -> str:
        self.ran.append(tuple(command))
        if tuple(command) == ("crontab", "-l"):
            if self.crontab is None:
                raise PapertrackError("`crontab -l` failed: no crontab for reader. Run it by hand.")
            return self.crontab
        if tuple(command) == ("crontab", "-"):
            self.crontab = stdin
        if command[0] == "loginctl":
            return f"{self.lingers}\n"
        return ""


@pytest.fixture
def programs() -> Programs:
    return Programs()


@pytest.fixture
def machine(tmp_path: Path, programs: Programs) -> Machine:
    return Machine(tmp_path / "home", UTC, 501, programs.run)


def test_the_time_is_any_minute_from_half_past_one_to_six() -> None:
    assert pick_time(lambda: 0.0) == time(1, 30)
    assert pick_time(lambda: 0.999999) == time(6, 0)
    assert len({pick_time(lambda n=n: n / 1000) for n in range(1000)}) == 271  # type: ignore[misc]


def test_a_library_whose_folder_is_no_utf_8_has_a_name_too() -> None:
    library = Path(os.fsdecode(b"/home/reader/caf\xe9"))
    assert re.fullmatch(r"papertrack-watch-caf-[0-9a-f]{8}", schedule(library=library).name)


def test_the_timer_runs_on_weekdays_in_eastern_time_and_makes_up_for_nights_off() -> None:
    timer = systemd_units(schedule())[f"{schedule().name}.timer"]
    assert "OnCalendar=Mon..Fri *-*-* 03..09:17:00 America/New_York\n" in timer
    assert "Persistent=true" in timer


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="needs systemd-analyze")
@pytest.mark.parametrize("library", [Path("/home/reader/papers"), ODD])
def test_systemd_accepts_the_units(tmp_path: Path, library: Path) -> None:
    given = Schedule(library, ("/bin/echo", "--library", str(library), "watch"), time(3, 17))
    paths = []
    for name, text in systemd_units(given).items():
        (tmp_path / name).write_text(text)
        paths.append(str(tmp_path / name))
    done = subprocess.run(
        ["systemd-analyze", "verify", "--user", *paths],
        capture_output=True,
        text=True,
        check=False,
        env={"XDG_RUNTIME_DIR": str(tmp_path), "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
    )
    complaints = [line for line in done.stderr.splitlines() if "papertrack-watch" in line]
    assert not complaints, done.stderr


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="needs systemd-analyze")
def test_systemd_reads_the_time_as_it_is_meant() -> None:
    timer = systemd_units(schedule())[f"{schedule().name}.timer"]
    when = re.search("OnCalendar=(.+)", timer)
    assert when
    done = subprocess.run(
        ["systemd-analyze", "calendar", "--iterations=5", when[1]],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "Mon..Fri *-*-* 03..09:17:00 America/New_York" in done.stdout
    utc = re.findall(r"elapse: .*? ([0-9:]+) |Iter\. #[0-9]+: .*? ([0-9:]+) ", done.stdout)
    assert len({when for pair in utc for when in pair if when.endswith(":17:00")}) == 5


@pytest.mark.parametrize(
    ("zone", "expected"),
    [
        ("America/New_York", ["17 3,4,5,6,7,8,9 * * 1,2,3,4,5"]),
        ("UTC", ["17 8,9,10,11,12,13,14 * * 1,2,3,4,5"]),
        ("Asia/Tokyo", ["17 17,18,19,20,21,22,23 * * 1,2,3,4,5"]),
        ("Pacific/Honolulu", ["17 22,23 * * 0,1,2,3,4", "17 0,1,2,3,4 * * 1,2,3,4,5"]),
        ("Asia/Kolkata", ["47 13,14,15,16,17,18,19 * * 1,2,3,4,5"]),
    ],
)
def test_cron_gets_local_times_hour_by_hour_with_the_weekdays_shifted_where_needed(
    zone: str, expected: list[str]
) -> None:
    lines = cron_lines(schedule(), ZoneInfo(zone))
    assert [line.partition(" /usr/bin/papertrack ")[0] for line in lines] == expected


def test_no_try_is_left_for_the_next_day() -> None:
    timer = systemd_units(schedule(at=time(21, 5)))[f"{schedule().name}.timer"]
    assert "OnCalendar=Mon..Fri *-*-* 21..23:05:00 America/New_York\n" in timer


def test_cron_leaves_no_percent_sign_bare_and_the_shell_reads_the_path_back() -> None:
    (line,) = cron_lines(schedule(ODD), UTC)
    command = " ".join(line.split(" ")[5:])
    assert not re.search(r"(?<!\\)%", command)
    script = command.replace(r"\%", "%").replace("/usr/bin/papertrack", "printf '%s\\n'")
    said = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True).stdout
    assert said.splitlines() == ["--library", str(ODD), "watch"]


def test_the_agent_of_launchd_is_a_property_list_with_five_days() -> None:
    agent = plistlib.loads(launchd_agent(schedule(ODD), ZoneInfo("America/Los_Angeles")))
    assert agent["ProgramArguments"][2] == str(ODD)
    assert agent["StartCalendarInterval"] == [
        {"Weekday": day, "Hour": hour, "Minute": 17} for hour in range(7) for day in (1, 2, 3, 4, 5)
    ]


def test_the_workflow_watches_exports_and_commits_in_the_night() -> None:
    text = github_workflow(schedule(), 'pa"pers', PACKAGE)
    cron = re.search(r'cron: "([0-9]+) ([0-9]+),[0-9,]+ \* \* 1,2,3,4,5"', text)
    assert cron
    for winter_and_summer in (datetime(2026, 1, 5, tzinfo=UTC), datetime(2026, 7, 6, tzinfo=UTC)):
        moment = winter_and_summer + timedelta(hours=int(cron[2]), minutes=int(cron[1]))
        assert time(1, 30) <= moment.astimezone(EASTERN).time() <= time(7, 0)
    assert 'PAPERTRACK_LIBRARY: "pa\\"pers"' in text
    assert f'PAPERTRACK_PACKAGE: "{PACKAGE}"' in text
    assert 'pip install "$PAPERTRACK_PACKAGE"' in text
    assert "contents: write" in text
    steps = [text.index(step) for step in ("papertrack watch", "papertrack export", "git push")]
    assert steps == sorted(steps)
    script = text.split("run: |\n")[1]
    lines = "\n".join(line.removeprefix(" " * 10) for line in script.splitlines())
    subprocess.run(["sh", "-n"], input=lines, text=True, check=True)


def test_the_workflow_mails_with_a_password_that_is_a_secret_of_the_repository() -> None:
    plain = schedule()
    text = github_workflow(replace(plain, command=(*plain.command, "--mail")), "papers", PACKAGE)
    assert "papertrack watch --if-due --mail || code=$?" in text
    name = "PAPERTRACK_MAIL_PASSWORD"
    assert f"      {name}: ${{{{ secrets.{name} }}}}\n    steps:\n" in text
    assert name not in github_workflow(plain, "papers", PACKAGE)


@pytest.mark.parametrize("is_shared", [False, True])
def test_the_workflow_publishes_the_page_only_if_asked(is_shared: bool) -> None:
    plain = github_workflow(schedule(), "papers", PACKAGE, is_shared=is_shared)
    assert "pages" not in plain
    text = github_workflow(
        replace(schedule(), has_site=True), "papers", PACKAGE, is_shared=is_shared
    )
    workflow = yaml.safe_load(text)
    job = workflow["jobs"]["watch"]
    assert workflow["permissions"] == {"contents": "write", "pages": "write", "id-token": "write"}
    assert job["environment"] == "github-pages"
    make, upload, deploy = job["steps"][-3:]
    assert make["run"] == 'papertrack export --site "$RUNNER_TEMP/site"'
    assert upload["with"]["path"] == "${{ runner.temp }}/site"
    assert deploy["uses"].startswith("actions/deploy-pages@")


@pytest.mark.skipif(not shutil.which("git") or not shutil.which("bash"), reason="needs both")
@pytest.mark.parametrize(
    ("watch", "export", "expected"), [(0, 0, 0), (4, 0, 4), (0, 5, 5), (2, 0, 2)]
)
def test_the_workflow_pushes_what_it_found_and_fails_when_something_did(
    tmp_path: Path, watch: int, export: int, expected: int
) -> None:
    push, code = run_workflow(tmp_path, watch, export)
    assert code == expected
    assert push == (["README.md", "library/found"] if watch in (0, 4) else ["README.md"])


@pytest.mark.skipif(not shutil.which("git") or not shutil.which("bash"), reason="needs both")
def test_the_workflow_fails_when_it_cannot_push(tmp_path: Path) -> None:
    _, code = run_workflow(tmp_path, 0, 0, upstream="gone")
    assert code not in (0, 4, 5)


def run_workflow(
    folder: Path, watch: int, export: int, *, upstream: str = "origin.git"
) -> tuple[list[str], int]:
    """Run the workflow's script as GitHub does; the files that are then upstream, and its code.

    A papertrack that ends with these exit codes stands for the real one.
    """
    here = folder / "checkout"
    stub = folder / "bin" / "papertrack"
    stub.parent.mkdir()
    stub.write_text(
        '#!/bin/sh\n[ "$1" = config ] && exit 0\n'
        '[ "$1" = watch ] && { echo new >"$PAPERTRACK_LIBRARY/found"; '
        f"exit {watch}; }}\n"
        f"echo changed >README.md; exit {export}\n"
    )
    stub.chmod(0o755)
    environ = {
        "PATH": f"{stub.parent}:{os.environ['PATH']}",
        "HOME": str(folder),
        "GIT_CONFIG_NOSYSTEM": "1",
        "PAPERTRACK_LIBRARY": "library",
    }

    def run(*command: str, where: Path = here) -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, cwd=where, env=environ, capture_output=True, text=True)

    (here / "library").mkdir(parents=True)
    (here / "README.md").write_text("as it was\n")
    run("git", "init", "--bare", "--initial-branch=main", "origin.git", where=folder)
    run("git", "init", "--initial-branch=main")
    run("git", "add", "--all")
    run("git", "-c", "user.name=A", "-c", "user.email=a@b.example", "commit", "-m", "Begin")
    run("git", "remote", "add", "origin", str(folder / "origin.git"))
    run("git", "push", "--set-upstream", "origin", "main")
    run("git", "remote", "set-url", "origin", str(folder / upstream))
    text = github_workflow(schedule(), "library", PACKAGE).split("run: |\n")[1]
    script = "\n".join(line.removeprefix(" " * 10) for line in text.splitlines())
    code = run("bash", "-e", "-c", script).returncode
    tree = run("git", "ls-tree", "-r", "--name-only", "main", where=folder / "origin.git")
    return tree.stdout.split(), code


@pytest.mark.parametrize(
    ("origin", "expected"),
    [
        (None, "papertrack-cli==1.2"),
        ({"url": "file:///home/reader/papertrack", "dir_info": {"editable": True}}, None),
        ({"url": "file:///tmp/papertrack.whl", "archive_info": {}}, None),
        ({"url": "ssh://git@host.example/p", "vcs_info": {"vcs": "git", "commit_id": "c0"}}, None),
        (
            {"url": "https://host.example/p.whl", "archive_info": {}},
            "papertrack-cli @ https://host.example/p.whl",
        ),
        (
            {
                "url": "https://host.example/p.git",
                "vcs_info": {"vcs": "git", "commit_id": "c0ffee"},
            },
            "papertrack-cli @ git+https://host.example/p.git@c0ffee",
        ),
    ],
)
def test_the_workflow_installs_what_is_installed_here_where_it_can(
    origin: dict[str, object] | None, expected: str | None
) -> None:
    assert requirement_of(json.dumps(origin) if origin else None, "1.2") == expected


def test_each_library_has_a_name_of_its_own() -> None:
    names = {schedule(Path(path)).name for path in ("/a/papers", "/b/papers", "/a/論文")}
    assert len(names) == 3
    assert all(re.fullmatch(r"papertrack-watch-[a-z0-9-]+", name) for name in names)


def test_systemd_install_status_and_uninstall(machine: Machine, programs: Programs) -> None:
    change = plan_install("systemd", schedule(), machine)
    assert installed(schedule(), machine) == {}, "planning changes nothing"
    carry_out(change, machine)
    assert programs.ran[-2:] == [
        ("systemctl", "--user", "daemon-reload"),
        ("systemctl", "--user", "enable", "--now", f"{schedule().name}.timer"),
    ]
    assert installed(schedule(), machine) == {
        "systemd": "Mon..Fri *-*-* 03..09:17:00 America/New_York"
    }
    carry_out(plan_uninstall(schedule(), machine), machine)
    assert installed(schedule(), machine) == {}
    assert list((machine.home / ".config/systemd/user").iterdir()) == []
    assert plan_uninstall(schedule(), machine).is_empty


def without_a_bus(command: Sequence[str], stdin: str) -> str:
    if command[0] == "systemctl":
        raise PapertrackError("`systemctl` failed: no bus. Run it by hand.")
    raise PapertrackError(f"This machine has no `{command[0]}`.")


def test_an_installation_that_fails_leaves_nothing_behind(machine: Machine) -> None:
    folder = machine.home / ".config/systemd/user"
    timer = folder / f"{schedule().name}.timer"
    dead = replace(machine, run=without_a_bus)
    with pytest.raises(PapertrackError, match=r"no bus.*Nothing was changed"):
        carry_out(plan_install("systemd", schedule(), dead), dead)
    assert installed(schedule(), dead) == {}
    carry_out(plan_install("systemd", schedule(), machine), machine)
    before = timer.read_bytes()
    with pytest.raises(PapertrackError, match="no bus"):
        carry_out(plan_install("systemd", schedule(at=time(4, 4)), dead), dead)
    assert timer.read_bytes() == before, "what was installed before stays"


def test_what_cannot_be_stopped_is_removed_all_the_same(machine: Machine) -> None:
    carry_out(plan_install("systemd", schedule(), machine), machine)
    dead = replace(machine, run=without_a_bus)
    with pytest.raises(PapertrackError, match="no bus"):
        carry_out(plan_uninstall(schedule(), dead), dead)
    assert installed(schedule(), dead) == {}


def test_a_timer_that_ends_with_the_session_is_found_out(
    machine: Machine, programs: Programs
) -> None:
    for said, ends in (("no", True), ("yes", False), ("", False)):
        programs.lingers = said
        assert ends_with_session("systemd", machine) is ends
        assert not ends_with_session("cron", machine)
    assert programs.ran[0] == ("loginctl", "show-user", "501", "--property=Linger", "--value")

    def fail(command: Sequence[str], stdin: str) -> str:
        raise PapertrackError("This machine has no `loginctl`.")

    assert not ends_with_session("systemd", replace(machine, run=fail))


def test_cron_keeps_every_other_line_and_never_has_two_of_ours(
    machine: Machine, programs: Programs
) -> None:
    programs.crontab = "# mine\n0 * * * * true\n"
    for at in (time(3, 17), time(4, 4)):
        carry_out(plan_install("cron", schedule(at=at), machine), machine)
    assert programs.crontab.startswith("# mine\n0 * * * * true\n")
    assert programs.crontab.count("papertrack watch") + programs.crontab.count("watch #") == 1
    assert installed(schedule(), machine) == {"cron": "4 9,10,11,12,13,14,15 * * 1,2,3,4,5"}
    carry_out(plan_uninstall(schedule(), machine), machine)
    assert programs.crontab == "# mine\n0 * * * * true\n"


def test_a_crontab_that_cannot_be_read_is_not_overwritten(
    machine: Machine, programs: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(command: Sequence[str], stdin: str) -> str:
        raise PapertrackError("`crontab -l` failed: permission denied. Run it by hand.")

    broken = Machine(machine.home, UTC, 501, fail)
    with pytest.raises(PapertrackError, match="permission denied"):
        plan_install("cron", schedule(), broken)


def test_launchd_install_and_uninstall(machine: Machine, programs: Programs) -> None:
    carry_out(plan_install("launchd", schedule(), machine), machine)
    path = machine.home / "Library/LaunchAgents" / f"{schedule().name}.plist"
    assert programs.ran[-1] == ("launchctl", "bootstrap", "gui/501", str(path))
    carry_out(plan_uninstall(schedule(), machine), machine)
    assert not path.exists()


def test_github_writes_one_workflow_into_the_repository(machine: Machine, tmp_path: Path) -> None:
    library = tmp_path / "repository" / "papers"
    library.mkdir(parents=True)
    with pytest.raises(UsageError, match="not in a git repository"):
        plan_install("github", schedule(library), machine)
    (tmp_path / "repository" / ".git").mkdir()
    with pytest.raises(UsageError, match="--package"):
        plan_install("github", schedule(library), machine)
    with pytest.raises(UsageError, match="what `pip install` takes"):
        plan_install("github", schedule(library), replace(machine, package="--index-url=x"))
    machine = replace(machine, package=PACKAGE)
    carry_out(plan_install("github", schedule(library), machine), machine)
    assert installed(schedule(library), machine) == {
        "github": "17 8,9,10,11,12,13,14 * * 1,2,3,4,5 UTC"
    }
    path = tmp_path / "repository/.github/workflows/papertrack-watch.yml"
    text = path.read_text()
    assert 'PAPERTRACK_LIBRARY: "papers"' in text
    path.write_text(text + "# mine\n")
    with pytest.raises(UsageError, match="edited by hand"):
        plan_install("github", schedule(library), machine)
    path.write_text(text)
    carry_out(plan_install("github", schedule(library), machine), machine)
    carry_out(plan_uninstall(schedule(library), machine), machine)
    assert installed(schedule(library), machine) == {}


def test_a_program_that_is_missing_or_fails_is_named() -> None:
    with pytest.raises(PapertrackError, match="no `surely-not-there`"):
        run_program(("surely-not-there",), "")
    with pytest.raises(PapertrackError, match="`false` failed"):
        run_program(("false",), "")
    assert run_program(("cat",), "in") == "in"


@pytest.mark.parametrize("name", ["a${{ github.event.x }}.md", "b\nid: c.md"])
def test_no_name_leaves_its_place_in_a_workflow(name: str) -> None:
    with pytest.raises(UsageError, match="cannot be written into a workflow"):
        github_workflow(schedule(), name, PACKAGE)
    with pytest.raises(UsageError, match="cannot be written into a workflow"):
        github_workflow(replace(schedule(), documents=(name,)), "papers", PACKAGE)
