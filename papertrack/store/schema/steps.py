"""What each later release made of the tables. A released step changes by a new one, never here."""

from __future__ import annotations

# Those of the nightly watch: what arXiv announced and watch saw, matched or not, for as long as the
# settings say. None of this is the reader's doing, so none of it is journalled.
WATCH_TABLES = """
    CREATE TABLE announcements (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        arxiv_id TEXT NOT NULL,
        version INTEGER CHECK (version >= 1),
        kind TEXT NOT NULL CHECK (kind IN ('new', 'cross', 'replace', 'replace-cross')),
        title TEXT NOT NULL,
        abstract TEXT NOT NULL,
        authors TEXT NOT NULL,
        arxiv_categories TEXT NOT NULL,
        comment TEXT,
        journal_ref TEXT,
        doi TEXT,
        licence TEXT,
        announced_on TEXT NOT NULL,
        source TEXT NOT NULL,
        seen_at TEXT NOT NULL
    ) STRICT;

    CREATE INDEX announcements_by_paper ON announcements (arxiv_id);

    CREATE INDEX announcements_by_day ON announcements (announced_on);

    -- In which categories' lists an announcement stood: one batch of cs.LG also tells of cs.CL.
    CREATE TABLE announcement_lists (
        category TEXT NOT NULL,
        announcement_id INTEGER NOT NULL REFERENCES announcements (id) ON DELETE CASCADE,
        PRIMARY KEY (category, announcement_id)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX announcement_lists_by_announcement ON announcement_lists (announcement_id);

    -- The days of a category of which everything is known.
    CREATE TABLE announcement_days (
        category TEXT NOT NULL,
        day TEXT NOT NULL,
        source TEXT NOT NULL,
        announced INTEGER NOT NULL,
        PRIMARY KEY (category, day)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE watch_runs (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        at TEXT NOT NULL,
        day TEXT NOT NULL,
        finished_at TEXT
    ) STRICT;

    CREATE TABLE watch_looks (
        run_id INTEGER NOT NULL REFERENCES watch_runs (id) ON DELETE CASCADE,
        category TEXT NOT NULL,
        state TEXT NOT NULL CHECK (
            state IN ('new', 'quiet', 'nothing-announced', 'stale', 'could-not-look')),
        announced INTEGER NOT NULL,
        unseen INTEGER NOT NULL,
        matched INTEGER NOT NULL DEFAULT 0,
        failed TEXT NOT NULL DEFAULT '[]',
        last_new_id TEXT,
        batch TEXT,
        PRIMARY KEY (run_id, category)
    ) STRICT, WITHOUT ROWID;

    -- How far each topic has looked through the announcements, with the query it asked then.
    CREATE TABLE topic_marks (
        topic_id INTEGER PRIMARY KEY,
        query TEXT NOT NULL,
        announcement_id INTEGER NOT NULL
    ) STRICT;

    -- Without a foreign key to topics: undoing the removal of a topic finds its matches again.
    CREATE TABLE matches (
        topic_id INTEGER NOT NULL,
        announcement_id INTEGER NOT NULL REFERENCES announcements (id) ON DELETE CASCADE,
        reason TEXT NOT NULL,
        score REAL NOT NULL,
        PRIMARY KEY (topic_id, announcement_id)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX matches_by_announcement ON matches (announcement_id);

    -- A search of arXiv's past that is under way: everything submitted from reached on is done.
    CREATE TABLE backfills (
        topic_id INTEGER PRIMARY KEY,
        query TEXT NOT NULL,
        since TEXT NOT NULL,
        reached TEXT NOT NULL
    ) STRICT;
"""

# What an export took out of a file, so that it can be put back as it was: the entry as it was
# remembered, and the pieces of the text. No doing of the reader's, so it is not journalled.
REMOVED_ENTRIES = """
    CREATE TABLE removed_entries (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
        category TEXT NOT NULL,
        key TEXT NOT NULL,
        text TEXT NOT NULL,
        base TEXT NOT NULL,
        library TEXT NOT NULL,
        pieces TEXT NOT NULL
    ) STRICT;

    CREATE INDEX removed_entries_by_document ON removed_entries (document_id);
"""

MISSED_DAYS = """
    CREATE TABLE missed_days (
        category TEXT NOT NULL,
        day TEXT NOT NULL,
        tries INTEGER NOT NULL,
        PRIMARY KEY (category, day)
    ) STRICT, WITHOUT ROWID
"""
"""How often the lists of a day were asked for and could not be read."""

