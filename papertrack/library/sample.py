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
    """Copy the sample's README and notes into a new or empty folder.

    A folder that an unfinished run left is completed. Raises PapertrackError if the folder has
    other files, or cannot be written.
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
    """Copy a file, unless the target was edited and is more than an unfinished copy."""
    content, target_path = Path(source).read_bytes(), Path(target)
    if not target_path.exists() or content.startswith(target_path.read_bytes()):
        replace_whole(target_path, content)


def _sample_folder() -> Path:
    package = Path(__file__).parent.parent
    installed = package / "sample"
    # In a checkout, the sample is outside the package, where users look for it.
    return installed if installed.is_dir() else package.parent / "data" / "sample"
