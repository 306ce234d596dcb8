-- The tables of a library, schema version 1. The triggers of the journal and of the search index
-- have makers of their own (triggers.py, index.py).

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
    paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
    is_given INTEGER NOT NULL DEFAULT 1 CHECK (is_given IN (0, 1))
) STRICT, WITHOUT ROWID;

CREATE INDEX citekey_aliases_by_paper ON citekey_aliases (paper_id);

CREATE TABLE authors (
    paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    affiliation TEXT,
    family TEXT,
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

CREATE TABLE field_sources (
    paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
    field TEXT NOT NULL,
    source TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (paper_id, field)
) STRICT, WITHOUT ROWID;

CREATE TABLE suggestions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- None of a proposal to add a paper.
    paper_id INTEGER REFERENCES papers (id) ON DELETE CASCADE,
    field TEXT NOT NULL,
    value TEXT NOT NULL,
    source TEXT NOT NULL,
    at TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'accepted', 'rejected')),
    UNIQUE (paper_id, field, value)
) STRICT;

CREATE TABLE paper_states (
    paper_id INTEGER PRIMARY KEY REFERENCES papers (id) ON DELETE CASCADE,
    decision TEXT NOT NULL DEFAULT 'saved'
        CHECK (decision IN ('inbox', 'saved', 'discarded')),
    decision_reason TEXT,
    decided_at TEXT,
    rating INTEGER CHECK (rating BETWEEN 1 AND 5),
    passes_done INTEGER NOT NULL DEFAULT 0 CHECK (passes_done BETWEEN 0 AND 3),
    in_hand_since TEXT,
    wish TEXT CHECK (wish IN ('more', 'less')),
    snoozed_until TEXT
) STRICT;

CREATE INDEX paper_states_by_view ON paper_states (decision, passes_done);

CREATE TABLE readings (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
    pass INTEGER NOT NULL CHECK (pass IN (1, 2, 3)),
    at TEXT,
    minutes INTEGER CHECK (minutes > 0),
    version INTEGER,
    takeaway TEXT,
    key TEXT NOT NULL DEFAULT (lower(hex(randomblob(5))))
) STRICT;

CREATE INDEX readings_by_paper ON readings (paper_id, pass);

-- A paper has done the highest pass that is recorded.
CREATE TRIGGER count_passes_insert AFTER INSERT ON readings
    BEGIN
        UPDATE paper_states SET passes_done = max(passes_done, new.pass)
        WHERE paper_id = new.paper_id;
    END;

CREATE TRIGGER count_passes_update AFTER UPDATE OF paper_id, pass ON readings
    BEGIN
        UPDATE paper_states SET passes_done =
            (SELECT ifnull(max(pass), 0) FROM readings r WHERE r.paper_id = paper_states.paper_id)
        WHERE paper_id IN (old.paper_id, new.paper_id);
    END;

CREATE TRIGGER count_passes_delete AFTER DELETE ON readings
    BEGIN
        UPDATE paper_states SET passes_done =
            (SELECT ifnull(max(pass), 0) FROM readings r WHERE r.paper_id = old.paper_id)
        WHERE paper_id = old.paper_id;
    END;