REFUSED_ROWS = """
    CREATE TABLE refused_rows (
        document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
        paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        category TEXT NOT NULL,
        reason TEXT NOT NULL,
        PRIMARY KEY (document_id, paper_id, category)
    ) STRICT, WITHOUT ROWID
"""
"""New rows that a document has no place for, as the reader was told."""

FORMER_TEXTS = """
    CREATE TABLE former_texts (
        entry_id INTEGER NOT NULL REFERENCES entries (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        text TEXT NOT NULL,
        base TEXT NOT NULL,
        replaced_by TEXT NOT NULL,
        pieces TEXT NOT NULL,
        comment TEXT,
        PRIMARY KEY (entry_id, position)
    ) STRICT, WITHOUT ROWID
"""
"""What entries were before exports edited them, oldest first, and what that said."""

PAPERS_IN_HAND = """
    CREATE INDEX papers_in_hand ON paper_states (in_hand_since, paper_id)
    WHERE in_hand_since IS NOT NULL
"""
"""A handful among all papers, which each start and each change looks for."""

ENTRY_STATES = """
    ALTER TABLE entries ADD COLUMN state TEXT NOT NULL DEFAULT 'linked'
    CHECK (state IN ('linked', 'unsettled', 'unlinked', 'wanted', 'removed'));

    ALTER TABLE entries ADD COLUMN refused TEXT NOT NULL DEFAULT '{}';

    ALTER TABLE entries ADD COLUMN held_in TEXT;

    -- However a paper is removed, by its command or by undoing what added it.
    CREATE TRIGGER entry_of_removed_paper AFTER UPDATE OF paper_id ON entries
    WHEN old.paper_id IS NOT NULL AND new.paper_id IS NULL AND old.state <> 'unlinked'
    BEGIN
        UPDATE entries SET state = 'removed' WHERE id = new.id;
    END;
"""
"""What an entry is, and what the reader was told about it (see ``store.documents``)."""

# What an entry was before an export edited it (entry_id, replaced_by) or took it out of the file
# (neither): its text, what that said, and the changed pieces of the file with their neighbours. No
# doing of the reader's, so it is not journalled.
HISTORY = """
    CREATE TABLE history (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
        entry_id INTEGER REFERENCES entries (id) ON DELETE CASCADE,
        key TEXT NOT NULL,
        category TEXT NOT NULL,
        text TEXT NOT NULL,
        base TEXT NOT NULL,
        library TEXT NOT NULL,
        replaced_by TEXT,
        hunks TEXT NOT NULL
    ) STRICT;

    CREATE INDEX history_by_document ON history (document_id, id);

    CREATE INDEX history_by_entry ON history (entry_id) WHERE entry_id IS NOT NULL;
"""

# Of each document: the bytes and the library as they were when nothing was left to do. Found out
# anew at any time, so it is not journalled.
IN_STEP = """
    CREATE TABLE in_step (
        document_id INTEGER PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE,
        digest TEXT NOT NULL,
        reader TEXT NOT NULL,
        read_at TEXT NOT NULL,
        written_at TEXT,
        waiting TEXT NOT NULL,
        told TEXT NOT NULL
    ) STRICT
"""

# What papertrack wrote last into each file that it replaces whole, and the intent it had. No doing
# of the reader's, so it is not journalled.
WRITTEN_FILES = """
    CREATE TABLE written_files (
        name TEXT PRIMARY KEY,
        digest TEXT NOT NULL,
        intent TEXT NOT NULL
    ) STRICT, WITHOUT ROWID
"""

FORMER_DIGESTS = "ALTER TABLE written_files ADD COLUMN former TEXT"
"""What a file held that papertrack wrote, before what it is about to write: a run that is killed
between the two leaves the one or the other."""

# The terminal session in which an action was done, which undo asks about. No doing of the reader's,
# so it is not journalled.
SITTINGS = """
    CREATE TABLE sittings (
        action_id INTEGER PRIMARY KEY REFERENCES actions (id) ON DELETE CASCADE,
        sitting TEXT NOT NULL
    ) STRICT
"""

# A search that is done is kept too: which days it asked about, from reached to until. An older
# papertrack did not note the latter.
SEARCHED_DAYS = """
    ALTER TABLE backfills RENAME COLUMN since TO until;

    UPDATE backfills SET until = reached;
"""

