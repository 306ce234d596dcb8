"""Exchanging a shared library with other devices through git, as ``sync --git`` does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from papertrack.actions.share import repository as git
from papertrack.actions.share.driver import register_driver
from papertrack.actions.share.switch import write_files_of_git
from papertrack.actions.share.unfinished import marked
from papertrack.errors import PapertrackError, UsageError
from papertrack.library import Library, is_shared
from papertrack.library.files import read_file
from papertrack.library.paths import path_of_name
from papertrack.store.documents import read_documents
from papertrack.store.share import kept
from papertrack.store.share.fold import PRESENT
from papertrack.store.share.lines import Line, is_compaction, read_lines
from papertrack.store.share.lists import is_list
from papertrack.store.share.private import private_kinds
from papertrack.store.share.writing import table_of
from papertrack.store.store import Store
from papertrack.text import plural

_TRIES = 3
_MOST_WORDS = 40
"""How many acts the message of a commit names."""
_OF_GIT = (".gitignore", ".gitattributes")


@dataclass(frozen=True, slots=True)
class Exchanged:
    """What went through git."""

    pulled: int
    """Commits of others."""
    committed: tuple[str, ...]
    """The files that were committed."""
    pushed: bool
    """Whether the remote has all that is here; False where there is no remote."""


def exchange(
    library: Library, open_store: Callable[[], Store], work: Callable[[], None]
) -> Exchanged:
    """Take in what others pushed, do the work of a sync, commit, and push; again when somebody
    else pushed meanwhile.

    Raises UsageError for a library that is not shared or in no repository, PapertrackError for one
    that is not trusted, when git fails, and when others are faster three times.
    """
    if not is_shared(library):
        raise UsageError("This library is not shared: `papertrack share on` begins to.")
    with open_store() as store:
        device = kept.own_device(store) or ""
    repository = git.open_repository(library, device)
    register_driver(library)
    with marked(library) as mark:
        return _exchange(_Going(library, open_store, work, repository, mark))


@dataclass
class _Going:
    """One exchange under way."""

    library: Library
    open_store: Callable[[], Store]
    work: Callable[[], None]
    repository: git.Repository
    mark: Path
    pulled: int = 0
    committed: set[str] = field(default_factory=set)

    def commit(self) -> None:
        self.mark.touch()
        self.committed.update(_commit(self.library, self.open_store, self.repository))

    def pull(self) -> bool:
        """Take in what others pushed; whether that was anything."""
        self.mark.touch()
        if news := git.fetch(self.repository):
            self.commit()
            git.rebase(self.repository)
            self.pulled += news
        return bool(news)


def _exchange(going: _Going) -> Exchanged:
    for attempt in range(_TRIES):
        if going.pull() or not attempt:
            going.work()
        going.commit()
        if git.push(going.repository):
            has_remote = going.repository.remote is not None
            return Exchanged(going.pulled, tuple(sorted(going.committed)), has_remote)
    raise PapertrackError(
        f"Others pushed {_TRIES} times while this one tried to. Run it again: all is committed."
    )


def _commit(
    library: Library, open_store: Callable[[], Store], repository: git.Repository
) -> Sequence[str]:
    with open_store() as store:
        device = kept.own_device(store) or ""
        write_files_of_git(store, library)
        documents = [path_of_name(library, one.path) for one in read_documents(store)]
        notes = [] if "notes" in private_kinds(store) else [library.notes]
    own = sorted((library.journal / device).glob("*.log"))
    lines = [line for path in own for line in _not_committed(repository, path)]
    folders = (library.journal, *notes, library.exports, library.settings_path)
    ours = [*folders, *documents, *(library.root / name for name in _OF_GIT)]
    real = [path.parent.resolve() / path.name for path in ours]
    return git.commit(repository, real, told(lines, device))


def _not_committed(repository: git.Repository, path: Path) -> tuple[Line, ...]:
    size = git.committed_size(repository, path.resolve())
    lines = read_lines(read_file(path)[size:]).lines
    # What a log was put together from was told when it was done.
    return tuple(filter(is_compaction, lines)) or lines


def told(lines: Sequence[Line], device: str) -> str:
    """What a device did, as the message of a commit: which papers were read and found, what else
    was done how often, and all acts."""
    acts = {line.act: line for line in reversed(lines)}
    papers = {name: _papers(lines, verbs, is_new) for name, verbs, is_new in _OF_PAPERS}
    parts = [f"{plural(count, 'paper')} {name}" for name, count in papers.items() if count]
    told_of = {verb for _, verbs, _ in _OF_PAPERS for verb in verbs} | {"settle"}
    others = Counter(line.verb for line in acts.values() if line.verb not in told_of)
    parts += [f"{verb} {count}" for verb, count in others.most_common(3)]
    subject = f"{', '.join(parts) or 'Files in step'} ({device})"
    words = [f"{line.verb}: {line.words}" for _, line in sorted(acts.items())]
    left = len(words) - _MOST_WORDS
    body = words[:_MOST_WORDS] + [f"and {left} more"] * (left > 0)
    return "\n".join([subject[:1].upper() + subject[1:], "", *body]).strip()


_OF_PAPERS = (
    ("read", ("pass",), False),
    ("found", ("watch",), True),
    ("added", ("add", "import", "share"), True),
)
"""What is told of papers, by which verbs; and whether only of those that were new then."""


def _papers(lines: Sequence[Line], verbs: Sequence[str], is_new: bool) -> int:
    """How many papers these verbs were done to."""
    return len(
        {
            line.thing
            for line in lines
            if line.verb in verbs
            and table_of(line.thing) == "papers"
            and not is_list(line)
            and (not is_new or line.changes.get(PRESENT) == (None, True))
        }
    )
