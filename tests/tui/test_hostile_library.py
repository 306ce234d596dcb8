"""The terminal UI in a library that a stranger made to do harm, as the commands are tried there."""

import os
from contextlib import suppress
from datetime import UTC, datetime

import pytest
from textual._compositor import Compositor

from papertrack.errors import PapertrackError
from papertrack.library import Library
from papertrack.tui.app import PapertrackApp
from papertrack.tui.jobs import IMPORT, JOBS
from papertrack.tui.session import Progress, Session, run_job
from tests.cli.conftest import home, papertrack
from tests.cli.test_hostile_library import Trap, listener, trap
from tests.tui.conftest import Sitting, draw_nothing

__all__ = ["home", "listener", "papertrack", "trap"]
"""Fixtures of the command line that the tests here use too."""

NOW = datetime(2026, 11, 22, tzinfo=UTC)
KEYS = "s d 0 1 r escape t escape i m m y Y b u U w escape enter q : escape R"


def session_in(trap: Trap) -> Session:
    """A sitting in the library, which does not begin before its own folders are in it."""
    library = Library(trap.library)
    with pytest.raises(PapertrackError, match="leads out of the library"):
        Session(library, lambda: NOW, os.environ)
    assert trap.harm() == []
    for own in library.own_files:
        if own.is_symlink():
            own.unlink()
    return Session(library, lambda: NOW, os.environ)


def test_no_job_does_what_a_strangers_library_wants(trap: Trap) -> None:
    session = session_in(trap)
    for job in JOBS:
        for answer in ("README.md", "main.bib") if job is IMPORT else ("",):
            with suppress(PapertrackError):
                run_job(job, session, answer, Progress())
            assert trap.harm() == [], job.name
    session.close()


async def test_no_key_does_what_a_strangers_library_wants(
    trap: Trap, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Compositor, "render_update", draw_nothing)
    session = session_in(trap)
    app = PapertrackApp(session, query="")
    async with app.run_test(size=(112, 30), notifications=True) as pilot:
        sitting = Sitting(app, pilot, session.store)
        await sitting.settle()
        for key in KEYS.split():
            await sitting.press(key)
            assert trap.harm() == [], key
