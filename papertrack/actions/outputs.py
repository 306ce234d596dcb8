"""Files that commands rewrite. They replace only files that papertrack wrote itself, unless forced;
undo can restore a file that was replaced by force."""

from __future__ import annotations

from pathlib import Path

from papertrack.errors import ConflictError, DiskError, StoreError
from papertrack.library import Library
from papertrack.library.files import keep_copy, read_file, write_file
from papertrack.library.paths import name_of_file, path_of_name
from papertrack.library.trust import refuse_link, refuse_outside
from papertrack.store.journal import LoggedAction
from papertrack.store.store import Store
from papertrack.store.written_files import (
    ReplacedFile,
    find_replaced,
    is_as_written,
    is_kept,
    keep_replaced,
    remember_written,
)


def check_output(store: Store, library: Library, target: Path, *, is_forced: bool = False) -> None:
    """Check whether a file may be replaced as a whole.

    Raises ConflictError for a symbolic link that leads elsewhere, and, unless ``forced``, for an
    existing file that papertrack did not write last.
    """
    check_link(library, target)
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
    """Write a whole file, and remember that papertrack wrote it.

    Returns the copy that was kept of the file that a ``forced`` run replaced. Raises the errors of
    ``check_output``, and PapertrackError when the file cannot be written.
    """
    check_output(store, library, target, is_forced=is_forced)
    name = name_of_file(library, target)
    before = read_file(target) if target.is_file() else None
    is_ours = before is None or before == data or is_as_written(store, name, before)
    copy = None
    if before is not None and not is_ours:
        copy = keep_copy(target, before)
    # Recorded first, with the present bytes: after a crash either content is known as ours.
    _note(store, name, data, before, is_ours=is_ours)
    write_file(target, data)
    return copy


def _note(store: Store, name: str, data: bytes, before: bytes | None, *, is_ours: bool) -> None:
    """Remember what a file is about to contain. In a locked or read-only library nothing is
    remembered, and the next run asks before it replaces the file.

    Raises DiskError: if this fails, writing the file itself may be cut short, too.
    """
    try:
        with store.transaction():
            if before is not None and not is_ours:
                replaced = ReplacedFile(name, before, data)
                # Once, even if a run was killed before and repeats it.
                if not is_kept(store, replaced):
                    with store.action("replace", f"the file {name}") as action:
                        keep_replaced(store, action.id, replaced)
            former = before if is_ours and before != data else None
            remember_written(store, name, data, former=former)
    except DiskError:
        raise
    except StoreError:
        return


def put_file_back(store: Store, library: Library, action: LoggedAction) -> str:
    """Restore the bytes of a file that an action replaced, on undo, or the replacing bytes, on
    redo; within the transaction that does so.

    Returns a message about it, or "". If a run is killed before that transaction ends, the next
    undo or redo takes the file for done. Raises PapertrackError when the file cannot be written, or
    is outside a library that is not trusted.
    """
    replaced = find_replaced(store, action.id)
    if replaced is None:
        return ""
    path = path_of_name(library, replaced.name)
    check_link(library, path)
    refuse_outside(library, path)
    present = read_file(path) if path.exists() else None
    is_undone = action.state == "undone"
    target, other = (replaced.old, replaced.new)[:: 1 if is_undone else -1]
    # Later exports to this file belong to the action that first allowed it.
    if is_undone and present is not None and is_as_written(store, replaced.name, present):
        keep_replaced(store, action.id, replaced._replace(new=present))
        other = present
    if present not in (None, target, other):
        return f"but {path} was changed since, and is left as it is"
    if not store.is_trial and present != target:
        write_file(path, target)
    if not is_undone and action.verb != "highlights":  # A note stays the user's.
        remember_written(store, replaced.name, target)
    return f"{path} is {'as it was' if is_undone else 'written again'}"


def check_link(library: Library, target: Path) -> None:
    """Raise ConflictError for a link that leads elsewhere.

    A link may lead to a file beside it or within the library, but not into git's folder; a path in
    the library may not lead out of it.
    """
    is_in_library = not Path(name_of_file(library, target)).is_absolute()
    homes = (library.root,) if is_in_library else (target.parent, library.root)
    refuse_link(target, *homes)
