"""``papertrack watch``: the nightly run, and how things stand; and ``papertrack digest``."""

from __future__ import annotations

import os
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from papertrack.actions.watch import digest as digests
from papertrack.actions.watch import run as watching
from papertrack.actions.watch.calendar import eastern_day
from papertrack.actions.watch.match import WatchPlan, ready_watchers, watched_categories
from papertrack.actions.watch.run import CategoryStatus, WatchReport, run_watch
from papertrack.cli.arxiv.published import look_tonight
from papertrack.cli.arxiv.scope import default_categories, parse_since
from papertrack.cli.arxiv.watch_install import install, installed_places, uninstall
from papertrack.cli.network import asking
from papertrack.cli.output import attributes, print_json, print_table
from papertrack.cli.session import (
    Session,
    dry_run_option,
    force_option,
    json_option,
    pass_session,
    reading,
)
from papertrack.errors import UsageError
from papertrack.exporters.registry import DIGEST_FORMATS, write_digest_as
from papertrack.store.lookup import citekey_of
from papertrack.text import few, moment_shown, plural

if TYPE_CHECKING:
    from papertrack.exporters.digest import Digest
    from papertrack.store.store import Store
    from papertrack.store.watch.runs import Look, Run


form_choice = click.Choice(list(DIGEST_FORMATS))


@click.command
@click.option("--since", metavar="DAY", help="2026-11-02, 7d, 2w; by default today.")
@click.option("--format", "form", type=form_choice, default="text", show_default=True, help="How.")
@click.option("-o", "--output", metavar="FILE", help="Write to FILE instead of stdout.")
@click.option("--mail", is_flag=True, help="Send it to the addresses of the setting mail.to.")
@force_option
@dry_run_option
@pass_session
def digest(
    session: Session, since: str | None, form: str, output: str | None, mail: bool, force: bool
) -> None:
    """Show what the topics found: by topic, best first, with the reasons.

    Days are those of arXiv's lists (US Eastern). What you discarded is left out; what the last
    `papertrack watch` could not look at is said.

    \b
    Examples:
      papertrack digest
      papertrack digest --since 7d --format html -o week.html
      papertrack digest --since 2026-11-01 --mail
    """
    today = eastern_day(session.now())
    first = parse_since(since, today) if since else today
    defaults = default_categories(session)
    with session.open_store() as store:
        notes = watching.standing_notes(store, session.library(), defaults, today)
        check_file(session, store, output, is_forced=force)
        made = digests.make_digest(store, since=first, until=today, notes=notes)
    if mail:
        send(session, made)
    if output or not mail:
        put(session, made, form, output, is_forced=force)


def check_file(session: Session, store: Store, output: str | None, *, is_forced: bool) -> None:
    """Raise, before anything is asked or sent, what ``put`` would of the file."""
    from papertrack.actions.outputs import check_output

    if output not in (None, "-"):
        session.refuse_own_file(store, Path(output))
        check_output(store, session.library(), Path(output), is_forced=is_forced)


def put(
    session: Session, made: Digest, form: str, output: str | None, *, is_forced: bool = False
) -> None:
    """The digest on stdout, or in a file."""
    text = write_digest_as(form, made)
    if output is None or output == "-":
        click.echo(text, nl=False)
        return
    with session.open_store() as store:
        session.write_output(store, Path(output), text.encode(), is_forced=is_forced)
    session.say_done(f"{made.summary}: written to {output}.")


def send(session: Session, made: Digest) -> None:
    """The digest as a mail, as the settings say."""
    settings = session.settings().mail
    digests.check_mail(settings)
    to = plural(len(settings.to), "address", "addresses")
    if not session.dry_run:
        password = digests.find_password(settings, os.environ)
        digests.send_digest(settings, made, password=password, now=session.now())
    session.say_done(f"{made.summary}: sent to {to}.")


WORDS = {
    "new": "new",
    "quiet": "quiet: the list has nothing unseen",
    "nothing-announced": "nothing announced: weekend or holiday",
    "stale": "stale: an old list where a new one is due",
    "could-not-look": "could not look",
}


