"""Make a library, with its folders, settings and empty database, or with the sample; and open
libraries."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from papertrack.errors import PapertrackError, UsageError
from papertrack.foreign_database import leftovers_of
from papertrack.library import FIRST_SETTINGS, Library, create_library, has_database
from papertrack.store.store import Store
from papertrack.text import plural


@dataclass(frozen=True, slots=True)
class Made:
    """A library that was made, or existed."""

    library: str
    is_new: bool
    is_shared: bool
    """Whether it is now shared."""
    problem: str

    def sentences(self) -> Iterator[str]:
        if self.is_new:
            yield (
                f"Made a library in {self.library}. Next: `papertrack import README.md`, "
                "or `papertrack add 2309.06180`."
            )
        else:
            yield f"{self.library} is a library already. Nothing to do."
        if self.problem:
            yield self.problem
        if self.is_shared:
            yield "It is shared."


@dataclass(frozen=True, slots=True)
class Demo:
    """A sample library."""

    library: str
    papers_new: int
    folder: str
    """Its path as the user typed it."""

    def sentences(self) -> Iterator[str]:
        papers = plural(self.papers_new, "paper")
        imported = f": {papers} imported from its README.md" if self.papers_new else ""
        yield f"Made a sample library in {self.folder}{imported}."


def make_library(folder: Path, *, now: Callable[[], datetime]) -> Library:
    """Make a library in a folder; parts that exist stay as they are.

    Raises PapertrackError when it cannot be made, or cannot be recorded as the user's own.
    """
    # Imported here and in ``open_library``: most commands do neither.
    from papertrack.library.files import NotAllowed, remove_leftovers
    from papertrack.library.trust import trust

    remove_leftovers(folder)
    library, _ = create_library(folder)
    # Untouched settings are safe to trust; a killed run may have left just those.
    if not has_database(library) and _are_first(library):
        # This comes before the database, which marks a complete library. If trust cannot be
        # recorded, the library is still made, and papertrack asks about it later.
        with suppress(NotAllowed):
            trust(library, {})
    Store.create(library.database, now=now).close()
    return library


def open_library(library: Library, *, now: Callable[[], datetime]) -> Store:
    """Open the store of a library, which may be a stranger's. Raises the errors of
    ``Store.open``."""
    is_own, database = True, library.database
    if leftovers_of(database):
        from papertrack.library.trust import is_trusted

        is_own = is_trusted(library)
    opened = Store.open if is_own else Store.open_untrusted
    store = opened(database, now=now)
    store.pdf_folders = library.pdf_folders
    return store


def _are_first(library: Library) -> bool:
    """Return whether the settings are those of a new library."""
    # Imported here because only making a library needs it.
    from papertrack.library.settings_in_force import read_settings_text

    with suppress(UsageError):
        return read_settings_text(library.settings_path) in (FIRST_SETTINGS, "")
    return False


_UNFINISHED = ".unfinished-sample"
"""A file in the sample's folder until all of the sample is made."""


@contextmanager
def copied_sample(root: Path, *, dry_run: bool = False) -> Iterator[None]:
    """Copy the sample's README and notes into a folder that is new or empty, or that an unfinished
    run of the ``with`` block left.

    Raises PapertrackError when the folder contains anything else, or cannot be written.
    """
    import shutil  # Imported here because opening a library copies nothing.

    from papertrack.library.files import create_file, remove_leftovers

    unfinished = root / _UNFINISHED
    remove_leftovers(root)
    if root.exists() and not unfinished.exists() and (not root.is_dir() or any(root.iterdir())):
        raise PapertrackError(f"{root} is not empty. Name a new folder.")
    if dry_run:
        yield
        return
    try:
        create_file(unfinished, b"")
        shutil.copytree(_sample_folder(), root, copy_function=_copy_rest, dirs_exist_ok=True)
        yield
        unfinished.unlink()
    except OSError as error:
        raise PapertrackError(
            f"The sample could not be copied to {root}: {error.strerror or error}. "
            "Choose a folder that you can write to."
        ) from error


def _copy_rest(source: str, target: str) -> None:
    """Copy a file, unless the target is more than an unfinished copy: somebody edited it."""
    from papertrack.library.files import replace_whole

    whole, copy = Path(source).read_bytes(), Path(target)
    if not copy.exists() or whole.startswith(copy.read_bytes()):
        replace_whole(copy, whole)


def _sample_folder() -> Path:
    package = Path(__file__).parent.parent
    installed = package / "sample"
    # In a checkout the sample lies where its readers look for it, outside the package.
    return installed if installed.is_dir() else package.parent / "data" / "sample"
