"""Files that commands make anew: they replace nothing that papertrack did not write itself."""

from __future__ import annotations

import os
from pathlib import Path

from papertrack.errors import ConflictError, StoreError
from papertrack.library import Library
from papertrack.library.files import read_file, write_file
from papertrack.library.paths import name_of_file
from papertrack.store.store import Store
from papertrack.store.written_files import is_as_written, remember_written


def check_output(store: Store, library: Library, target: Path, *, is_forced: bool = False) -> None:
    """Look whether a file may be written whole.

    Raises ConflictError for a symbolic link that leads elsewhere; and, unless it is ``forced``, for
    a file that is there and that papertrack did not write last.
    """
    _check_link(library, target)
    if is_forced or not target.is_file():
        return
    if not is_as_written(store, name_of_file(library, target), read_file(target)):
        raise ConflictError(
            f"{target} was not written by papertrack, or was edited since. It was left as it is: "
            "name another file, or add --force, which keeps a copy of it."
        )


def write_output(
    store: Store, library: Library, target: Path, data: bytes, *, is_forced: bool = False
) -> Path | None:
    """Write a file whole, and remember that it was papertrack.

    Returns the copy that was kept of what a ``forced`` run replaced. Raises what ``check_output``
    does, and PapertrackError when the file cannot be written.
    """
    check_output(store, library, target, is_forced=is_forced)
    name = name_of_file(library, target)
    copy = None
    if target.is_file() and not is_as_written(store, name, before := read_file(target)):
        copy = _free_name(target)
        write_file(copy, before)
    write_file(target, data)
    try:
        with store.transaction():
            remember_written(store, name, data, intent="")
    except StoreError:
        pass  # The library cannot be written just now: the next run asks before it replaces it.
    return copy


def _check_link(library: Library, target: Path) -> None:
    """A link may lead to a file beside it, or within the library; a file that is named to lie in
    the library may not lie elsewhere."""
    root = Path(os.path.realpath(library.root))
    real = Path(os.path.realpath(target))
    is_in_library = not Path(name_of_file(library, target)).is_absolute()
    folder = root if is_in_library else Path(os.path.realpath(target.parent))
    if not (real.is_relative_to(folder) or real.is_relative_to(root)):
        raise ConflictError(
            f"{target} is, or lies behind, a symbolic link to {real}, which is elsewhere. Nothing "
            "was written: name that file itself."
        )


def _free_name(target: Path) -> Path:
    """A name beside the file that nothing has."""
    number = 1
    while (copy := target.with_name(f"{target.name}.before-{number}")).exists():
        number += 1
    return copy