@click.group(invoke_without_command=True)
@click.option("--since", metavar="DAY", help="Look back to a day, too: 7d, 90d.")
@click.option("--digest", "form", type=form_choice, help="Print the digest of today.")
@click.option("-o", "--output", metavar="FILE", help="Write that digest to FILE.")
@click.option("--mail", is_flag=True, help="Send the digest if there is anything new.")
@force_option
@click.option("--if-due", is_flag=True, help="Ask nobody when today's lists are all known.")
@dry_run_option
@json_option
@click.pass_context
def watch(
    ctx: click.Context,
    since: str | None,
    form: str | None,
    output: str | None,
    mail: bool,
    force: bool,
    if_due: bool,
) -> int:
    """See what arXiv announced, and put what your topics want into the inbox.

    One request for each category, more only where something is missing: nights on which nothing
    ran are made up for. Writes exports/digest/DATE.md and exports/inbox.atom. Exit code 4 says that
    something could not be looked at, 5 that arXiv shows an old list where a new one is due; the
    next run repairs both.

    \b
    Examples:
      papertrack watch
      papertrack watch --digest text
      papertrack watch --since 2w
      papertrack watch status
      papertrack watch install --systemd
    """
    if ctx.invoked_subcommand is not None:
        return 0
    session = ctx.ensure_object(Session)
    form = form or ("md" if output else None)
    if form and output in (None, "-"):
        _refuse_json(session)
    first = parse_since(since, eastern_day(session.now())) if since else None
    settings = session.settings()
    if mail:
        digests.check_mail(settings.mail)
    defaults = default_categories(session)
    plan = WatchPlan(defaults, settings.watch.keep_days, settings.ranking.outside)
    with session.open_store() as store:
        store.citekey_template = settings.citekeys.template
        check_file(session, store, output, is_forced=force)
        if session.dry_run:
            _say_plan(session, store, plan)
            return 0
        if if_due and watching.is_settled(store, plan):
            session.say("All lists of today are known; there is nothing to do.")
            return 0
        is_retry = if_due and watching.has_run_today(store)
        report = _run(session, store, plan, first)
        if report is None:
            session.say("Another watch of this library is at work; there is nothing to do.")
            return 0
        made = _leave_files(session, store, report)
        _tell(session, store, report)
        look_tonight(session, store)
    # Last, as a file or the mail server may fail: what the run found is said by then.
    if form:
        put(session, made, form, output, is_forced=force)
    # That nobody can look is mailed once a night, not by each of its tries.
    notes = () if is_retry else report.notes
    if mail and (report.new_papers or report.replaced or notes):
        send(session, made)
    return report.exit_code


def _refuse_json(session: Session) -> None:
    if session.as_json:
        raise UsageError(
            "--json and the digest cannot both be printed: write the digest to a file with "
            "-o FILE, or leave out --json."
        )


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
            session.say("What was seen is kept, but not matched yet: the next run goes on.")
            raise


def _tell(session: Session, store: Store, report: WatchReport) -> None:
    if session.as_json:
        print_json(_report_to_json(store, report))
    else:
        _say_report(session, report)
    warnings = _reasons(report) if session.as_json or session.quiet else []
    if session.quiet:
        # Who runs it by cron hears of silence only by this.
        warnings += report.warnings
    for warning in warnings:
        session.warn(warning)


def _say_plan(session: Session, store: Store, plan: WatchPlan) -> None:
    watchers, unready = ready_watchers(store, plan)
    session.say(*map("Warning: {}".format, unready))
    session.say_done(f"{plural(len(watchers), 'topic')} to look for, and arXiv to ask about:")
    for category in watched_categories(store, plan.default_categories):
        missing = watching.category_status(store, category, eastern_day(session.now())).missing
        days = f", and {plural(len(missing), 'missed day')}" if missing else ""
        session.say(f"  {category}{days}")


def _leave_files(session: Session, store: Store, report: WatchReport) -> Digest:
    """Write the digest of the day, which is returned, and the feed of the inbox."""
    made = digests.make_digest(store, since=report.day, until=report.day, notes=report.notes)
    written = digests.write_digest(session.library(), made)
    digests.write_inbox_feed(store, session.library())
    if written is not None and session.verbose:
        session.say(f"Written: {written}")
    return made


def _say_report(session: Session, report: WatchReport) -> None:
    session.say(*(f"{look.category}: {_look_shown(look)}" for look in report.looks))
    session.say(*watching.problems_of(report.looks))
    session.say(*map("Warning: {}".format, report.warnings))
    if report.replaced:
        session.say(f"New versions of {plural(len(report.replaced), 'paper')} of yours.")
    outside = len(report.outside_papers)
    session.say(
        f"{plural(len(report.new_papers), 'new paper')} in the inbox"
        + (f", {outside} of them outside your topics." if outside else ".")
    )


def _reasons(report: WatchReport) -> list[str]:
    """Why the exit code is not 0, for those who read no narration."""
    looks = {state: [one for one in report.looks if one.state == state] for state in WORDS}
    if report.exit_code == 4:
        missing = sorted({day.isoformat() for _, day in report.missing})
        return watching.problems_of(looks["could-not-look"]) or [
            f"The lists of {few(missing)} are not known yet; the next run asks again."
        ]
    if report.exit_code == 5:
        stale = ", ".join(look.category for look in looks["stale"])
        return [f"{stale}: an old list where a new one is due; the next run asks again."]
    return []


