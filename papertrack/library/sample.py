"""The sample library that ``papertrack init --demo`` makes: a curated README with its notes."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from papertrack.errors import PapertrackError
from papertrack.library.files import create_file, remove_leftovers, replace_whole

_UNFINISHED = ".unfinished-sample"
"""A file in the sample's folder until all of the sample is made."""


@contextmanager
def copied_sample(root: Path, *, dry_run: bool = False) -> Iterator[None]:
    """Copy the sample's README and notes into a folder that is new or empty, or that an unfinished
    run of the ``with`` block left.

    Raises PapertrackError when the folder contains anything else, or cannot be written.
    """
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
    whole, copy = Path(source).read_bytes(), Path(target)
    if not copy.exists() or whole.startswith(copy.read_bytes()):
        replace_whole(copy, whole)


def _sample_folder() -> Path:
    package = Path(__file__).parent.parent
    installed = package / "sample"
    # In a checkout the sample lies where its readers look for it, outside the package.
    return installed if installed.is_dir() else package.parent / "data" / "sample"
