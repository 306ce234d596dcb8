"""What this device is called in a library.

The name is kept twice: in the database, and outside of the library, bound to the folder. Where both
do not agree the folder was copied, or came from elsewhere, and another device may write under the
name: a new one is taken.
"""

from __future__ import annotations

import json
import os
import platform
import re
import secrets
from collections.abc import Mapping, Sequence

from papertrack.errors import UsageError
from papertrack.library import Library, state_folder
from papertrack.library.files import write_file
from papertrack.library.settings_files import is_unset
from papertrack.store.share.kept import call_device, own_device
from papertrack.store.share.lists import say_lists
from papertrack.store.share.outbox import forget_outbox
from papertrack.store.share.private import keep_private, private_kinds
from papertrack.store.share.saying import Doing, everything, say
from papertrack.store.store import Store

_FILE = "devices.json"
_VARIABLE = "PAPERTRACK_DEVICE"
"""Names the device where nothing is kept between two runs, as of a job of a forge."""
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,60}")


def settle_device(store: Store, library: Library, environ: Mapping[str, str]) -> str | None:
    """See to it that this device has a name that is its own.

    Returns the former name when another one was taken. Raises UsageError for a name in the
    environment that is none, PapertrackError when the name cannot be kept.
    """
    if is_own_device(store, library, environ):
        return None
    former = own_device(store)
    name_device(store, library, environ)
    return former


def is_own_device(store: Store, library: Library, environ: Mapping[str, str]) -> bool:
    """Whether the name under which the library writes is this device's."""
    own = own_device(store)
    return own is not None and own == (environ.get(_VARIABLE) or _bound(library))


def name_device(store: Store, library: Library, environ: Mapping[str, str]) -> str:
    """Give this device a new name. Raises what ``settle_device`` does."""
    name = environ.get(_VARIABLE) or _new_name()
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"{_VARIABLE} is {name!r}. A device's name is made of small letters, digits and "
            "hyphens: alice-laptop."
        )
    with store.transaction():
        call_device(store, name)
        forget_outbox(store)
    if not store.is_trial and _VARIABLE not in environ:
        _bind(library, name)
    return name


def introduce(store: Store, library: Library, environ: Mapping[str, str]) -> int:
    """Name this device in a library that is not shared yet, and say all that it holds.

    Returns the number of lines. Raises what ``settle_device`` does.
    """
    with store.transaction():  # The name and what is said under it, or neither.
        name_device(store, library, environ)
        follow_private(store, library, environ)
        doing = Doing("share", "what was there", store.stamp())
        lines = say(store, doing, everything(store)) + say_lists(store)
        store.complete_log()
    return lines


def follow_private(store: Store, library: Library, environ: Mapping[str, str]) -> None:
    """Let stay here what the settings say. Raises UsageError for wrong settings."""
    wanted: Sequence[str] = ()
    if not is_unset(library, environ, "share"):
        # Costs a tenth of a second: for those who have set something.
        from papertrack.library.settings_in_force import load_settings

        wanted = load_settings(library, environ).share.private or ()
    if frozenset(wanted) != private_kinds(store):
        with store.transaction():
            keep_private(store, wanted)


def _new_name() -> str:
    host = re.sub("[^a-z0-9]+", "-", platform.node().partition(".")[0].lower()).strip("-")
    return f"{host[:40] or 'device'}-{secrets.token_hex(2)}"


def _bound(library: Library) -> str | None:
    """The name that was bound to this folder; None where it is another folder by now."""
    found = _read().get(os.path.realpath(library.root))
    if not isinstance(found, dict) or found.get("place") != _place(library):
        return None
    return str(found.get("device"))


def _place(library: Library) -> list[str | int]:
    return [platform.node(), library.root.stat().st_ino]


def _bind(library: Library, name: str) -> None:
    known = _read() | {os.path.realpath(library.root): {"place": _place(library), "device": name}}
    write_file(state_folder() / _FILE, json.dumps(known, indent=1).encode())


def _read() -> dict[str, object]:
    try:
        found = json.loads((state_folder() / _FILE).read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
