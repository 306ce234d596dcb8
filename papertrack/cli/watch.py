"""The command ``papertrack watch``: the nightly run, its digest, its state, and its schedule."""

from __future__ import annotations

import os
import random
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from functools import partial
from pathlib import Path
from typing import Any

import click

from papertrack.actions.outputs import check_output
from papertrack.actions.programs import own_command
from papertrack.actions.watch import digest as digests
from papertrack.actions.watch import groups as for_groups
from papertrack.actions.watch import run as watching
from papertrack.actions.watch import schedule as installing
from papertrack.actions.watch.calendar import eastern_day
from papertrack.actions.watch.match import (
    WatchPlan,
    hosts_of_feeds,
    ready_watchers,
    waiting_warnings,
    watched_categories,
)
from papertrack.actions.watch.run import CategoryStatus, WatchReport, run_watch
from papertrack.actions.watch.schedule import (
    Change,
    Machine,
    Schedule,
    Scheduler,
    broken_schedules,
    own_package,
    pick_time,
)
from papertrack.cli.network import asking, default_categories, parse_since
from papertrack.cli.output import print_table, print_text
from papertrack.cli.session import (
    Session,
    choice_option,
    command,
    flag,
    force_option,
    option,
    options,
    package_option,
    refuse_if,
    refuse_together,
)
from papertrack.cli.topic import Backfilled, BackfillPlan, search_past
from papertrack.errors import PapertrackError, UsageError
from papertrack.exporters.digest import Digest
from papertrack.exporters.registry import DIGEST_FORMATS, write_digest_as
from papertrack.identifiers.feeds import is_feed
from papertrack.library.settings import Mail
from papertrack.library.surroundings import current_time
from papertrack.store.store import Store
from papertrack.store.watch.announcements import Look
from papertrack.text import clean, few, moment_shown, plural


@command(cls=click.Group, writes=True, invoke_without_command=True)
@option("--since DAY", "Also look back to a day: 7d, 90d.")
@choice_option("--digest", "form", of=DIGEST_FORMATS, help="Print the digest of today.")
@option("-o, --output FILE", "Write that digest to FILE.")
@flag("--mail", help="Send the digest if there is anything new.")
@force_option
@flag("--if-due", help="Do nothing if today's lists have all been fetched.")
@flag("--no-look", help="Do not use the network; show earlier matches.")
@flag("--status", "is_status", help="Show when each category was last fetched.")
@option("--topic NAME", "Search arXiv's past for a topic since --since.")
@flag("--again", "is_again", help="With --topic, repeat months already searched.")
def watch(
    session: Session,
    *,
    if_due: bool,
    no_look: bool,
    is_status: bool,
    topic: str | None,
    is_again: bool,
    **options: Any,
) -> int | Backfilled | BackfillPlan | None:
    """Look for papers that arXiv announced for your topics.

    Matches go into the inbox, and into exports/digest/DATE.md and exports/inbox.atom. Each arXiv
    category takes one request, and more only to catch up on days on which nothing ran. Exit code 4
    means that something could not be fetched, 5 that arXiv still shows an old list; the next run
    repairs both.

    The digest shows the matches by topic, best first, with the reasons, and what the last watch
    could not fetch. Days are those of arXiv's lists (US Eastern). Discarded papers are left out.
    --no-look shows the digest of today, or since --since, without the network. The setting digests
    sends what a topic found to a reading group, as mail, feed or file.

    --status shows when each category was last fetched, and which scheduler runs it. Exit code
    4: the last fetch failed, or the last run did not finish. Exit code 5: a list is older than it
    should be, or there was nothing new for three announcement days.

    --topic searches arXiv's past for one topic, month by month. If you interrupt it, the same
    command continues where it stopped. A month is not searched twice with the same query.

    \b
    Examples:
      papertrack watch
      papertrack watch --digest text
      papertrack watch --since 2w
      papertrack watch --no-look --since 7d --digest html -o week.html
      papertrack watch --status
      papertrack watch --topic decoding --since 2024-01
      papertrack watch install --systemd
    """
    if click.get_current_context().invoked_subcommand is not None:
        return None
    refuse_together(no_look=no_look, status=is_status, topic=topic, if_due=if_due)
    if is_status:
        return _show_statuses(session)
    run = _Watch(session, **options)
    if topic is not None:
        if run.since is None:
            raise UsageError("Add the first month: --topic NAME --since 2024-01.")
        with session.open_store() as store:
            return search_past(session, store, topic, run.since, is_again=is_again)
    if no_look:
        run.show()
        return 0
    return run.look(if_due=if_due)


