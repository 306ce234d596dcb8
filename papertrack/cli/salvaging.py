"""Commands that read go on with what is left of a damaged library."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from papertrack.cli.session import Decorated, Session
from papertrack.errors import DamagedError, NotFoundError, StoreError
from papertrack.store.store import Store, readable_errors
from papertrack.text import few, plural

if TYPE_CHECKING:
    from papertrack.store.whole.salvage import Salvaged


def reads_what_is_left(may: Callable[[dict[str, Any]], bool] = lambda _: True) -> Decorated:
    """Let a command that reads show what can be read of a damaged library, and then end with 1.

    ``may`` tells by what the command was given whether it writes nothing that stands elsewhere.
    """

    def decorate(command: Decorated) -> Decorated:
        @wraps(command)
        def reading(session: Session, /, *arguments: Any, **given: Any) -> Any:
            try:
                return command(session, *arguments, **given)
            except DamagedError as error:
                if not may(given) or session.copies:
                    raise
                session.warn(str(error))
            left = _read(session)
            try:
                command(session._replace(copies=[left.store]), *arguments, **given)
            except NotFoundError as error:
                raise StoreError(f"{error} It may be among what is lost.") from None
            return 1

        return reading

    return decorate


class Numbered(Protocol):
    """What has the number of its paper."""

    @property
    def id(self) -> int: ...


_Found = TypeVar("_Found", bound=Numbered)


def going_on(
    session: Session, store: Store, read: Callable[[Store], Iterable[_Found]]
) -> Iterator[_Found]:
    """What ``read`` finds, which is printed while it is read; where damage is met in the midst,
    the others follow from what is left."""
    seen = set()
    try:
        with readable_errors(store.path):
            for one in read(store):
                seen.add(one.id)
                yield one
        return
    except DamagedError as error:
        if session.copies:
            raise
        session.warn(str(error))
    left = _read(session).store
    session.copies.append(left)
    yield from (one for one in read(left) if one.id not in seen)


def _read(session: Session) -> Salvaged:
    """What is left, as it was told. Raises StoreError when that is nothing."""
    from papertrack.actions.backups import read_what_is_left

    left = read_what_is_left(session.library(), session.now)
    lost = [f"{left.stubs:,} more by their keys alone"] if left.stubs else []
    torn = f"Rows are lost of: {few(sorted(left.torn))}." if left.torn else "Nothing seems lost."
    session.warn(
        f"This is what can be read of it: {' and '.join([plural(left.papers, 'paper'), *lost])}. "
        f"{torn} `papertrack export --json -o FILE` keeps it, for `import` in a new library; until "
        "a restore nothing is written."
    )
    return left
