"""Draw two pictures of the terminal UI on the sample library: ``make pictures``."""

from __future__ import annotations

import asyncio
import os
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from papertrack.actions.import_markdown import import_document
from papertrack.library import Library, create_library
from papertrack.library.sample import copy_sample
from papertrack.library.settings import Settings
from papertrack.store.store import Store
from papertrack.tui.app import PapertrackApp
from papertrack.tui.session import Session

HERE = Path(__file__).parent
SIZE = (112, 28)
NOW = datetime(2026, 1, 9, 8, 2, tzinfo=UTC)
# Both are made in one sitting: the first paper with a note is opened for the second one.
PICTURES = {
    "tui-library.svg": ["j", "j", "i", "k"],
    "tui-paper.svg": ["slash", *"has:note", "enter", "enter"],
}


def now() -> datetime:
    return NOW


async def draw(library: Library) -> None:
    """Write the pictures beside this script."""
    session = Session(library, now, dict(os.environ), Settings())
    app = PapertrackApp(session, query="is:saved")
    async with app.run_test(size=SIZE) as pilot:
        for name, keys in PICTURES.items():
            await pilot.press(*keys)
            while app.is_busy:
                await pilot.pause(0.01)
            await app.workers.wait_for_complete()
            await pilot.pause()
            (HERE / name).write_text(app.export_screenshot(title="papertrack"), encoding="utf-8")
            print(f"wrote {HERE / name}")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "papers"
        copy_sample(root)
        library, _ = create_library(root)
        with Store.create(library.database, now=now) as store:
            import_document(store, library, library.root / "README.md")
        asyncio.run(draw(library))


if __name__ == "__main__":
    main()