@dataclass(frozen=True, slots=True)
class _Watch:
    """One run, and what becomes of its digest."""

    session: Session
    since: str | None
    form: str | None
    output: str | None
    mail: bool
    force: bool

    def look(self, *, if_due: bool) -> int:
        """Fetch what arXiv announced, and write, print or send the digest."""
        from papertrack.cli.published import look_tonight

        session = self.session
        form = self.form or ("md" if self.output else None)
        if form and self.output in (None, "-") and session.as_json:
            raise UsageError(
                "--json and the digest cannot both be printed: write the digest to a file with "
                "-o FILE, or leave out --json."
            )
        first = parse_since(self.since, eastern_day(session.now())) if self.since else None
        settings = session.settings()
        self._check_places()
        defaults = default_categories(session)
        plan = WatchPlan(defaults, settings.watch.keep_days, settings.ranking.outside)
        with session.open_store() as store:
            self._check_file(store)
            if session.dry_run:
                _say_plan(session, store, plan)
                return 0
            if if_due and watching.is_settled(store, plan):
                session.say("Today's lists have all been fetched; there is nothing to do.")
                return 0
            is_retry = if_due and watching.has_run_today(store)
            report = _run(session, store, plan, first)
            if report is None:
                session.say("Another watch of this library is running; there is nothing to do.")
                return 0
            digest = _leave_files(session, store, report)
            _print_report(session, report)
            look_tonight(session, store)
            news = (*report.citekeys, *report.already_known)
            of_groups = _for_groups(session, store, since=report.day, until=report.day, only=news)
        # Last, because files and mail may fail: the result of the run is already printed.
        if form:
            self._put(digest, form)
        # A failure to fetch is mailed once a night, not after each try.
        notes = () if is_retry else report.notes
        is_news = bool(report.papers_new or report.replaced or notes)
        if self.mail:
            _send_all(session, digest if is_news and settings.mail.to else None, of_groups)
        return report.exit_code

    def show(self) -> None:
        """Show what the topics found; a digest that is only mailed is not printed."""
        session, today = self.session, eastern_day(self.session.now())
        first = parse_since(self.since, today) if self.since else today
        defaults = default_categories(session)
        with session.open_store() as store:
            notes = watching.standing_notes(store, session.library(), defaults, today)
            self._check_file(store)
            digest = digests.make_digest(store, since=first, until=today, notes=notes)
            of_groups = _for_groups(session, store, since=first, until=today) if self.mail else {}
        if self.mail:
            _send_all(session, digest, of_groups)
        if self.output or not self.mail:
            self._put(digest, self.form or "text")

    def _check_places(self) -> None:
        """Raise UsageError for places that no digest can be sent to, before any request."""
        settings = self.session.settings()
        if self.mail and (settings.mail.to or not settings.digests):
            digests.check_mail(settings.mail)
        for_groups.check_groups(settings.digests, settings.mail, is_mailed=self.mail)

    def _check_file(self, store: Store) -> None:
        """Raise the errors that ``_put`` would raise for the file, before anything is fetched or
        sent."""
        if self.output not in (None, "-"):
            path = Path(self.output)
            self.session.refuse_own_file(store, path)
            check_output(store, self.session.library(), path, is_forced=self.force)

    def _put(self, digest: Digest, form: str) -> None:
        """Print the digest, or write it to the file."""
        text = write_digest_as(form, digest)
        if self.output in (None, "-"):
            print_text(text)
            return
        with self.session.open_store() as store:
            self.session.write_output(store, Path(self.output), text.encode(), is_forced=self.force)
        self.session.say_done(f"{digest.summary}: written to {self.output}.")


def _for_groups(
    session: Session, store: Store, *, since: date, until: date, only: Sequence[str] | None = None
) -> dict[str, Digest]:
    """Return the groups' digests to mail, by address; if ``only`` has keys, write their files too.

    Mails contain only the papers with these keys: earlier runs of the day have sent the others.
    """
    groups, unknown = for_groups.find_groups(store, session.settings().digests)
    for sentence in unknown:
        session.warn(sentence)
    mails = {}
    for group in groups:
        make = partial(for_groups.digest_of_group, store, group, since=since, until=until)
        if group.form is None:
            mails[group.to] = make(only=only)
        elif only:
            try:
                for_groups.write_group(store, session.library(), group, make())
            except PapertrackError as error:
                session.warn(str(error))
    return {address: digest for address, digest in mails.items() if digest.topics}


