"""Where and since when to look, for the commands that ask arXiv."""

from __future__ import annotations

import re
from datetime import date

from papertrack.cli.session import Session
from papertrack.errors import UsageError

_AGE = r"([0-9]{1,4})([dwmy])"
_DAY = r"[0-9]{4}-[0-9]{2}(?:-[0-9]{2})?"


def default_categories(session: Session) -> tuple[str, ...]:
    """Where topics look that name no category. Raises UsageError for a wrong one, naming it."""
    from papertrack.actions.watch.topics import check_categories

    try:
        return check_categories(session.settings().watch.arxiv_categories)
    except UsageError as error:
        path = session.library().settings_path
        raise UsageError(f"{path}: watch.arxiv_categories: {error}") from None


def parse_since(text: str, today: date) -> date:
    """The first day of ``2026-11-02``, ``2026-11``, ``7d``, ``2w``, ``6m`` or ``1y``.

    Raises UsageError for anything else, and for a day that is yet to come.
    """
    from papertrack.queries.nodes import Age, Comparison, date_interval

    bound: str | Age | None = None
    if age := re.fullmatch(_AGE, text.strip().lower()):
        bound = Age(int(age[1]), age[2])  # type: ignore[arg-type]
    elif re.fullmatch(_DAY, text.strip()):
        bound = text.strip()
    try:
        if bound is not None:
            since = Comparison("<=" if isinstance(bound, Age) else ">=", bound)
            first, _ = date_interval(since, today)
            if first is not None:
                return _not_after(date.fromisoformat(first), today)
    except ValueError:
        pass
    raise UsageError(f"--since {text!r} is not a day: write it like 2026-11-02, 2026-11, 7d or 2w.")


def _not_after(day: date, today: date) -> date:
    if day > today:
        raise UsageError(f"--since: {day} is yet to come; at arXiv it is {today}.")
    return day
