"""Replacing a file and remembering it in one step, as far as a crash can tell.

The intent is put down first, then the file is replaced, then the library commits. What a killed
run left is taken back by the next one (see ``actions.recover``): the file is what the library
remembers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from papertrack.errors import NotFoundError, PapertrackError
from papertrack.library import intents, intents_folder
from papertrack.library.files import (
    NotConfirmed,
    attributes_lost,
    attributes_of,
    not_kept,
    read_file,
    replace_file,
    write_file,
)
from papertrack.library.intents import Intent
from papertrack.store.files.written_files import remember_written
from papertrack.store.store import Ending, Store

Merge = Callable[[Intent, bytes], bytes | None]
"""Returns a file as it is now without what a run wrote; None where both are about the same."""


@dataclass(frozen=True, slots=True)
class TakenBackFile:
    """A file in which something was written that the library does not remember."""

    path: Path
    told: str
    """What became of it, as a sentence."""


def replace_document(
    store: Store, name: str, path: Path, seen: bytes, data: bytes
) -> tuple[str, ...]:
    """Replace a file within the action that is open: the library remembers it, or it stays.

    ``name`` is what the library calls it, ``seen`` what it must still hold. Returns what the file
    could not keep, as sentences. Raises ConflictError when it has changed, and PapertrackError
    when it cannot be written.
    """
    lost, attributes = (not_kept(path) if path.exists() else ()), attributes_of(path)
    try:
        intent = intents.announce(intents_folder(store.path), name, path, seen, data)
    except OSError as error:
        raise PapertrackError(
            f"{path} was not written: there is no room to note what it was "
            f"({error.strerror or error}). Make room beside the library, and try again."
        ) from error
    store.at_end(Ending(intent.forget, lambda: take_back(intent)))
    remember_written(store, name, data, intent.token)
    try:
        replace_file(path, seen, data)
    except NotConfirmed as error:
        # With the transaction, which this ends, the file goes back.
        raise PapertrackError(
            f"The disk did not confirm that {path} was written, so it was brought back to what it "
            "was. Try again when the disk is well."
        ) from error
    return (*lost, *attributes_lost(attributes, path))


def take_back(intent: Intent, without: Merge | None = None) -> TakenBackFile | None:
    """Bring a file back to what it was; edits that were made by hand since then stay, if there is a
    way to merge them.

    None if it was not replaced yet. Where it cannot be written, the intent stays for a later try.
    """
    try:
        told = _take_back(intent, without)
    except NotFoundError:
        told = None  # The reader has removed it since.
    except PapertrackError as error:
        return TakenBackFile(intent.path, str(error))
    intent.forget()
    return None if told is None else TakenBackFile(intent.path, told)


def _take_back(intent: Intent, without: Merge | None) -> str | None:
    present = read_file(intent.path)
    if present == intent.old:
        return None
    if present == intent.new:
        replace_file(intent.path, present, intent.old)
        return (
            f"A run that was cut off had written {intent.path}; it is as it was before. "
            "Run the command again."
        )
    merged = without(intent, present) if without else None
    if merged is not None:
        replace_file(intent.path, present, merged)
        return (
            f"A run that was cut off had written {intent.path}, which you edited since; what that "
            "run wrote is taken back, and your edits are in it. Run the command again."
        )
    kept = intent.path.with_name(f"{intent.path.name}.before-{intent.token}")
    write_file(kept, intent.old)
    return (
        f"A run that was cut off had written {intent.path}, which you edited since in the same "
        f"places. It was left alone; what it was before that run is in {kept.name} beside it."
    )