def _send_all(session: Session, digest: Digest | None, of_groups: Mapping[str, Digest]) -> None:
    """Send the digest as the settings say, and each group its own.

    If one cannot be sent, the others are still sent; then the last failure is raised.
    """
    settings = session.settings().mail
    mails = [(settings, digest)] if digest else []
    mails += [(for_groups.mail_of(settings, to), group) for to, group in of_groups.items()]
    failures: list[PapertrackError] = []
    for to, content in mails:
        try:
            _send(session, to, content)
        except PapertrackError as error:
            failures.append(error)
    session.raise_last(failures)


def _send(session: Session, settings: Mail, digest: Digest) -> None:
    """Mail the digest, as the settings say."""
    digests.check_mail(settings)
    if not session.dry_run:
        password = digests.find_password(settings, os.environ)
        digests.send_digest(settings, digest, password=password, now=session.now())
    to = plural(len(settings.to), "address", "addresses")
    session.say_done(f"{digest.summary}: sent to {to}.")


WORDS = {
    "new": "new",
    "quiet": "quiet: nothing new in the list",
    "nothing-announced": "nothing announced: weekend or holiday",
    "stale": "stale: the list is older than it should be",
    "could-not-look": "could not look",
}
WORDS_OF_FEEDS = WORDS | {
    "quiet": "quiet: nothing new in the feed",
    "nothing-announced": "nothing announced: the feed has no items",
    "stale": "stale: an old copy of the feed",
}


def _run(session: Session, store: Store, plan: WatchPlan, since: date | None) -> WatchReport | None:
    with asking(session, "categories") as (door, progress):
        try:
            return run_watch(
                store,
                door,
                session.library(),
                plan,
                since=since,
                on_look=lambda category, done, total: progress.advance(done, total),
            )
        except KeyboardInterrupt:
            session.say("What was fetched is kept, but not matched yet: the next run continues.")
            raise


def _print_report(session: Session, report: WatchReport) -> None:
    if session.as_json:
        session.print_json(report)
    else:
        _say_report(session, report)
    warnings = _reasons(report) if session.as_json or session.quiet else []
    if session.quiet:
        # With cron, only this reports that nothing was fetched.
        warnings += report.warnings
    for warning in warnings:
        session.warn(warning)


def _say_plan(session: Session, store: Store, plan: WatchPlan) -> None:
    watchers, unready = ready_watchers(store, plan)
    session.say(*map("Warning: {}".format, [*unready, *waiting_warnings(store)]))
    categories = watched_categories(store, plan.default_categories)
    sources = "feeds" if categories and all(map(is_feed, categories)) else "arXiv"
    sources += " and feeds" if sources == "arXiv" and any(map(is_feed, categories)) else ""
    session.say_done(f"{plural(len(watchers), 'topic')} to match, with requests to {sources}:")
    for category in categories:
        missing = watching.category_status(store, category, eastern_day(session.now())).missing
        days = f", and {plural(len(missing), 'missed day')}" if missing else ""
        session.say(f"  {category}{days}")


def _leave_files(session: Session, store: Store, report: WatchReport) -> Digest:
    """Write the digest of the day and the feed of the inbox; return the digest."""
    digest = digests.make_digest(store, since=report.day, until=report.day, notes=report.notes)
    written = digests.write_digest(session.library(), digest)
    digests.write_inbox_feed(store, session.library())
    if written is not None and session.verbose:
        session.say(f"Written: {written}")
    return digest


def _say_report(session: Session, report: WatchReport) -> None:
    session.say(*(f"{look.category}: {_look_shown(look)}" for look in report.categories))
    session.say(*watching.problems_of(report.categories))
    session.say(*map("Warning: {}".format, report.warnings))
    if report.replaced:
        session.say(f"New versions of {plural(len(report.replaced), 'paper')} in your library.")
    outside = len(report.outside)
    session.say(
        f"{plural(report.papers_new, 'new paper')} in the inbox"
        + (f", {outside} of them outside your topics." if outside else ".")
    )


def _reasons(report: WatchReport) -> list[str]:
    """Return why the exit code is not 0, for jobs that show no messages."""
    failed = [look for look in report.categories if look.state == "could-not-look"]
    if report.exit_code == 4:
        missing = sorted({entry.day.isoformat() for entry in report.missing})
        return watching.problems_of(failed) or [
            f"The lists of {few(missing)} are not fetched yet; the next run tries again."
        ]
    if report.exit_code == 5:
        stale = ", ".join(look.category for look in report.categories if look.state == "stale")
        return [f"{stale}: the list is older than it should be; the next run tries again."]
    return []


