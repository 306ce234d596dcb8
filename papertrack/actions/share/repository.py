"""The git repository of a shared library: checks before a merge, and `sync --git`.

git commits, fetches, merges and pushes, with papertrack's driver for records and lists. Hooks,
filters and drivers that a tree names are off.
"""

from __future__ import annotations

import os
import posixpath
import re
import shlex
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path, PurePosixPath

from papertrack.actions.lists.git import Ran, ask_git, need_git
from papertrack.actions.programs import own_command
from papertrack.actions.share.records import private_kinds
from papertrack.documents.records.text import PAPERS, TABLES, parse_record
from papertrack.errors import DocumentError, PapertrackError, UsageError
from papertrack.library import Library, git_folders, is_shared, private_in_git
from papertrack.library.files import read_file, write_file
from papertrack.library.paths import path_of_name
from papertrack.library.trust import is_trusted
from papertrack.store.documents import read_documents
from papertrack.store.store import Store
from papertrack.text import few, plural

TRIES = 3
LOOK = "Fix it with `git status`, and run this again. Nothing was lost."
_REACH = "Check that `git fetch` works (address, key, password), and run this again."
_OFF = (
    *("-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "core.symlinks=true"),
    *("-c", "submodule.recurse=false", "-c", "fetch.recurseSubmodules=false"),
    *("-c", "merge.renames=false", "-c", "diff.renames=false", "-c", "protocol.ext.allow=never"),
)
_PLAIN, _SUBMODULE = ("100644", "100755"), "160000"
_START, _END = "# papertrack: begin", "# papertrack: end"
_MARK = "merging"
"""A file that exists while git works for us: what a killed run leaves may then be taken back."""
_QUIET = 2.0
"""How many seconds a lock must be unchanged after git has ended."""


@dataclass(frozen=True, slots=True)
class Exchanged:
    """The result of an exchange through git."""

    pulled: int
    """The number of commits by others."""
    committed: tuple[str, ...]
    """The committed files."""
    pushed: bool
    """Whether the remote has everything that is here; False without a remote."""
    has_remote: bool
    unread: tuple[str, ...]
    """Pushed records that are invalid and were not merged: they stay in the history."""


class Repository:
    """The repository of a shared library, with a branch checked out."""

    def __init__(self, library: Library) -> None:
        """Raises UsageError if there is none, PapertrackError if it is not trusted."""
        found = git_folders(Path(os.path.realpath(library.root)))
        if found is None:
            raise UsageError(
                f"{library.root} is not in a git repository. Run `papertrack share on`."
            )
        if not is_trusted(library):
            raise PapertrackError(
                f"{library.root} is not trusted, and git runs programs that a "
                "repository's settings name. If it is yours, or you know its maker: "
                f"`papertrack config --trust {library.root}`."
            )
        self.library = library
        self.tree = found[0]
        self.prefix = Path(os.path.realpath(library.root)).relative_to(self.tree).as_posix() + "/"
        self.prefix = "" if self.prefix == "./" else self.prefix
        self.unread: dict[str, None] = {}
        self._off = [*_OFF]
        asked = ("config", "--null", "--name-only", "--get-regexp", r"^(filter|merge)\..*\.")
        for key in sorted(set(filter(None, ask_git(self.tree, *asked).text.split("\0")))):
            kind, name, what = key.split(".", 1)[0], *key.split(".", 1)[1].rsplit(".", 1)
            if kind == "filter":  # What a tree names is run by nobody.
                self._off += ["-c", f"{key}={'false' if what == 'required' else ''}"]
            elif what == "driver" and name != "papertrack":
                self._off += ["-c", f"{key}=git merge-file %A %O %B"]

    def ask(self, *arguments: str) -> Ran:
        """Run git with everything off that a tree may name. Raises PapertrackError."""
        return ask_git(self.tree, *self._off, *arguments)

    def need(self, *arguments: str, advice: str = LOOK) -> str:
        """Return the output of git. Raises PapertrackError when it fails."""
        return need_git(self.tree, *self._off, *arguments, advice=advice)

    def register(self, documents: Iterable[str]) -> None:
        """Tell git, in this clone only, how to merge records and lists, and what never to
        commit. Raises PapertrackError."""
        at = self.prefix
        records = "merge=papertrack -text !filter !working-tree-encoding !ident"
        lines = [f"{_quoted(at + PAPERS)}/*.toml {records}"]
        lines += [f"{_quoted(at + name)} {records}" for name in TABLES]
        lines += [f"{_quoted(_in_tree(at, name))} merge=papertrack !filter" for name in documents]
        lines += [f"{_quoted(at + 'notes')}/**/*.md merge=union"]
        _put_lines(self._info / "attributes", lines)
        _put_lines(self._info / "exclude", [f"/{at}data/", f"/{at}pdfs/", "*.bak"])
        command = f"{shlex.join(own_command())} --quiet merge-file %O %A %B --path %P"
        if self.ask("config", "--local", "--get", "merge.papertrack.driver").text != command:
            self.need("config", "--local", "merge.papertrack.name", "papertrack, by fields")
            self.need("config", "--local", "merge.papertrack.driver", command)

    def unregister(self) -> None:
        """Remove from git's attributes and exclusions what ``register`` set."""
        for name in ("attributes", "exclude"):
            with suppress(PapertrackError):
                _put_lines(self._info / name, ())

    @property
    def _info(self) -> Path:
        common = self.need("rev-parse", "--path-format=absolute", "--git-common-dir")
        return Path(common) / "info"

    # Checks.

    def refuse_foreign(self, commit: str, documents: Iterable[str]) -> None:
        """Raise PapertrackError, naming it, for anything in a tree that is at or above one of
        our paths and is not the expected plain file or folder, and where the library is gone."""
        asked = ("diff", "--name-only", "--diff-filter=D", f"HEAD...{commit}", "--")
        if gone := self.ask(*asked, f"{self.prefix}papertrack.toml").text:
            raise PapertrackError(
                f"Others removed {gone}, without which this folder is no library. Nothing was "
                "merged or changed here. Ask them to restore it, and run this again."
            )
        out = self.need("ls-tree", "-r", "-z", "--full-tree", commit)
        entries = [tuple(line.split("\t", 1)) for line in out.split("\0") if line]
        problems = foreign_paths(
            ((meta.split()[0], path) for meta, path in entries), self.prefix, documents
        )
        if problems:
            raise PapertrackError(
                f"Others pushed files that papertrack refuses: {few(problems)}. Nothing "
                "was merged or changed here. Ask them to remove these from the "
                "repository, and run this again."
            )

    # Doing.

    def branch(self) -> tuple[str | None, str]:
        """Return the remote of the current branch and its name there. Raises UsageError and
        PapertrackError."""
        named = self.ask("symbolic-ref", "--quiet", "--short", "HEAD")
        if named.code:
            raise UsageError(f"{self.tree} has no branch checked out: run `git switch main`.")
        remotes = self.need("remote").split()
        chosen = self.ask("config", f"branch.{named.text}.remote").text
        remote = chosen if chosen in remotes else "origin" if "origin" in remotes else None
        there = self.ask("config", f"branch.{named.text}.merge").text.removeprefix("refs/heads/")
        return remote or next(iter(remotes), None), there or named.text

    def take_back(self) -> None:
        """Take back a merge of ours that was killed. Raises PapertrackError for another
        program's merge."""
        inside = Path(self.need("rev-parse", "--absolute-git-dir"))
        mark = self.library.private / _MARK
        kinds = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge")
        begun = [name for name in kinds if (inside / name).exists()]
        if mark.exists():
            _remove_locks(inside, mark.stat().st_mtime)
            if begun == ["MERGE_HEAD"]:
                self.need("merge", "--abort")
                begun = []
        if begun:
            raise PapertrackError(
                f"A merge or rebase is not finished in {self.tree}. `git status` says how "
                "to finish or abort it; then run this again."
            )
        mark.unlink(missing_ok=True)

    def commit(self, paths: Sequence[Path], has_private: bool) -> list[str]:
        """Commit what changed in these files and folders, and nothing else; return the files. If
        anything is private, the output of `export --json` is left out, since it contains
        everything. Raises PapertrackError."""
        names = [str(path) for path in paths if path.is_relative_to(self.tree)]
        out = self.need(
            *("status", "--porcelain", "--no-renames", "-z", "--untracked-files=all", "--"), *names
        )
        changed = [entry[3:] for entry in out.split("\0") if entry]
        if has_private:
            whole = re.compile(re.escape(f"{self.prefix}exports/") + r".*\.jsonl?", re.DOTALL)
            changed = [name for name in changed if not whole.fullmatch(name)]
        if changed:
            # By a file: many names fit into no command line.
            listed = self.library.private / "committed"
            listed.write_bytes(b"\0".join(map(os.fsencode, changed)))
            only = (f"--pathspec-from-file={listed}", "--pathspec-file-nul")
            self.need("add", *only)
            self.need("commit", "--quiet", f"--message={self._message(changed)}", "--only", *only)
            listed.unlink()
        return changed

    def _message(self, changed: Sequence[str]) -> str:
        """What a person would write: how many papers were read, added, discarded."""
        start = f"{self.prefix}{PAPERS}/"
        names = [name for name in changed if name.startswith(start)]
        asked = ("diff", "--cached", "--no-ext-diff", "--no-textconv", "--unified=0", "--")
        out = self.need(*asked, start + ".")
        told: Counter[str] = Counter()
        header, new = "", False
        for line in out.splitlines():
            if line.startswith("diff --git "):
                header, new = line, False
            elif line.startswith("new file"):
                new = ".toml" in header  # The folder has a file that keeps it, too.
                told.update(["added"] * new)
            elif line.startswith("+[readings.") and not new:
                told["read"] += 1
            elif line.startswith('+decision = { is = "discarded"'):
                told["discarded"] += 1
            elif line.startswith("+removed = true"):
                told["removed"] += 1
        parts = [f"{plural(count, 'paper')} {what}" for what, count in told.items()]
        if names and not parts:
            parts = [f"{plural(len(names), 'paper')} edited"]
        subject = ", ".join(parts) or f"Update {few([Path(name).name for name in changed])}"
        return subject[:1].upper() + subject[1:]

    def merge(self, commit: str, documents: Sequence[str]) -> int:
        """Merge what others pushed; return the number of commits. Raises PapertrackError, with
        everything as it was, for a contradiction."""
        count = self.ask("rev-list", "--count", f"HEAD..{commit}")
        if count.code or count.text == "0":
            return 0
        self.refuse_foreign(commit, documents)
        ran = self.ask("merge", "--quiet", "--no-edit", "--no-gpg-sign", commit)
        if ran.code:
            out = self.need("diff", "--name-only", "--diff-filter=U", "-z")
            torn = [name for name in out.split("\0") if name]
            left = [name for name in torn if not self._keep_record(name)]
            if left or not torn:
                self.ask("merge", "--abort")
                said = few(left) if torn else ran.said or ran.text
                raise PapertrackError(
                    f"{' '.join(said.split())[:300]} contradicts what others pushed. Your "
                    "changes are committed, and nothing was merged. `git pull` shows the "
                    "conflict: resolve it, commit, and run this again."
                )
            self.need("commit", "--quiet", "--no-edit", "--no-gpg-sign")
        return int(count.text)

    def _keep_record(self, name: str) -> bool:
        """Keep a record that one side deleted and the other changed, and ours where theirs is none
        that can be read; whether it was one."""
        if not name.startswith(f"{self.prefix}{PAPERS}/"):
            return False
        ours, theirs = (self.ask("show", f":{stage}:{name}") for stage in (2, 3))
        if not ours.code and not theirs.code:
            try:
                parse_record(ours.out, name)
            except DocumentError:
                return False  # Theirs would be gone when ours is mended.
            self.unread[name] = None
        for side in ("--ours", "--theirs"):
            if not self.ask("checkout", side, "--", name).code:
                break
        return not self.ask("add", "--", name).code


def foreign_paths(
    entries: Iterable[tuple[str, str]], prefix: str, documents: Iterable[str]
) -> list[str]:
    """Return what in a tree (mode and path of each entry) is not as required where papertrack
    reads and writes: in words, by name."""
    ours = {
        _in_tree(prefix, name)
        for name in (*TABLES, *documents, "papertrack.toml", f"{PAPERS}/x", "notes/x", "exports/x")
    }
    above = {start for path in ours for start in _starts(path)[:-1]}
    folders = tuple(f"{prefix}{name}/" for name in (PAPERS, "notes", "exports"))
    plain = {*ours, ".gitattributes", ".gitmodules", f"{prefix}.gitattributes"}
    folded = {one.casefold(): one for one in plain | above}
    seen: dict[str, str] = {}
    problems = []
    for mode, path in entries:
        is_ours = path in plain or path.startswith(folders)
        first = seen.setdefault(path.casefold(), path) if is_ours else path
        if mode not in _PLAIN and (is_ours or path in above):
            problems.append(f"{path}, which is {'a submodule' if mode == _SUBMODULE else 'a link'}")
        elif mode in _PLAIN and path in above:
            problems.append(f"{path}, which is a file instead of a folder")
        if any(folded.get(start.casefold(), start) != start for start in _starts(path)):
            problems.append(f"{path}, whose name differs from ours only in capitals")
        elif first != path:
            problems.append(f"{path} and {first}, which differ only in capitals")
        if is_ours and not {"..", ".git"}.isdisjoint(path.split("/")):
            problems.append(f"{path}, which leads out of the folder")
    return problems


def _starts(path: str) -> list[str]:
    """A path in the repository, after the folders above it."""
    return list(accumulate(path.split("/"), "{}/{}".format))


def _in_tree(prefix: str, name: str) -> str:
    """What a file is called in the repository; a document may lie above the library."""
    return posixpath.normpath(prefix + name)


def refuse_links(library: Library, documents: Iterable[str] = ()) -> None:
    """Raise PapertrackError for anything that a plain `git pull` has put where papertrack reads
    and writes, and that is not the expected file or folder. Follows and changes nothing."""
    for name in (PAPERS, "notes", "exports"):
        _refuse_link(library.root / name, "folder")
    for name in (*TABLES, "papertrack.toml", *documents):
        for above in list(PurePosixPath(name).parents)[-2::-1]:
            _refuse_link(library.root / above, "folder")
        _refuse_link(library.root / name, "file")


def _refuse_link(path: Path, what: str) -> None:
    is_there = path.is_dir() if what == "folder" else path.is_file()
    if not path.is_symlink() and (is_there or not path.exists()):
        return
    raise PapertrackError(
        f"{path} is a link, or not a {what}, in a library that others can write. It was "
        f"not followed, and nothing was read or written there. Restore the {what} with "
        "git, and run this again."
    )


def inside_documents(store: Store) -> list[str]:
    """Return the registered documents in the library's folder."""
    names = [document.path for document in read_documents(store)]
    return [name for name in names if not Path(name).is_absolute()]


def _quoted(name: str) -> str:
    escaped = re.sub(r"([*?\[\]\\!#])", r"\\\1", name)
    return f'"/{escaped}"' if re.search(r'[\s"]', name) else f"/{escaped}"


def _remove_locks(inside: Path, begun: float) -> None:
    """Remove what a git of ours that was killed has locked, once none is at work any more."""
    while True:
        found = {}
        for lock in (*inside.glob("*.lock"), *(inside / "refs").rglob("*.lock")):
            with suppress(FileNotFoundError):
                found[lock] = lock.stat().st_mtime
        if all(time.time() - changed >= _QUIET for changed in found.values()):
            break
        time.sleep(_QUIET / 10)
    for lock, changed in found.items():
        if changed >= begun - 1:
            lock.unlink(missing_ok=True)


def _put_lines(path: Path, lines: Sequence[str]) -> None:
    """Let a file of git's have these lines, if any, between marks of ours. Raises
    PapertrackError."""
    text = read_file(path).decode("utf-8", "replace") if path.exists() else ""
    before, _, rest = text.partition(_START + "\n")
    after = rest.partition(_END + "\n")[2]
    gap = "" if not before or before.endswith("\n") else "\n"
    ours = gap + "\n".join([_START, *lines, _END, ""]) if lines else ""
    if before + ours + after != text:
        write_file(path, (before + ours + after).encode())


def exchange(
    library: Library, open_store: Callable[[], Store], work: Callable[[], bool]
) -> Exchanged:
    """Commit, fetch, merge, read and write, commit and push; repeat if somebody else pushed in
    the meantime. ``work`` syncs files and library, and returns whether everything may be pushed.

    Raises UsageError for a library that is not shared or not in a repository, PapertrackError
    for one that is not trusted, when git fails, and when others push first three times.
    """
    if not is_shared(library):
        raise UsageError("This library is not shared: `papertrack share on` shares it.")
    repository = Repository(library)
    repository.take_back()
    mark = library.private / _MARK
    try:
        mark.touch()
        return _exchange(repository, open_store, work)
    finally:
        mark.unlink(missing_ok=True)


def _exchange(
    repository: Repository, open_store: Callable[[], Store], work: Callable[[], bool]
) -> Exchanged:
    library = repository.library
    remote, there = repository.branch()
    pulled, committed = 0, set[str]()

    def done(*, is_pushed: bool) -> Exchanged:
        files, unread = tuple(sorted(committed)), tuple(repository.unread)
        return Exchanged(pulled, files, is_pushed, remote is not None, unread)

    for _ in range(TRIES):
        may_push = work()
        with open_store() as store:
            documents = inside_documents(store)
            kinds = private_kinds(store, library, os.environ)
            paths = _committed_paths(store, library, kinds)
        repository.register(documents)
        committed.update(repository.commit(paths, bool(kinds)))
        if remote is None:
            return done(is_pushed=False)
        repository.need("fetch", "--quiet", remote, advice=_REACH)
        tracking = f"refs/remotes/{remote}/{there}"
        if news := repository.merge(tracking, documents):
            pulled += news
            may_push = work()
            committed.update(repository.commit(paths, bool(kinds)))
        if not may_push:
            return done(is_pushed=False)
        ran = repository.ask(
            "push", "--quiet", "--set-upstream", remote, f"HEAD:refs/heads/{there}"
        )
        if not ran.code:
            return done(is_pushed=True)
        repository.need("fetch", "--quiet", remote, advice=_REACH)
        if repository.ask("rev-list", "--count", f"HEAD..{tracking}").text in ("", "0"):
            repository.need("push", "--quiet", remote, f"HEAD:refs/heads/{there}", advice=_REACH)
    raise PapertrackError(
        f"Others pushed {TRIES} times while papertrack tried to push. Run it again: everything "
        "is committed."
    )


def _committed_paths(store: Store, library: Library, kinds: frozenset[str]) -> list[Path]:
    names = [PAPERS, *TABLES, "exports", "papertrack.toml"]
    if "notes" not in kinds:
        names.append("notes")
    paths = [library.root / name for name in names]
    paths += [path_of_name(library, name) for name in inside_documents(store)]
    real = [path.parent.resolve() / path.name for path in paths]
    return [path for path in real if path.exists()]


def make_repository(library: Library) -> None:
    """Make a repository for a library that is not in one. Raises PapertrackError."""
    if private_in_git(library.root) is None:
        need_git(library.root, "init", "--quiet", "--initial-branch=main", advice=LOOK)
