"""The tables that the first libraries had. They change by a new step (``steps``), never here."""

from __future__ import annotations

TABLES = """
    -- What sources say about a paper. What the reader decided is in paper_states.
    CREATE TABLE papers (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        kind TEXT NOT NULL DEFAULT 'paper'
            CHECK (kind IN ('paper', 'post', 'project', 'resource')),
        citekey TEXT NOT NULL COLLATE NOCASE UNIQUE CHECK (citekey <> ''),
        is_citekey_given INTEGER NOT NULL DEFAULT 0 CHECK (is_citekey_given IN (0, 1)),
        title TEXT,
        title_key TEXT,
        abstract TEXT,
        description TEXT,
        submitted TEXT,
        updated TEXT,
        announced TEXT,
        version INTEGER CHECK (version >= 1),
        primary_category TEXT,
        arxiv_categories TEXT NOT NULL DEFAULT '[]',
        comment TEXT,
        journal_ref TEXT,
        venue TEXT,
        year INTEGER,
        published_type TEXT,
        publication TEXT NOT NULL DEFAULT '[]',
        licence TEXT,
        is_withdrawn INTEGER CHECK (is_withdrawn IN (0, 1)),
        added TEXT NOT NULL
    ) STRICT;

    CREATE INDEX papers_by_title_key ON papers (title_key);

    CREATE INDEX papers_by_added ON papers (added);

    -- One work, many names. The first of a scheme (lowest position) is the one that is shown.
    CREATE TABLE identifiers (
        scheme TEXT NOT NULL,
        value TEXT NOT NULL,
        paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        position INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (scheme, value)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX identifiers_by_paper ON identifiers (paper_id, scheme, position);

    CREATE TABLE citekey_aliases (
        alias TEXT PRIMARY KEY COLLATE NOCASE,
        paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX citekey_aliases_by_paper ON citekey_aliases (paper_id);

    CREATE TABLE authors (
        paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        name TEXT NOT NULL,
        affiliation TEXT,
        PRIMARY KEY (paper_id, position)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE links (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        role TEXT NOT NULL,
        url TEXT NOT NULL,
        label TEXT,
        UNIQUE (paper_id, role, url)
    ) STRICT;

    -- Which source gave a field, and when; 'user' means that no source may overwrite it.
    CREATE TABLE field_sources (
        paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        field TEXT NOT NULL,
        source TEXT NOT NULL,
        at TEXT NOT NULL,
        PRIMARY KEY (paper_id, field)
    ) STRICT, WITHOUT ROWID;

    -- What a source said against a value that stays: the reader accepts or rejects it.
    CREATE TABLE suggestions (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        field TEXT NOT NULL,
        value TEXT NOT NULL,
        source TEXT NOT NULL,
        at TEXT NOT NULL,
        state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'accepted', 'rejected')),
        UNIQUE (paper_id, field, value)
    ) STRICT;

    -- The text of a record as its source had it, kept whole: a .bib entry with its odd fields.
    CREATE TABLE originals (
        paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        source TEXT NOT NULL,
        text TEXT NOT NULL,
        PRIMARY KEY (paper_id, source)
    ) STRICT, WITHOUT ROWID;

    -- What the reader decided and did.
    CREATE TABLE paper_states (
        paper_id INTEGER PRIMARY KEY REFERENCES papers (id) ON DELETE CASCADE,
        decision TEXT NOT NULL DEFAULT 'saved'
            CHECK (decision IN ('inbox', 'saved', 'discarded')),
        decision_reason TEXT,
        decided_at TEXT,
        rating INTEGER CHECK (rating BETWEEN 1 AND 5),
        passes_done INTEGER NOT NULL DEFAULT 0 CHECK (passes_done BETWEEN 0 AND 3),
        in_hand_since TEXT
    ) STRICT;

    CREATE INDEX paper_states_by_view ON paper_states (decision, passes_done);

    CREATE TABLE readings (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        pass INTEGER NOT NULL CHECK (pass IN (1, 2, 3)),
        at TEXT,
        minutes INTEGER CHECK (minutes > 0),
        version INTEGER,
        takeaway TEXT
    ) STRICT;

    CREATE INDEX readings_by_paper ON readings (paper_id, pass);

    CREATE TABLE categories (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        parent_id INTEGER REFERENCES categories (id),
        name TEXT NOT NULL CHECK (name <> ''),
        position INTEGER NOT NULL
    ) STRICT;

    CREATE UNIQUE INDEX categories_by_name ON categories (ifnull(parent_id, 0), name);

    CREATE TABLE paper_categories (
        paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        category_id INTEGER NOT NULL REFERENCES categories (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        PRIMARY KEY (paper_id, category_id)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX paper_categories_by_category ON paper_categories (category_id, position);

    CREATE TABLE tags (
        paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        tag TEXT NOT NULL COLLATE NOCASE CHECK (tag <> ''),
        PRIMARY KEY (paper_id, tag)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX tags_by_tag ON tags (tag);

    -- One note file may serve several papers: the path is shared, the file is one.
    CREATE TABLE notes (
        paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        path TEXT NOT NULL,
        position INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (paper_id, path)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE different (
        paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        other_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        PRIMARY KEY (paper_id, other_id),
        CHECK (paper_id < other_id)
    ) STRICT, WITHOUT ROWID;

    -- Standing queries, and which of them found a paper, and why.
    CREATE TABLE topics (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL COLLATE NOCASE UNIQUE CHECK (name <> ''),
        query TEXT NOT NULL,
        arxiv_categories TEXT NOT NULL DEFAULT '[]',
        has_cross_lists INTEGER NOT NULL DEFAULT 1 CHECK (has_cross_lists IN (0, 1)),
        category TEXT NOT NULL DEFAULT '[]',
        is_paused INTEGER NOT NULL DEFAULT 0 CHECK (is_paused IN (0, 1)),
        added TEXT NOT NULL
    ) STRICT;

    CREATE TABLE paper_topics (
        paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        topic_id INTEGER NOT NULL REFERENCES topics (id) ON DELETE CASCADE,
        reason TEXT NOT NULL,
        score REAL NOT NULL,
        found_at TEXT NOT NULL,
        PRIMARY KEY (paper_id, topic_id)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX paper_topics_by_topic ON paper_topics (topic_id);

    -- A README or .bib file that the library feeds, and each place in it that names a paper.
    -- base is what the file last said of the entry, library what the library then said: whichever
    -- differs later is the side that changed.
    CREATE TABLE documents (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        path TEXT NOT NULL UNIQUE,
        kind TEXT NOT NULL CHECK (kind IN ('markdown', 'bibtex')),
        title TEXT,
        settings TEXT NOT NULL DEFAULT '{}',
        digest TEXT NOT NULL,
        synced_at TEXT NOT NULL
    ) STRICT;

    CREATE TABLE entries (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
        paper_id INTEGER REFERENCES papers (id) ON DELETE SET NULL,
        position INTEGER NOT NULL,
        key TEXT NOT NULL,
        category TEXT NOT NULL DEFAULT '[]',
        text TEXT NOT NULL,
        base TEXT NOT NULL,
        library TEXT NOT NULL
    ) STRICT;

    CREATE INDEX entries_by_document ON entries (document_id, position);

    CREATE INDEX entries_by_paper ON entries (paper_id);

    -- The journal: one row for each thing the user did, and what it changed.
    CREATE TABLE actions (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        verb TEXT NOT NULL,
        summary TEXT NOT NULL,
        at TEXT NOT NULL,
        can_undo INTEGER NOT NULL CHECK (can_undo IN (0, 1)),
        state TEXT NOT NULL DEFAULT 'done' CHECK (state IN ('done', 'undone', 'superseded'))
    ) STRICT;

    CREATE INDEX actions_by_state ON actions (state, id);

    CREATE TABLE changes (
        id INTEGER PRIMARY KEY,
        action_id INTEGER NOT NULL REFERENCES actions (id),
        paper_id INTEGER,
        table_name TEXT NOT NULL,
        row_key TEXT NOT NULL,
        operation TEXT NOT NULL CHECK (operation IN ('insert', 'update', 'delete')),
        old TEXT,
        new TEXT
    ) STRICT;

    CREATE INDEX changes_by_action ON changes (action_id, id);

    CREATE INDEX changes_by_paper ON changes (paper_id, id);

    -- The action that writes belong to. Rows of papers newer than last_paper_id need no journal of
    -- their own: undo takes such a paper away whole. -1 while undo or redo put rows back.
    CREATE TABLE journal_state (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        action_id INTEGER,
        last_paper_id INTEGER NOT NULL
    ) STRICT;

    -- Text of note files as last read, so that a search needs no file.
    CREATE TABLE note_texts (path TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT;

    -- Filled by store.index: Chinese, Japanese and Korean characters are indexed one by one.
    CREATE VIRTUAL TABLE search USING fts5 (
        title, authors, abstract, takeaways, tags, notes,
        tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
    );
"""