def _look_shown(look: Look) -> str:
    state = (WORDS_OF_FEEDS if is_feed(look.category) else WORDS)[look.state]
    if look.state == "new":
        return f"{look.announced} announced, {look.unseen} new, {look.matched} matched"
    if look.unseen:
        # From the listing page, from OAI or from days that earlier runs missed.
        return f"{state}; other sources: {look.unseen} new, {look.matched} matched"
    # Without unseen papers, --since may still give matches.
    return state + (f"; {look.matched} matched" if look.matched else "")


def _status_row(status: CategoryStatus) -> tuple[str, ...]:
    return (
        status.category,
        moment_shown(status.looked_at) if status.looked_at else "never",
        str(status.last_news or ""),
        str(status.complete_since or ""),
        str(len(status.missing)),
        _status_shown(status),
    )


def _status_shown(status: CategoryStatus) -> str:
    """Describe the last look; if it found nothing, also the last one with news."""
    if status.last_look is None:
        return "not fetched yet"
    text, news = _look_shown(status.last_look), status.last_look_with_news
    if status.last_look.unseen or news is None:
        return text
    return f"{text} ({news.day}: {_look_shown(replace(news, state='new'))})"


@dataclass(frozen=True, slots=True)
class InstalledWatch:
    scheduler: str
    when: str


@dataclass(frozen=True, slots=True)
class WatchStatus:
    categories: list[CategoryStatus]
    installed: list[InstalledWatch]
    warnings: list[str]


def _show_statuses(session: Session) -> int:
    library = session.library()
    defaults = default_categories(session)
    with session.open_store() as store:
        statuses = watching.category_statuses(store, defaults, eastern_day(session.now()))
        warnings = watching.standing_warnings(store, library, defaults)
        run, is_at_work = watching.unfinished_run(store, library)
    places = installed_places(session)
    if session.as_json:
        installed = [InstalledWatch(name, when) for name, when in places.items()]
        session.print_json(WatchStatus(statuses, installed, warnings))
    else:
        session.say(*map("Warning: {}".format, warnings))
        if run and is_at_work:
            session.say(f"A watch has been running since {moment_shown(run.at)}.")
        _show_status(session, statuses, places)
    return _exit_code(statuses, is_cut_short=run is not None and not is_at_work)


def _exit_code(statuses: list[CategoryStatus], *, is_cut_short: bool) -> int:
    states = {status.last_look.state for status in statuses if status.last_look}
    if is_cut_short or "could-not-look" in states:
        return 4
    return 5 if "stale" in states or any(status.warning for status in statuses) else 0


def _show_status(session: Session, statuses: list[CategoryStatus], places: dict[str, str]) -> None:
    head = ("category", "last fetched", "last news", "complete since", "missed days", "state")
    print_table(head, map(_status_row, statuses), flexible=5, right=(4,))
    if not statuses:
        session.say("There are no topics: `papertrack topic add` makes one.")
    lines = watching.problems_of(status.last_look for status in statuses if status.last_look)
    for status in statuses:
        lines += filter(None, (status.loss, status.warning and f"Warning: {status.warning}"))
    lines += [f"Scheduled: {name}, {when}." for name, when in places.items()]
    session.say(*lines, *([] if places else ["Not scheduled: `papertrack watch install`."]))


