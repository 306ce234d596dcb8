"""What a disk may hold after the power failed: the calls of a run, as far as they had got there.

What was synced is there. Of the rest any part may be: writes to one file in any choice and torn,
names in their order on a disk with a journal, and in any choice on a weak one, where a sync of a
file says nothing of its name.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from tests.crash.calls import Call

SECTOR = 512
"""What a disk writes as a whole."""

Content = bytes | None
"""Of a file; None is a folder."""


@dataclass(frozen=True)
class Version:
    """What a disk may hold of a file: what was synced, and these writes."""

    synced: Content
    calls: tuple[Call, ...] = ()

    def content(self) -> Content:
        if self.synced is None or not self.calls:
            return self.synced
        held = bytearray(self.synced)
        for call in self.calls:
            if call.name == "truncate":
                del held[call.number :]
                held.extend(bytes(call.number - len(held)))
            else:
                held.extend(bytes(max(0, call.number - len(held))))
                held[call.number : call.number + len(call.data)] = call.data
        return bytes(held)


Held = dict[str, Version | None]
"""What is on a disk, by path; None is no file."""


@dataclass
class File:
    """What the disk holds of a file, and what was written since it was synced."""

    synced: Content
    waiting: list[Call] = field(default_factory=list)

    def sync(self) -> None:
        self.synced, self.waiting = self.whole().content(), []

    def whole(self) -> Version:
        return Version(self.synced, tuple(self.waiting))

    def by_chance(self, chance: random.Random) -> Version:
        """Some of what was written since, and some of that in part."""
        kept = [call for call in self.waiting if chance.random() < 0.5]
        return Version(self.synced, tuple(_torn(call, chance) for call in kept))


@dataclass(frozen=True)
class Naming:
    """Names that are given or taken away together, by one call."""

    given: dict[str, File]
    taken: tuple[str, ...] = ()

    def is_in(self, folder: str) -> bool:
        return any(str(PurePosixPath(name).parent) == folder for name in (*self.given, *self.taken))


class Disk:
    """A disk while a run is at work on it."""

    def __init__(self, start: Path, folder: Path, *, is_weak: bool) -> None:
        self.start = start
        self.folder = folder
        self.is_weak = is_weak
        self.names: dict[str, File | None] = {}
        """Those that the run came upon, as they are on the disk; None is no file."""
        self.now: dict[str, File | None] = {}
        """The same, as the run sees them."""
        self.waiting: list[Naming] = []

    def take(self, call: Call) -> None:
        """Let the run ask for something."""
        known = self._find(call.path)
        match call.name:
            case "write" | "truncate" if known:
                known.waiting.append(call)
            case "create" | "mkdir" if not known:
                self._name(Naming({call.path: File(None if call.name == "mkdir" else b"")}))
            case "unlink" | "rmdir" if known:
                self._name(Naming({}, (call.path,)))
            case "rename" if known:
                self._find(call.other)
                self._name(Naming({call.other: known}, (call.path,)))
            case "link" if known and not self._find(call.other):
                self._name(Naming({call.other: known}))
            case "sync" if known:
                self._sync(call.path, known)
            case "flush":
                self._flush()

    def _flush(self) -> None:
        for file in {id(file): file for file in self.now.values() if file}.values():
            file.sync()
        for naming in self.waiting:
            _rename(self.names, naming)
        self.waiting.clear()

    def states(self, chance: random.Random, count: int) -> Iterator[Held]:
        """What may be there if the power fails now: what was synced, that and all names, that and
        all that was written, and so many by chance."""
        yield self._held((), lambda file: Version(file.synced))
        yield self._held(self.waiting, lambda file: Version(file.synced))
        yield self._held((), File.whole)
        for _ in range(count):
            first = self.waiting[: chance.randint(0, len(self.waiting))]
            some = [one for one in self.waiting if chance.random() < 0.5]
            yield self._held(some if self.is_weak else first, lambda file: file.by_chance(chance))

    def _held(self, namings: Sequence[Naming], version: Callable[[File], Version]) -> Held:
        names = dict(self.names)
        for naming in namings:
            _rename(names, naming)
        versions = {id(file): version(file) for file in names.values() if file}
        return {path: versions[id(file)] if file else None for path, file in names.items()}

    def _find(self, path: str) -> File | None:
        if path not in self.now:
            there = self.start / PurePosixPath(path).relative_to(self.folder)
            content = there.read_bytes() if there.is_file() else None
            self.now[path] = File(content) if there.exists() else None
            self.names[path] = self.now[path]
        return self.now[path]

    def _name(self, naming: Naming) -> None:
        _rename(self.now, naming)
        self.waiting.append(naming)

    def _sync(self, path: str, file: File) -> None:
        file.sync()
        is_folder = file.synced is None
        done = [one for one in self.waiting if not self.is_weak or (is_folder and one.is_in(path))]
        for naming in done:
            _rename(self.names, naming)
            self.waiting.remove(naming)


def _rename(names: dict[str, File | None], naming: Naming) -> None:
    names.update(naming.given)
    names.update(dict.fromkeys(naming.taken))


def _torn(call: Call, chance: random.Random) -> Call:
    """A write of which only the first sectors came through, once in four times."""
    whole = len(call.data) // SECTOR
    if call.name != "write" or not whole or chance.random() < 0.75:
        return call
    return replace(call, data=call.data[: SECTOR * chance.randint(0, whole)])


def lay_out(held: Held) -> None:
    """Let the files be what a disk holds; what is in a folder that is lost is lost too."""
    for name, version in sorted(held.items()):
        path = Path(name)
        if version is None:
            _remove(path)
        elif not path.parent.is_dir():
            continue
        elif (content := version.content()) is None:
            path.mkdir(exist_ok=True)
        else:
            path.write_bytes(content)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def power_cuts(
    calls: Sequence[Call], start: Path, folder: Path, chance: random.Random, count: int
) -> list[tuple[int, Held]]:
    """The states in which a power cut may leave a disk, each once, with how many calls were asked
    for by then; both kinds of disks, ``count`` by chance after each call."""
    found: dict[object, tuple[int, Held]] = {}
    for is_weak in (False, True):
        disk = Disk(start, folder, is_weak=is_weak)
        for number, call in enumerate(calls, 1):
            disk.take(call)
            for held in disk.states(chance, count):
                key = frozenset(map(_key, held.items())), number == len(calls)
                found.setdefault(key, (number, held))
    return list(found.values())


def _key(one: tuple[str, Version | None]) -> object:
    name, version = one
    return (name, version and (version.synced, tuple(map(id, version.calls))))
