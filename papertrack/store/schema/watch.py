"""The tables of the nightly watch, as SQL. They change by new migrations only, as all do."""

from __future__ import annotations

WATCH_TABLES = (
    # What arXiv announced and watch saw, matched or not, for as long as the settings say. None of
    # this is the reader's doing, so none of it is journalled.
    """
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
    ) STRICT
    """,
    "CREATE INDEX announcements_by_paper ON announcements (arxiv_id)",
    "CREATE INDEX announcements_by_day ON announcements (announced_on)",
    # In which categories' lists an announcement stood: one batch of cs.LG also tells of cs.CL.
    """
    CREATE TABLE announcement_lists (
        category TEXT NOT NULL,
        announcement_id INTEGER NOT NULL REFERENCES announcements (id) ON DELETE CASCADE,
        PRIMARY KEY (category, announcement_id)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX announcement_lists_by_announcement ON announcement_lists (announcement_id)",
    # The days of a category of which everything is known.
    """
    CREATE TABLE announcement_days (
        category TEXT NOT NULL,
        day TEXT NOT NULL,
        source TEXT NOT NULL,
        announced INTEGER NOT NULL,
        PRIMARY KEY (category, day)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE watch_runs (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        at TEXT NOT NULL,
        day TEXT NOT NULL,
        finished_at TEXT
    ) STRICT
    """,
    """
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
    ) STRICT, WITHOUT ROWID
    """,
    # How far each topic has looked through the announcements, with the query it asked then.
    """
    CREATE TABLE topic_marks (
        topic_id INTEGER PRIMARY KEY,
        query TEXT NOT NULL,
        announcement_id INTEGER NOT NULL
    ) STRICT
    """,
    # Without a foreign key to topics: undoing the removal of a topic finds its matches again.
    """
    CREATE TABLE matches (
        topic_id INTEGER NOT NULL,
        announcement_id INTEGER NOT NULL REFERENCES announcements (id) ON DELETE CASCADE,
        reason TEXT NOT NULL,
        score REAL NOT NULL,
        PRIMARY KEY (topic_id, announcement_id)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX matches_by_announcement ON matches (announcement_id)",
    # A search of arXiv's past that is under way: everything submitted from reached on is done.
    """
    CREATE TABLE backfills (
        topic_id INTEGER PRIMARY KEY,
        query TEXT NOT NULL,
        since TEXT NOT NULL,
        reached TEXT NOT NULL
    ) STRICT
    """,
)

MISSED_DAYS = """
    CREATE TABLE missed_days (
        category TEXT NOT NULL,
        day TEXT NOT NULL,
        tries INTEGER NOT NULL,
        PRIMARY KEY (category, day)
    ) STRICT, WITHOUT ROWID
"""
"""How often the lists of a day were asked for and could not be read."""