@command(within=watch, writes=True, json=False)
@flag("--systemd", help="A user timer (Linux).")
@flag("--cron", help="Use a line in your crontab.")
@flag("--launchd", help="A launchd agent (macOS).")
@flag("--github", help="A GitHub workflow that commits.")
@package_option
@options(
    "--document FILE",
    "A README that the workflow of a shared library updates; repeatable.",
    "documents",
)
@option("--at HH:MM", "Time (US Eastern); by default a random minute of the night.")
@flag("--site", help="With --github: also publish the page (`export --site`).")
@flag("--mail", help="Also send the digest when there is anything new.")
@flag("--remove", help="Remove the watch from every scheduler.")
@flag("-y", "--yes", help="Do not ask.")
def install(
    session: Session,
    /,
    package: str | None,
    documents: tuple[str, ...],
    site: bool,
    at: str | None,
    mail: bool,
    remove: bool,
    yes: bool,
    **flags: bool,
) -> None:
    """Schedule the watch, Monday to Friday.

    It runs a few hours after arXiv's announcement. If a list is missing, it tries again hourly, up
    to six times. It shows what it would write, and asks first. Without an option it uses the
    scheduler that this machine has.

    \b
    Examples:
      papertrack watch install
      papertrack watch install --remove
      papertrack watch install --github --package git+https://github.com/YOU/papertrack
    """
    if remove:
        if package or documents or site or at or mail or any(flags.values()):
            raise UsageError(
                "--remove cannot be combined with other options: it checks every scheduler."
            )
        target, machine = _local_setup(session)
        change = installing.plan_uninstall(target, machine)
        if change.is_empty:
            session.say("The watch of this library is not scheduled: nothing to do.")
        else:
            _carry_out(session, change, machine, yes)
        return
    flagged = [scheduler for scheduler in installing.SCHEDULERS if flags[scheduler]]
    chosen = flagged[0] if flagged else _default_scheduler()
    is_here = chosen != "github"
    refuse_if(
        {
            f"Choose one of {', '.join(f'--{name}' for name in flagged)}.": len(flagged) > 1,
            "--package needs --github.": is_here and package is not None,
            "--document is for --github: other schedulers use the documents of this library.": (
                is_here and documents
            ),
            "--site is for --github, whose workflow publishes the page.": is_here and site,
        }
    )
    target, machine = _local_setup(session, package or own_package(), "--mail" if mail else None)
    schedule = replace(
        target, at=_time(at) if at else pick_time(random.random), documents=documents, has_site=site
    )
    if not is_here:
        with session.open_store() as store:
            schedule = replace(schedule, feed_hosts=hosts_of_feeds(store))
    change = installing.plan_install(chosen, schedule, machine)
    others = [name for name in installed_places(session) if name != chosen]
    is_done = _carry_out(session, change, machine, yes)
    if is_done and site:
        session.say("In the repository's settings, under Pages, choose GitHub Actions as source.")
    if others:
        session.say(
            f"It is also scheduled with {', '.join(others)}: `papertrack watch install "
            "--remove` removes it from every scheduler."
        )
    if is_done and installing.ends_with_session(chosen, machine):
        session.say(
            "It runs only while you are logged in. To let it run every night: "
            "`loginctl enable-linger`."
        )


def installed_places(session: Session) -> dict[str, str]:
    """Return where the watch of this library is scheduled, and when."""
    return {
        str(scheduler): when
        for scheduler, when in installing.installed(*_local_setup(session)).items()
    }


def broken_here(session: Session) -> list[str]:
    """Return what is wrong with the schedulers of this machine that run the library's watch."""
    return list(broken_schedules(*_local_setup(session)))


def _carry_out(session: Session, change: Change, machine: Machine, yes: bool) -> bool:
    """Show the change, ask, do it; return whether it was done."""
    for step in _steps(change):
        click.echo(step)
    if session.dry_run:
        session.say("Dry run, nothing changed.")
        return False
    if not yes and not (sys.stdin.isatty() and click.confirm("Do it?", err=True)):
        session.say("Nothing was changed. Add --yes to do it.")
        return False
    installing.carry_out(change, machine)
    session.say("Done.")
    return True


def _steps(change: Change) -> Iterator[str]:
    yield from (f"Run: {' '.join(command)}" for command in change.before)
    yield from map("Remove: {}".format, change.removed)
    for path, content in change.files.items():
        yield f"Write: {path}\n{content.decode()}"
    if change.crontab is not None:
        yield f"Make this your crontab:\n{change.crontab}"
    yield from (f"Run: {' '.join(command)}" for command in change.after)


def _local_setup(
    session: Session, package: str | None = None, *options: str | None
) -> tuple[Schedule, Machine]:
    """Return a schedule of this library's watch, and this machine.

    The machine's own time zone counts, also when PAPERTRACK_NOW sets another time.
    """
    root, program = session.library().root, shutil.which("papertrack")
    start = [program] if program else own_command()
    words = filter(None, ("--quiet", "--library", str(root), "watch", "--if-due", *options))
    zone = current_time({}).tzinfo
    assert zone is not None
    user_id = os.getuid() if hasattr(os, "getuid") else 0
    machine = Machine(Path.home(), zone, user_id, installing.run_program, package)
    return Schedule(root, (*start, *words), time(3)), machine


def _default_scheduler() -> Scheduler:
    if sys.platform == "darwin":
        return "launchd"
    return "systemd" if shutil.which("systemctl") else "cron"


def _time(text: str) -> time:
    try:
        return datetime.strptime(text, "%H:%M").time()
    except ValueError:
        raise UsageError(f"--at {clean(text)!r} is not a time: write it like 03:17.") from None