# What files of others held that an action replaced, and what was written in their place, for undo
# and redo.
REPLACED_FILES = """
    CREATE TABLE replaced_files (
        action_id INTEGER PRIMARY KEY REFERENCES actions (id) ON DELETE CASCADE,
        name TEXT NOT NULL,
        old BLOB NOT NULL,
        new BLOB NOT NULL
    ) STRICT
"""

VERSIONS = """
    CREATE TABLE versions (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
        digest TEXT NOT NULL,
        undone TEXT NOT NULL,
        lines TEXT NOT NULL,
        entries TEXT NOT NULL
    ) STRICT;

    CREATE INDEX versions_by_document ON versions (document_id, id);
"""
"""What documents were before exports wrote them (see ``store.files.versions``)."""

PACKED_VERSIONS = """
    CREATE TABLE packed_versions (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
        digest TEXT NOT NULL,
        undone TEXT NOT NULL,
        lines BLOB NOT NULL,
        entries BLOB NOT NULL
    ) STRICT;

    INSERT INTO packed_versions
    SELECT id, document_id, digest, undone, packed(lines), packed(entries)
    FROM versions ORDER BY id;

    DROP TABLE versions;

    ALTER TABLE packed_versions RENAME TO versions;

    CREATE INDEX versions_by_document ON versions (document_id, id);
"""
"""The same, compressed."""

SEARCH = """
    CREATE VIRTUAL TABLE search USING fts5 (
        title, authors, abstract, takeaways, tags, notes,
        content = '', tokenize = 'unicode61 remove_diacritics 2'
    );
"""
"""The index without texts of its own (see ``store.index``). Beginnings of words have none of their
own either: those of two letters and three would double it, and save a filter of one or two letters
0.2 s in 100,000 papers, and one of three 0.03 s."""

UNINDEXED = "CREATE TABLE unindexed (paper_id INTEGER PRIMARY KEY) STRICT"
"""Papers that are not in the index while a transaction changes their texts."""

# Word for word as before, but with room for a long text in its row: a table without row ids gives
# each that is longer than a quarter of a page pages of its own.
ORIGINALS = """
    CREATE TABLE roomy (
        paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        source TEXT NOT NULL,
        text TEXT NOT NULL,
        PRIMARY KEY (paper_id, source)
    ) STRICT;

    INSERT INTO roomy SELECT * FROM originals ORDER BY paper_id, source;

    DROP TABLE originals;

    ALTER TABLE roomy RENAME TO originals;
"""

SHARING = """
    -- The device that writes here; none in a library that is not shared.
    CREATE TABLE share_self (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        device TEXT NOT NULL
    ) STRICT;

    -- What rows are called on every device. After a join a row may have several names.
    CREATE TABLE share_names (
        name TEXT PRIMARY KEY,
        table_name TEXT NOT NULL,
        row_id INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX share_names_by_row ON share_names (table_name, row_id);

    -- What all logs say of each thing that were taken in: cell, and its heads.
    CREATE TABLE share_things (name TEXT PRIMARY KEY, cells TEXT NOT NULL) STRICT;

    CREATE TABLE share_acts (
        device TEXT NOT NULL,
        number INTEGER NOT NULL,
        saw TEXT NOT NULL,
        action_id INTEGER,
        is_foreign INTEGER NOT NULL CHECK (is_foreign IN (0, 1)),
        PRIMARY KEY (device, number)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX share_acts_by_action ON share_acts (action_id);

    CREATE TABLE share_lines (
        device TEXT NOT NULL,
        number INTEGER NOT NULL,
        thing TEXT NOT NULL,
        PRIMARY KEY (device, number, thing)
    ) STRICT, WITHOUT ROWID;

    -- How far each log was read: its size and last bytes then, and what of it could not be read.
    CREATE TABLE share_logs (
        path TEXT PRIMARY KEY,
        size INTEGER NOT NULL,
        tail BLOB NOT NULL,
        unreadable INTEGER NOT NULL,
        waiting INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- What belongs into the log of this device, and where: a killed run may not have written it.
    CREATE TABLE share_outbox (
        path TEXT NOT NULL,
        start INTEGER NOT NULL,
        text TEXT NOT NULL,
        PRIMARY KEY (path, start)
    ) STRICT, WITHOUT ROWID;
"""
"""A library on several devices (see ``store.share``). Found out anew from the logs, so it is not
journalled."""

PRIVATE = "ALTER TABLE share_self ADD COLUMN private TEXT NOT NULL DEFAULT '[]'"
"""Which kinds of what the reader notes stay on this device (see ``store.share.private``)."""