def _look_shown(look: Look) -> str:
    if look.state == "new":
        return _numbers(look)
    if look.unseen:
        # From the listing page, from OAI or from days that earlier runs missed.
        return f"{WORDS[look.state]}; elsewhere {look.unseen} unseen, {look.matched} matched"
    # Without anything unseen: what --since lets the topics see.
    return WORDS[look.state] + (f"; {look.matched} matched" if look.matched else "")


def _numbers(look: Look) -> str:
    return f"{look.announced} announced, {look.unseen} unseen, {look.matched} matched"


def _status_shown(one: CategoryStatus) -> str:
    """What the last look found and, when that was nothing, what the last one with news did."""
    if one.look is None:
        return "not looked at yet"
    shown = _look_shown(one.look)
    if one.look.unseen or one.news is None:
        return shown
    run, look = one.news
    return f"{shown} ({run.day}: {_numbers(look)})"


def _report_to_json(store: Store, report: WatchReport) -> dict[str, object]:
    keys_of = partial(citekey_of, store)
    return {
        "day": report.day,
        "started": report.started,
        "papers_new": len(report.new_papers),
        "citekeys": list(map(keys_of, report.new_papers)),
        "outside": list(map(keys_of, report.outside_papers)),
        "already_known": list(map(keys_of, report.known_papers)),
        "replaced": [
            {"citekey": keys_of(one.paper_id), "version": one.version} for one in report.replaced
        ],
        "categories": list(map(_look_to_json, report.looks)),
        "missing": [{"category": name, "day": day} for name, day in report.missing],
        "warnings": report.warnings,
    }


def _look_to_json(look: Look) -> dict[str, object]:
    numbers = ("announced", "unseen", "matched")
    return attributes(look, "category", "state", *numbers, "failed", "last_new_id")


@watch.command
@reading
def status(session: Session) -> int:
    """Say how things stand with each category, and where the watch runs by itself.

    Exit code 4: the last look failed somewhere, or the last run did not end; 5: somewhere the list
    is older than is due, or nothing new came for three announcement days.
    """
    library = session.library()
    defaults = default_categories(session)
    with session.open_store() as store:
        found = watching.category_statuses(store, defaults, eastern_day(session.now()))
        warnings = watching.standing_warnings(store, library, defaults)
        run, is_at_work = watching.unfinished_run(store, library)
    places = installed_places(session)
    if session.as_json:
        installed = [{"scheduler": name, "when": when} for name, when in places.items()]
        statuses = list(map(_status_to_json, found))
        print_json({"categories": statuses, "installed": installed, "warnings": warnings})
    else:
        session.say(*map("Warning: {}".format, warnings))
        if run and is_at_work:
            session.say(f"A watch is at work since {moment_shown(run.at)}.")
        _show_status(session, found, places)
    return _exit_code(found, is_cut_short=run is not None and not is_at_work)


def _exit_code(found: list[CategoryStatus], *, is_cut_short: bool) -> int:
    states = {one.look.state for one in found if one.look}
    if is_cut_short or "could-not-look" in states:
        return 4
    return 5 if "stale" in states or any(one.warning for one in found) else 0


def _show_status(session: Session, found: list[CategoryStatus], places: dict[str, str]) -> None:
    head = ("category", "looked at", "last news", "complete since", "missed days", "state")
    print_table(head, map(_status_row, found), flexible=5, right=(4,))
    if not found:
        session.say("Nothing is watched: `papertrack topic add` makes a topic.")
    lines = watching.problems_of(one.look for one in found if one.look)
    for one in found:
        lines += [one.loss] if one.loss else []
        lines += [f"Warning: {one.warning}"] if one.warning else []
    lines += [f"Runs by itself: {name}, {when}." for name, when in places.items()]
    if not places:
        lines.append("Does not run by itself: `papertrack watch install`.")
    session.say(*lines)


def _status_row(one: CategoryStatus) -> tuple[str, ...]:
    return (
        one.category,
        moment_shown(one.looked_at) if one.looked_at else "never",
        str(one.last_news or ""),
        str(one.complete_since or ""),
        str(len(one.missing)),
        _status_shown(one),
    )


def _status_to_json(one: CategoryStatus) -> dict[str, object]:
    return {
        **attributes(one, "category", "looked_at"),
        "last_look": one.look and _look_to_json(one.look),
        "last_look_with_news": one.news and _news_to_json(*one.news),
        **attributes(one, "last_news", "days_without_news", "days_without_look"),
        **attributes(one, "complete_since", "missing", "lost", "warning"),
    }


def _news_to_json(run: Run, look: Look) -> dict[str, object]:
    return {"day": run.day, **_look_to_json(look)}


watch.add_command(install)
watch.add_command(uninstall)