CREATE TABLE categories (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    parent_id INTEGER REFERENCES categories (id),
    name TEXT NOT NULL CHECK (name <> ''),
    position INTEGER NOT NULL,
    key TEXT
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

CREATE TABLE topics (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL COLLATE NOCASE UNIQUE CHECK (name <> ''),
    query TEXT NOT NULL,
    arxiv_categories TEXT NOT NULL DEFAULT '[]',
    has_cross_lists INTEGER NOT NULL DEFAULT 1 CHECK (has_cross_lists IN (0, 1)),
    category TEXT NOT NULL DEFAULT '[]',
    is_paused INTEGER NOT NULL DEFAULT 0 CHECK (is_paused IN (0, 1)),
    added TEXT NOT NULL,
    feeds TEXT NOT NULL DEFAULT '[]',
    key TEXT
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
    library TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'linked'
        CHECK (state IN ('linked', 'unsettled', 'unlinked', 'wanted', 'removed'))
) STRICT;

CREATE INDEX entries_by_document ON entries (document_id, position);

CREATE INDEX entries_by_paper ON entries (paper_id);

CREATE TABLE actions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    verb TEXT NOT NULL,
    summary TEXT NOT NULL,
    at TEXT NOT NULL,
    can_undo INTEGER NOT NULL CHECK (can_undo IN (0, 1)),
    state TEXT NOT NULL DEFAULT 'done' CHECK (state IN ('done', 'undone', 'superseded')),
    sitting TEXT NOT NULL
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

CREATE TABLE journal_state (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    action_id INTEGER,
    last_paper_id INTEGER NOT NULL
) STRICT;

CREATE TABLE note_texts (path TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT;

CREATE TABLE announcements (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    scheme TEXT NOT NULL DEFAULT 'arxiv',
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
    -- Of an item of a feed alone.
    paper_kind TEXT,
    url TEXT,
    submitted TEXT,
    venue TEXT,
    announced_on TEXT NOT NULL,
    source TEXT NOT NULL,
    seen_at TEXT NOT NULL
) STRICT;

CREATE INDEX announcements_by_paper ON announcements (arxiv_id);

CREATE INDEX announcements_by_day ON announcements (announced_on);

CREATE TABLE announcement_lists (
    category TEXT NOT NULL,
    announcement_id INTEGER NOT NULL REFERENCES announcements (id) ON DELETE CASCADE,
    PRIMARY KEY (category, announcement_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX announcement_lists_by_announcement ON announcement_lists (announcement_id);

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

CREATE TABLE topic_marks (
    topic_id INTEGER PRIMARY KEY,
    query TEXT NOT NULL,
    announcement_id INTEGER NOT NULL
) STRICT;

CREATE TABLE matches (
    topic_id INTEGER NOT NULL,
    announcement_id INTEGER NOT NULL REFERENCES announcements (id) ON DELETE CASCADE,
    reason TEXT NOT NULL,
    score REAL NOT NULL,
    PRIMARY KEY (topic_id, announcement_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX matches_by_announcement ON matches (announcement_id);

CREATE TABLE backfills (
    topic_id INTEGER PRIMARY KEY,
    query TEXT NOT NULL,
    until TEXT NOT NULL,
    reached TEXT NOT NULL
) STRICT;

-- What this machine knows of each feed; ``newest`` is the name of an item and a time.
CREATE TABLE feeds (
    name TEXT PRIMARY KEY,
    etag TEXT NOT NULL DEFAULT '',
    modified TEXT NOT NULL DEFAULT '',
    moved_to TEXT,
    redirect TEXT,
    newest TEXT,
    looked_on TEXT,
    failed INTEGER,
    failed_since TEXT
) STRICT, WITHOUT ROWID;

-- What each feed has ever shown, announced or not.
CREATE TABLE feed_items (
    feed TEXT NOT NULL,
    item TEXT NOT NULL,
    at TEXT,
    shown_on TEXT NOT NULL,
    PRIMARY KEY (feed, item)
) STRICT, WITHOUT ROWID;

CREATE TABLE missed_days (
    category TEXT NOT NULL,
    day TEXT NOT NULL,
    tries INTEGER NOT NULL,
    PRIMARY KEY (category, day)
) STRICT, WITHOUT ROWID;

-- What the reader was told that a document has no place for.
CREATE TABLE told (
    document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    about TEXT NOT NULL,
    PRIMARY KEY (document_id, about)
) STRICT, WITHOUT ROWID;

CREATE INDEX papers_in_hand ON paper_states (in_hand_since, paper_id)
    WHERE in_hand_since IS NOT NULL;

CREATE TRIGGER entry_of_removed_paper AFTER UPDATE OF paper_id ON entries
    WHEN old.paper_id IS NOT NULL AND new.paper_id IS NULL AND old.state <> 'unlinked'
    BEGIN
        UPDATE entries SET state = 'removed' WHERE id = new.id;
    END;

CREATE TABLE in_step (
    document_id INTEGER PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE,
    digest TEXT NOT NULL,
    reader TEXT NOT NULL,
    at TEXT NOT NULL,
    is_written INTEGER NOT NULL CHECK (is_written IN (0, 1)),
    report TEXT NOT NULL
) STRICT;

CREATE TABLE written_files (
    name TEXT PRIMARY KEY,
    digest TEXT NOT NULL,
    intent TEXT NOT NULL,
    former TEXT
) STRICT, WITHOUT ROWID;

-- With row ids: without them each text longer than a quarter of a page gets pages of its own.
CREATE TABLE originals (
    paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
    source TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (paper_id, source)
) STRICT;

-- Keeps no texts of its own: they are in the tables (see index.py). No index of prefixes either: it
-- would double the size and save 0.2 s in 100,000 papers.
CREATE VIRTUAL TABLE search USING fts5 (
    title, authors, abstract, takeaways, tags, notes,
    content = '', tokenize = 'unicode61 remove_diacritics 2'
);

-- Papers that are not in the index while a transaction changes their texts.
CREATE TABLE unindexed (paper_id INTEGER PRIMARY KEY) STRICT;

CREATE TABLE share_self (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    private TEXT,
    last_look TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE TABLE paper_records (
    name TEXT PRIMARY KEY,
    paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX paper_records_by_paper ON paper_records (paper_id);

CREATE TABLE record_files (
    name TEXT PRIMARY KEY,
    text TEXT NOT NULL,
    base TEXT,
    same_as TEXT NOT NULL DEFAULT '[]',
    is_removed INTEGER NOT NULL DEFAULT 0,
    has_conflicts INTEGER NOT NULL DEFAULT 0,
    stamp TEXT NOT NULL DEFAULT '',
    problem TEXT
) STRICT;

CREATE TABLE replaced_files (
    action_id INTEGER PRIMARY KEY REFERENCES actions (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    old BLOB NOT NULL,
    new BLOB NOT NULL
) STRICT;

CREATE TABLE versions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    digest TEXT NOT NULL,
    lines BLOB NOT NULL,
    entries BLOB NOT NULL,
    is_ours INTEGER NOT NULL CHECK (is_ours IN (0, 1))
) STRICT;

CREATE TABLE version_moments (
    version_id INTEGER NOT NULL REFERENCES versions (id) ON DELETE CASCADE,
    done TEXT NOT NULL,
    PRIMARY KEY (version_id, done)
) STRICT, WITHOUT ROWID;

CREATE TABLE texts (
    id INTEGER PRIMARY KEY,
    document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    digest BLOB NOT NULL,
    text BLOB NOT NULL,
    UNIQUE (document_id, digest)
) STRICT;

CREATE INDEX versions_by_document ON versions (document_id, id);

CREATE TABLE forgotten (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    term TEXT NOT NULL UNIQUE CHECK (term <> '')
) STRICT;

CREATE TABLE rank_model (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    learnt_from TEXT NOT NULL,
    learnt_at TEXT NOT NULL,
    decisions INTEGER NOT NULL,
    is_sided INTEGER NOT NULL,
    model TEXT NOT NULL
) STRICT;

CREATE TABLE ranks (
    paper_id INTEGER PRIMARY KEY REFERENCES papers (id) ON DELETE CASCADE,
    score REAL NOT NULL,
    words TEXT NOT NULL,
    authors TEXT NOT NULL
) STRICT;

CREATE TABLE publication_looks (
    paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
    source TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (paper_id, source)
) STRICT, WITHOUT ROWID;

CREATE INDEX papers_by_dates ON papers (id, announced, added);

CREATE INDEX papers_snoozed ON paper_states (snoozed_until) WHERE snoozed_until IS NOT NULL;

CREATE INDEX changes_by_action ON changes (action_id);

CREATE INDEX changes_by_paper ON changes (paper_id);

CREATE TABLE shown_citekeys (paper_id INTEGER PRIMARY KEY) STRICT;

-- Above every paper's id: outside an action the journal refuses every write.
INSERT INTO journal_state (id, last_paper_id) VALUES (1, 4611686018427387904);