RANKING = """
    -- What the reader wants more or less of, besides what was decided.
    ALTER TABLE paper_states ADD COLUMN wish TEXT CHECK (wish IN ('more', 'less'));

    -- Words, pairs of words and authors (after an @) that shall say nothing in the ranking.
    CREATE TABLE forgotten (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        term TEXT NOT NULL UNIQUE CHECK (term <> '')
    ) STRICT;

    -- What was learnt from the decisions, and from which. Found out anew, so it is not journalled.
    CREATE TABLE rank_model (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        learnt_from TEXT NOT NULL,
        learnt_at TEXT NOT NULL,
        model TEXT NOT NULL
    ) STRICT;

    -- How the papers of the inbox are ranked by it, with reasons.
    CREATE TABLE ranks (
        paper_id INTEGER PRIMARY KEY REFERENCES papers (id) ON DELETE CASCADE,
        score REAL NOT NULL,
        words TEXT NOT NULL,
        authors TEXT NOT NULL
    ) STRICT;
"""
"""The ranking (see ``store.watch.ranks``)."""

LOOKS = """
    -- Which service was asked last, and when, where a paper was published. An answer of a network,
    -- not a doing of the reader's, so it is not journalled.
    CREATE TABLE publication_looks (
        paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        source TEXT NOT NULL,
        at TEXT NOT NULL,
        PRIMARY KEY (paper_id, source)
    ) STRICT, WITHOUT ROWID;
"""
"""Looking where papers were published (see ``store.publications``)."""

SNOOZE = "ALTER TABLE paper_states ADD COLUMN snoozed_until TEXT"
"""The day until which a paper is in no list of what is due."""

DATES = "CREATE INDEX papers_by_dates ON papers (id, announced, added)"
"""Lists are sorted by it: beside the abstracts, dates lie far from each other."""

FORMER_NAMES = """
    -- What rows of a shared library were called that went, or whose name another row took: should
    -- they come back, they are known by it.
    CREATE TABLE share_former_names (
        table_name TEXT NOT NULL,
        row_id INTEGER NOT NULL,
        name TEXT NOT NULL,
        PRIMARY KEY (table_name, row_id, name)
    ) STRICT, WITHOUT ROWID;
"""
"""Names of a shared library that rows lost (see ``store.share.names``)."""

SHORT_INDEXES = """
    CREATE INDEX papers_snoozed ON paper_states (snoozed_until) WHERE snoozed_until IS NOT NULL;

    -- An index holds the number of its row in any case.
    DROP INDEX changes_by_action;

    CREATE INDEX changes_by_action ON changes (action_id);

    DROP INDEX changes_by_paper;

    CREATE INDEX changes_by_paper ON changes (paper_id);
"""
"""Papers that wait are counted with the first (see ``store.states``); the others take less room."""

SHOWN_CITEKEYS = """
    -- Papers whose citekey was shown to be copied. No doing of the reader's, so it is not
    -- journalled: a paper that undo brings back is still here.
    CREATE TABLE shown_citekeys (paper_id INTEGER PRIMARY KEY) STRICT;
"""
"""Beside the papers: to note it there, an export would write all of them anew (see
``store.citekeys``)."""

TOLD_CITEKEYS = """
    -- Until now devices told as one that a key was typed and that it was shown.
    UPDATE papers SET is_citekey_given = 1
    WHERE id IN (SELECT paper_id FROM shown_citekeys) AND EXISTS (SELECT 1 FROM share_self);

    DELETE FROM shown_citekeys WHERE EXISTS (SELECT 1 FROM share_self);
"""
"""What a shared library holds of citekeys is what its logs said of them (see
``store.share.layout``)."""

LINES_APART = """
    -- The lines of the logs that were taken in. Where two devices have one name without knowing of
    -- it, their acts have the same numbers: what tells such lines apart is a digest of what each
    -- says, nothing of those that were taken in before that was kept.
    CREATE TABLE share_apart (
        device TEXT NOT NULL,
        number INTEGER NOT NULL,
        thing TEXT NOT NULL,
        said BLOB NOT NULL,
        PRIMARY KEY (device, number, thing, said)
    ) STRICT, WITHOUT ROWID;

    INSERT INTO share_apart SELECT device, number, thing, x'' FROM share_lines;

    DROP TABLE share_lines;

    ALTER TABLE share_apart RENAME TO share_lines;
"""
"""Acts of one name (see ``store.share.kept``)."""
