"""The git repository of a shared library: checks before a merge, and `sync --git`.

git commits, fetches, merges and pushes. Records and lists that both sides changed are merged here;
a plain `git pull` uses papertrack's merge driver. Hooks, filters and other drivers that a
repository names are disabled.
"""

from __future__ import annotations

import os
import posixpath
import re
import shlex
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate
from pathlib import Path

from papertrack.actions.lists.git import GitResult, ask_git, git_output
from papertrack.actions.programs import own_command
from papertrack.actions.share import FOLDERS, inside_documents
from papertrack.actions.share.records import private_kinds
from papertrack.documents.conflict_markers import split_conflicts
from papertrack.documents.records import merge_record_files, parse_record
from papertrack.documents.versions import merge_versions
from papertrack.errors import DocumentError, PapertrackError, UsageError
from papertrack.library import PAPERS, SETTINGS_FILE, TABLES, Library, git_folders, is_shared
from papertrack.library.files import read_file, write_file
from papertrack.library.paths import BIBTEX_SUFFIXES, path_of_name
from papertrack.library.trust import is_trusted
from papertrack.store import records as db
from papertrack.store.store import Store
from papertrack.text import few, plural

TRIES = 3
ADVICE = "Fix it with `git status`, and run this again. Nothing was lost."
_PUBLIC = r"(?:.*\.(?:bib|ris|ya?ml|atom)|digest/[^/]+\.md|papers\.md)\Z"
"""Files in exports/ that contain nothing private."""
_REACH = "Check that `git fetch` works (address, key, password), and run this again."
_SAFE_OPTIONS = (
    *("-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "core.symlinks=true"),
    *("-c", "submodule.recurse=false", "-c", "fetch.recurseSubmodules=false"),
    *("-c", "merge.renames=false", "-c", "diff.renames=false", "-c", "protocol.ext.allow=never"),
)
_PLAIN = ("100644", "100755")
_KINDS = {"160000": "a submodule"} | dict.fromkeys(_PLAIN, "a file instead of a folder")
"""What git's modes mean where papertrack wants something else; other modes are links."""
_NEW_RECORD = re.compile(
    r"^diff --git [^\n]*\.toml\nnew file.*?(?=^diff --git |\Z)", re.DOTALL | re.MULTILINE
)
_START, _END = "# papertrack: begin", "# papertrack: end"
_DRIVER = "merge.papertrack.driver"
"""git's setting with the command that merges a file."""
_MARK = "merging"
"""A file that exists during papertrack's git commands, so that a killed merge can be aborted."""
_LOCK_SECONDS = 2.0
"""How many seconds a lock must be unchanged before it is removed."""


@dataclass(frozen=True, slots=True)
class Exchanged:
    """The result of an exchange through git."""

    pulled: int
    """The number of commits by others."""
    committed: tuple[str, ...]
    """The committed files."""
    pushed: bool
    """Whether the remote has everything; False without a remote."""
    has_remote: bool
    unread: tuple[str, ...]
    """Invalid records that others pushed; they were not merged and stay in the history."""
    kept: tuple[str, ...]
    """Lists with entries that one side removed and the other changed; these entries stay."""


class Repository:
    """The repository of a shared library, with a branch checked out."""

    def __init__(self, library: Library) -> None:
        """Raise UsageError without a repository, PapertrackError for an untrusted library."""
        folders = git_folders(Path(os.path.realpath(library.root)))
        if folders is None:
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
        self.tree, self.git_dir = folders
        self.prefix = Path(os.path.realpath(library.root)).relative_to(self.tree).as_posix() + "/"
        self.prefix = "" if self.prefix == "./" else self.prefix
        self.unread: dict[str, None] = {}
        self.kept: dict[str, None] = {}
        listing = ask_git(self.tree, "config", "--null", "--list").text.split("\0")
        entries = (entry.partition("\n") for entry in listing)
        self.settings = {name: value for name, _, value in entries}
        """git's settings by their names, as they were at first."""
        self._options = [*_SAFE_OPTIONS, *_without_programs(sorted(self.settings))]

    def ask(self, *arguments: str) -> GitResult:
        """Run git without the repository's programs. Raises PapertrackError."""
        return ask_git(self.tree, *self._options, *arguments)

    def run(self, *arguments: str, advice: str = ADVICE) -> str:
        """Run git as ``ask``, and return its output. Raises PapertrackError when it fails."""
        return git_output(self.tree, *self._options, *arguments, advice=advice)

    def register(self, documents: Iterable[str]) -> None:
        """Set up git's merge driver and exclusions in this clone. Raises PapertrackError."""
        prefix, plain = self.prefix, "!filter !working-tree-encoding !ident"
        lines = [f"{_quoted(prefix + name, '/**')} {plain}" for name in ("exports", "notes")]
        lines += [f"{_quoted(prefix + 'papertrack.toml')} {plain}"]
        lines += [f"{_quoted(prefix + PAPERS, '/*.toml')} merge=papertrack -text {plain}"]
        lines += [f"{_quoted(prefix + n)} merge=papertrack -text {plain}" for n in TABLES]
        lines += [f"{_quoted(_in_tree(prefix, n))} merge=papertrack {plain}" for n in documents]
        lines += [f"{_quoted(prefix + 'notes', '/**/*.md')} merge=union"]
        _put_lines(self._info / "attributes", lines)
        _put_lines(self._info / "exclude", [f"/{prefix}data/", f"/{prefix}pdfs/", "*.bak"])
        if self.settings.get(_DRIVER) != _driver():
            self.run("config", "--local", "merge.papertrack.name", "papertrack, by fields")
            self.run("config", "--local", _DRIVER, _driver())

    def unregister(self) -> None:
        """Remove the attributes and exclusions that ``register`` set."""
        for name in ("attributes", "exclude"):
            with suppress(PapertrackError):
                _put_lines(self._info / name, ())

    @property
    def _info(self) -> Path:
        return self.library.private.parents[2] / "info"

    # Check what others pushed.

    def refuse_foreign(self, commit: str, documents: Iterable[str]) -> None:
        """Refuse a commit without the library, or with a link or a folder at one of our paths.

        Raises PapertrackError with the names of these files.
        """
        options = ("diff", "--name-only", "--diff-filter=D", f"HEAD...{commit}", "--")
        if removed := self.ask(*options, f"{self.prefix}papertrack.toml").text:
            raise PapertrackError(
                f"Others removed {removed}, without which this folder is no library. Nothing was "
                "merged or changed here. Ask them to restore it, and run this again."
            )
        out = self.run("ls-tree", "-r", "-z", "--full-tree", commit)
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

    # Commit and merge.

    def branch(self) -> tuple[str | None, str]:
        """Return the current branch's remote and its name there.

        Raises UsageError and PapertrackError.
        """
        head = self.ask("symbolic-ref", "--quiet", "--short", "HEAD")
        if head.code:
            raise UsageError(f"{self.tree} has no branch checked out: run `git switch main`.")
        remotes = [key[7:-4] for key in self.settings if re.fullmatch(r"remote\..*\.url", key)]
        wanted = self.settings.get(f"branch.{head.text}.remote"), "origin", *remotes
        target = self.settings.get(f"branch.{head.text}.merge", head.text)
        return next(filter(remotes.__contains__, wanted), None), target.removeprefix("refs/heads/")

    def abort_merge(self) -> None:
        """Abort a merge of a killed papertrack. Raises PapertrackError for any other merge."""
        mark = self.library.private / _MARK
        kinds = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge")
        unfinished = [name for name in kinds if (self.git_dir / name).exists()]
        if mark.exists():
            _remove_locks(self.git_dir, mark.stat().st_mtime)
            if unfinished == ["MERGE_HEAD"]:
                self.run("merge", "--abort")
                unfinished = []
        if unfinished:
            raise PapertrackError(
                f"A merge or rebase is not finished in {self.tree}. `git status` says how "
                "to finish or abort it; then run this again."
            )

    def commit(self, paths: Sequence[Path], has_private: bool) -> list[str]:
        """Commit changes in these files and folders only; return the committed files.

        If anything is private, leaves out exports that may contain it. Raises PapertrackError.
        """
        names = [str(path) for path in paths if path.is_relative_to(self.tree)]
        out = self.run(
            *("status", "--porcelain", "--no-renames", "-z", "--untracked-files=all", "--"), *names
        )
        changed = [entry[3:] for entry in out.split("\0") if entry]
        if has_private:
            exports = f"{self.prefix}exports/"
            kept = re.compile(f"(?!{re.escape(exports)})|{re.escape(exports)}{_PUBLIC}", re.DOTALL)
            changed = [name for name in changed if kept.match(name)]
        if changed:
            # Pass the names in a file, since a command line is limited.
            listing = self.library.private / "committed"
            listing.write_bytes(b"\0".join(map(os.fsencode, changed)))
            options = (f"--pathspec-from-file={listing}", "--pathspec-file-nul")
            self.run("add", *options)
            self.run("commit", "--quiet", f"--message={self._message(changed)}", "--only", *options)
            listing.unlink()
        return changed

    def _message(self, changed: Sequence[str]) -> str:
        """Return a commit message: how many papers were read, added, discarded or removed."""
        start = f"{self.prefix}{PAPERS}/"
        count = sum(name.startswith(start) for name in changed)
        options = ("--cached", "--no-ext-diff", "--no-textconv", "--unified=0")
        out = self.run("diff", *options, "--", start + ".")
        old, new = _NEW_RECORD.subn("", out)
        counts = {
            "read": old.count("\n+[readings."),
            "added": new,
            "discarded": out.count('\n+decision = { is = "discarded"'),
            "removed": out.count("\n+removed = true"),
        }
        if count and not any(counts.values()):
            counts = {"edited": count}
        parts = [f"{plural(papers, 'paper')} {verb}" for verb, papers in counts.items() if papers]
        subject = ", ".join(parts) or f"Update {few([Path(name).name for name in changed])}"
        return subject[:1].upper() + subject[1:]

    def merge(self, commit: str, documents: Sequence[str]) -> int:
        """Merge what others pushed; return the number of their commits.

        Raises PapertrackError for a contradiction, and merges nothing then.
        """
        count = self.ask("rev-list", "--count", f"HEAD..{commit}")
        if count.code or count.text == "0":
            return 0
        self.refuse_foreign(commit, documents)
        # Files that both sides changed are merged here: a driver would be a process for each file.
        # Only several bases are merged by the driver, since git wants one.
        options = (
            *("-c", "merge.papertrack.driver=false"),
            *("-c", "merge.papertrack.recursive=papertrack-bases"),
            *("-c", f"merge.papertrack-bases.driver={_driver()}"),
        )
        result = self.ask(*options, "merge", "--quiet", "--no-edit", "--no-gpg-sign", commit)
        if result.code:
            try:
                self._resolve_all(result, documents)
            except BaseException:  # Also when it is interrupted, or the disk is full.
                self.ask("merge", "--abort")
                raise
        return int(count.text)

    def _resolve_all(self, result: GitResult, documents: Sequence[str]) -> None:
        """Merge the files with conflicts and commit them. Raises PapertrackError."""
        out = self.run("diff", "--name-only", "--diff-filter=U", "-z")
        conflicts = [name for name in out.split("\0") if name]
        lists = {_in_tree(self.prefix, name) for name in documents}
        unresolved = [name for name in conflicts if not self._resolve(name, name in lists)]
        if unresolved or not conflicts:
            reason = few(unresolved) if conflicts else result.message or result.text
            raise PapertrackError(
                f"{' '.join(reason.split())[:300]} contradicts what others pushed. Your "
                "changes are committed, and nothing was merged. `git pull` shows the "
                "conflict: resolve it, commit, and run this again."
            )
        self.run("commit", "--quiet", "--no-edit", "--no-gpg-sign")

    def _resolve(self, name: str, is_list: bool) -> bool:
        """Merge both sides of a list, record or table; return whether that was possible."""
        stages = [self.ask("cat-file", "blob", f":{stage}:{name}") for stage in (1, 2, 3)]
        versions = [b"" if stage.code else stage.output for stage in stages]
        is_deleted = any(stage.code for stage in stages[1:])
        if is_deleted and is_list:
            return False  # Its entries would count as removed, but those that we changed.
        try:
            if is_list:
                merged = self._merge_list(name, versions)
            else:
                merged = self._merge_record(name, versions, is_deleted)
        except DocumentError:
            return False
        write_file(self.tree / name, merged)
        return not self.ask("add", "--", name).code

    def _merge_list(self, name: str, versions: Sequence[bytes]) -> bytes:
        """Merge a list entry by entry. Raises DocumentError if both sides contradict each other.

        An entry that one side removed and the other changed stays, as its paper does.
        """
        is_bib = Path(name).suffix.lower() in BIBTEX_SUFFIXES
        data, conflicts = merge_versions(versions, is_bib=is_bib)
        torn = split_conflicts(data)
        if torn is None and not conflicts:
            return data
        if torn is None or any(conflict.ours and conflict.theirs for conflict in torn.conflicts):
            raise DocumentError(name)
        self.kept[name] = None
        return torn.both

    def _merge_record(self, name: str, versions: Sequence[bytes], is_deleted: bool) -> bytes:
        """Merge a record or table by fields. An invalid one of theirs is left out.

        Raises DocumentError if ours is invalid: repairing it later would lose theirs.
        """
        path = Path(name.removeprefix(self.prefix))
        is_ours = name.startswith(self.prefix)
        if not is_ours or (str(path.parent) != PAPERS and str(path) not in TABLES):
            raise DocumentError(name)
        if is_deleted:  # A record or table is never deleted.
            return versions[1] or versions[2]
        with suppress(DocumentError):
            return merge_record_files(versions, path.name)
        parse_record(versions[1], path.name)
        self.unread[name] = None
        return versions[1]


def _without_programs(settings: Iterable[str]) -> Iterator[str]:
    """Yield options that turn off the filters and merge drivers of these settings."""
    for name in settings:
        if name.startswith("filter."):
            yield from ("-c", f"{name}={'false' if name.endswith('.required') else ''}")
        elif re.fullmatch(r"merge\..*\.driver", name) and name != _DRIVER:
            yield from ("-c", f"{name}=git merge-file %A %O %B")


def _driver() -> str:
    """Return the command of git's merge driver."""
    return f"{shlex.join(own_command())} --quiet merge-file %O %A %B --path %P"


def foreign_paths(
    entries: Iterable[tuple[str, str]], prefix: str, documents: Iterable[str]
) -> list[str]:
    """Return messages about entries (mode and path) of a tree that papertrack refuses.

    These are links and unexpected files where papertrack reads and writes. Paths that lead out, or
    into ``.git``, are refused by git.
    """
    names = (*TABLES, *documents, SETTINGS_FILE, *(f"{name}/x" for name in FOLDERS))
    plain = {_in_tree(prefix, name) for name in names}
    above = {start for path in plain for start in _prefixes(path)[:-1]}
    plain |= {".gitattributes", ".gitmodules", f"{prefix}.gitattributes"}
    folders = tuple(f"{prefix}{name}/" for name in FOLDERS)
    spellings = {path.casefold(): path for path in plain | above}
    problems = []
    for mode, path in entries:
        is_ours = path in plain or path.startswith(folders)
        if path in above or (is_ours and mode not in _PLAIN):
            problems.append(f"{path}, which is {_KINDS.get(mode, 'a link')}")
        spelling_of = spellings.setdefault if is_ours else spellings.get
        for start in _prefixes(path):
            if (first := spelling_of(start.casefold(), start)) != start:
                problems.append(f"{path}, whose name differs from {first} only in capitals")
    return problems


def _prefixes(path: str) -> list[str]:
    """Return the folders above a path, and the path itself."""
    return list(accumulate(path.split("/"), "{}/{}".format))


def _in_tree(prefix: str, name: str) -> str:
    """Return a file's path in the repository; a document may be above the library."""
    return posixpath.normpath(prefix + name)


def _quoted(name: str, below: str = "") -> str:
    pattern = re.sub(r"([*?\[\]\\!#])", r"\\\1", name) + below
    return f'"/{pattern}"' if re.search(r'[\s"]', name) else f"/{pattern}"


def _remove_locks(git_dir: Path, since: float) -> None:
    """Remove the locks of a killed git, once no git is running any more."""
    while True:
        locks = {}
        for lock in (*git_dir.glob("*.lock"), *(git_dir / "refs").rglob("*.lock")):
            with suppress(FileNotFoundError):
                locks[lock] = lock.stat().st_mtime
        if all(time.time() - changed >= _LOCK_SECONDS for changed in locks.values()):
            break
        time.sleep(_LOCK_SECONDS / 10)
    for lock, changed in locks.items():
        if changed >= since - 1:
            lock.unlink(missing_ok=True)


def _put_lines(path: Path, lines: Sequence[str]) -> None:
    """Put lines between our markers in one of git's files; without lines remove the markers.

    Raises PapertrackError.
    """
    text = read_file(path).decode("utf-8", "replace") if path.exists() else ""
    before, _, rest = text.partition(_START + "\n")
    after = rest.partition(_END + "\n")[2]
    gap = "" if not before or before.endswith("\n") else "\n"
    block = gap + "\n".join([_START, *lines, _END, ""]) if lines else ""
    if before + block + after != text:
        write_file(path, (before + block + after).encode())


def exchange(
    library: Library, open_store: Callable[[], Store], work: Callable[[], bool]
) -> Exchanged:
    """Commit, fetch, merge, sync, commit and push; repeat if others pushed in the meantime.

    ``work`` syncs files and library, and returns whether everything may be pushed.

    Raises UsageError for a library that is not shared or not in a repository, PapertrackError
    for one that is not trusted, when git fails, and when others push first three times.
    """
    if not is_shared(library):
        raise UsageError("This library is not shared: `papertrack share on` shares it.")
    repository = Repository(library)
    repository.abort_merge()
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
    remote, branch = repository.branch()
    pulled, committed, is_pushed = 0, set[str](), False
    for _ in range(TRIES):
        may_push = work()
        with open_store() as store:
            documents = inside_documents(store)
            kinds = private_kinds(store, library, os.environ)
            paths = _committed_paths(store, library, kinds)
        repository.register(documents)
        committed.update(repository.commit(paths, bool(kinds)))
        if remote is None:
            break
        repository.run("fetch", "--quiet", remote, advice=_REACH)
        if count := repository.merge(f"refs/remotes/{remote}/{branch}", documents):
            pulled += count
            may_push = work()
            committed.update(repository.commit(paths, bool(kinds)))
        if not may_push:
            break
        target = remote, f"HEAD:refs/heads/{branch}"
        result = repository.ask("push", "--quiet", "--set-upstream", *target)
        if is_pushed := not result.code:
            break
    else:
        raise PapertrackError(
            f"`git push` failed {TRIES} times: {' '.join(result.message.split())[:300]}. "
            "Everything is committed: run this again."
        )
    lists = tuple(repository.unread), tuple(repository.kept)
    return Exchanged(pulled, tuple(sorted(committed)), is_pushed, remote is not None, *lists)


def _committed_paths(store: Store, library: Library, kinds: frozenset[str]) -> list[Path]:
    names = [PAPERS, *TABLES, "exports", "papertrack.toml"]
    if "notes" not in kinds:
        names.append("notes")
    paths = [library.root / name for name in names]
    paths += [path_of_name(library, name) for name in inside_documents(store)]
    real = [path.parent.resolve() / path.name for path in paths]
    return [path for path in real if path.exists()]


def rebuild(library: Library, now: Callable[[], datetime]) -> list[str]:
    """Create the database of a library that has only files, such as a clone; return messages.

    Raises PapertrackError when it cannot be created.
    """
    with Store.create(library.database, now=now) as store, store.transaction():
        db.begin_sharing(store)
    messages = [f"The database of {library.root} was built from its records."]
    lists = _tracked_lists(library)
    if lists:
        messages.append(
            f"{few(lists)} can be kept up to date here: `papertrack share on --document "
            f"{lists[0]}`."
        )
    if is_trusted(library):
        Repository(library).register(lists)
    else:
        messages.append(
            "git merges the records line by line until you run `papertrack config "
            f"--trust {library.root}` and `papertrack share on`."
        )
    return messages


def _tracked_lists(library: Library) -> list[str]:
    """Return READMEs and .bib files in the library's folder that could be its documents."""
    return sorted(
        path.name
        for path in library.root.iterdir()
        if path.is_file()
        and not path.is_symlink()
        and (path.name.lower() == "readme.md" or path.suffix.lower() in BIBTEX_SUFFIXES)
    )
