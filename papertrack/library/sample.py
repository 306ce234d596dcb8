"""The sample library: a curated README with its notes, to play with."""

from __future__ import annotations

import shutil
from pathlib import Path

from papertrack.errors import PapertrackError


def copy_sample(root: Path, *, dry_run: bool = False) -> None:
    """Copy the sample's README and notes into a folder that is new or empty.

    Raises PapertrackError when the folder holds anything, or cannot be written.
    """
    if root.exists() and (not root.is_dir() or any(root.iterdir())):
        raise PapertrackError(f"{root} is not empty. Name a folder that is not there yet.")
    if dry_run:
        return
    try:
        shutil.copytree(_sample_folder(), root, dirs_exist_ok=True)
    except OSError as error:
        raise PapertrackError(
            f"The sample could not be copied to {root}: {error.strerror or error}. "
            "Choose a folder that you can write to."
        ) from error


def _sample_folder() -> Path:
    package = Path(__file__).parent.parent
    installed = package / "sample"
    # In a checkout the sample lies where its readers look for it, outside the package.
    return installed if installed.is_dir() else package.parent / "data" / "sample"
