"""What is wrong with the sharing of a library, for ``doctor``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from papertrack.actions.share.device import is_own_device
from papertrack.actions.share.driver import lacks_driver
from papertrack.actions.share.switch import check
from papertrack.actions.share.take import take_in_logs
from papertrack.errors import PapertrackError
from papertrack.library import Library, is_shared
from papertrack.store.share import kept
from papertrack.store.store import Store
from papertrack.text import plural


def problems_of_sharing(
    store: Store, library: Library, environ: Mapping[str, str]
) -> Iterator[str]:
    """What is wrong, in sentences with the way out; nothing of a library that is not shared.

    ``store`` is a copy of the library's, into which what others did is taken for the comparison.
    """
    if kept.own_device(store) is None or not is_shared(library):
        return
    if lacks_driver(library):
        yield (
            "git merges lists line by line in this clone, not by entries. `papertrack doctor "
            "--repair` or `papertrack share on` tells it how."
        )
    if not is_own_device(store, library, environ):
        yield (
            f"This folder was copied or put elsewhere: another device may be "
            f"{kept.own_device(store)}. The next command gives this one a name of its own."
        )
    yield from _problems_of_logs(store, library, environ)


def _problems_of_logs(store: Store, library: Library, environ: Mapping[str, str]) -> Iterator[str]:
    try:
        yield from take_in_logs(store, library, environ).told
        found = check(store, library)
    except (PapertrackError, OSError) as error:
        yield str(error)
        return
    if found:
        yield (
            f"The library and its logs differ in {plural(len(found), 'place')}, first in "
            f"{found[0].thing} ({found[0].cell}). `papertrack share check` names all. If the logs "
            "are right: put data/papertrack.db aside, and the next command makes it from them."
        )
