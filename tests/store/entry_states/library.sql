CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);
INSERT INTO "_sqlite_migrations" VALUES (1,'papertrack','m001_initial','2026-11-22 04:42:38.915394+00:00');
INSERT INTO "_sqlite_migrations" VALUES (2,'papertrack','m002_watch','2026-11-22 04:42:38.916293+00:00');
INSERT INTO "_sqlite_migrations" VALUES (3,'papertrack','m003_family_names','2026-11-22 04:42:38.918140+00:00');
INSERT INTO "_sqlite_migrations" VALUES (4,'papertrack','m004_removed_entries','2026-11-22 04:42:38.918377+00:00');
INSERT INTO "_sqlite_migrations" VALUES (5,'papertrack','m005_missed_days','2026-11-22 04:42:38.918514+00:00');
INSERT INTO "_sqlite_migrations" VALUES (6,'papertrack','m006_refused_rows','2026-11-22 04:42:38.918629+00:00');
INSERT INTO "_sqlite_migrations" VALUES (7,'papertrack','m007_former_texts','2026-11-22 04:42:38.918741+00:00');
INSERT INTO "_sqlite_migrations" VALUES (8,'papertrack','m008_in_hand','2026-11-22 04:42:38.918850+00:00');
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
    ) STRICT
    ;
INSERT INTO "papers" VALUES (1,'paper','patient2024sort',0,'A Patient Sort for Long Lists','apatientsortforlonglists',NULL,NULL,'2024-01',NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,'2026-01-05T08:02:00+00:00');
INSERT INTO "papers" VALUES (2,'paper','two2024piles',0,'Two Piles Are Enough','twopilesareenough',NULL,NULL,'2024-02',NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,'2026-01-05T08:02:00+00:00');
INSERT INTO "papers" VALUES (4,'paper','lamp05',1,'A Lamp for Lost Papers','alampforlostpapers',NULL,NULL,'2024-05',NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL,2024,'article','[]',NULL,NULL,'2026-01-05T08:02:00+00:00');
INSERT INTO "papers" VALUES (5,'paper','ask2024librarian',0,'Ask a Librarian First','askalibrarianfirst',NULL,NULL,'2024-06',NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,'2026-01-05T08:02:00+00:00');
INSERT INTO "papers" VALUES (6,'resource','drawerproblem',0,'The Drawer Problem','thedrawerproblem',NULL,NULL,NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,'2026-01-05T08:02:00+00:00');
INSERT INTO "papers" VALUES (7,'paper','cards',1,'Cards before Computers','cardsbeforecomputers',NULL,NULL,NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL,1931,'book','[]',NULL,NULL,'2026-01-05T08:03:00+00:00');
INSERT INTO "papers" VALUES (8,'paper','shelves',1,'Shelves and Their Keepers','shelvesandtheirkeepers',NULL,NULL,NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL,1935,'book','[]',NULL,NULL,'2026-01-05T08:03:00+00:00');
INSERT INTO "papers" VALUES (9,'paper','boxes',1,'On Labelling Boxes by Their Weight','onlabellingboxesbytheirweight',NULL,NULL,NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL,1990,NULL,'[]',NULL,NULL,'2026-01-05T08:10:00+00:00');
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES ('actions',11);
INSERT INTO "sqlite_sequence" VALUES ('documents',3);
INSERT INTO "sqlite_sequence" VALUES ('categories',3);
INSERT INTO "sqlite_sequence" VALUES ('papers',9);
INSERT INTO "sqlite_sequence" VALUES ('links',7);
INSERT INTO "sqlite_sequence" VALUES ('readings',2);
INSERT INTO "sqlite_sequence" VALUES ('entries',10);
CREATE TABLE identifiers (
        scheme TEXT NOT NULL,
        value TEXT NOT NULL,
        paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        position INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (scheme, value)
    ) STRICT, WITHOUT ROWID
    ;
INSERT INTO "identifiers" VALUES ('arxiv','2401.01001',1,0);
INSERT INTO "identifiers" VALUES ('arxiv','2402.01002',2,0);
INSERT INTO "identifiers" VALUES ('arxiv','2405.01005',4,0);
INSERT INTO "identifiers" VALUES ('arxiv','2406.01006',5,0);
INSERT INTO "identifiers" VALUES ('url','https://example.org/drawer',6,0);
INSERT INTO "identifiers" VALUES ('doi','10.1000/shelves',8,0);
CREATE TABLE citekey_aliases (
        alias TEXT PRIMARY KEY COLLATE NOCASE,
        paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID
    ;
INSERT INTO "citekey_aliases" VALUES ('lamp2024lost',4);
CREATE TABLE authors (
        paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        name TEXT NOT NULL,
        affiliation TEXT, family TEXT,
        PRIMARY KEY (paper_id, position)
    ) STRICT, WITHOUT ROWID
    ;
INSERT INTO "authors" VALUES (4,0,'Ama Osei',NULL,NULL);
INSERT INTO "authors" VALUES (7,0,'Vera Holm',NULL,NULL);
INSERT INTO "authors" VALUES (8,0,'Vera Holm',NULL,NULL);
INSERT INTO "authors" VALUES (9,0,'Ilse Marten',NULL,NULL);
CREATE TABLE links (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        role TEXT NOT NULL,
        url TEXT NOT NULL,
        label TEXT,
        UNIQUE (paper_id, role, url)
    ) STRICT
    ;
INSERT INTO "links" VALUES (1,1,0,'paper','https://arxiv.org/abs/2401.01001','A Patient Sort for Long Lists');
INSERT INTO "links" VALUES (2,2,0,'paper','https://arxiv.org/abs/2402.01002','Two Piles Are Enough');
INSERT INTO "links" VALUES (4,4,0,'paper','https://arxiv.org/abs/2405.01005','A Lamp for Lost Papers');
INSERT INTO "links" VALUES (5,5,0,'paper','https://arxiv.org/abs/2406.01006','Ask a Librarian First');
INSERT INTO "links" VALUES (6,6,0,'paper','https://example.org/drawer','The Drawer Problem');
CREATE TABLE field_sources (
        paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        field TEXT NOT NULL,
        source TEXT NOT NULL,
        at TEXT NOT NULL,
        PRIMARY KEY (paper_id, field)
    ) STRICT, WITHOUT ROWID
    ;
INSERT INTO "field_sources" VALUES (1,'submitted','document','2026-01-05T08:02:00+00:00');
INSERT INTO "field_sources" VALUES (1,'title','document','2026-01-05T08:02:00+00:00');
INSERT INTO "field_sources" VALUES (2,'submitted','document','2026-01-05T08:02:00+00:00');
INSERT INTO "field_sources" VALUES (2,'title','document','2026-01-05T08:02:00+00:00');
INSERT INTO "field_sources" VALUES (4,'authors','bibtex','2026-01-05T08:03:00+00:00');
INSERT INTO "field_sources" VALUES (4,'published_type','bibtex','2026-01-05T08:03:00+00:00');
INSERT INTO "field_sources" VALUES (4,'submitted','document','2026-01-05T08:02:00+00:00');
INSERT INTO "field_sources" VALUES (4,'title','document','2026-01-05T08:02:00+00:00');
INSERT INTO "field_sources" VALUES (4,'year','bibtex','2026-01-05T08:03:00+00:00');
INSERT INTO "field_sources" VALUES (5,'submitted','document','2026-01-05T08:02:00+00:00');
INSERT INTO "field_sources" VALUES (5,'title','document','2026-01-05T08:02:00+00:00');
INSERT INTO "field_sources" VALUES (6,'title','document','2026-01-05T08:02:00+00:00');
INSERT INTO "field_sources" VALUES (7,'authors','bibtex','2026-01-05T08:03:00+00:00');
INSERT INTO "field_sources" VALUES (7,'published_type','bibtex','2026-01-05T08:03:00+00:00');
INSERT INTO "field_sources" VALUES (7,'title','bibtex','2026-01-05T08:03:00+00:00');
INSERT INTO "field_sources" VALUES (7,'year','bibtex','2026-01-05T08:03:00+00:00');
INSERT INTO "field_sources" VALUES (8,'authors','bibtex','2026-01-05T08:03:00+00:00');
INSERT INTO "field_sources" VALUES (8,'published_type','bibtex','2026-01-05T08:03:00+00:00');
INSERT INTO "field_sources" VALUES (8,'title','bibtex','2026-01-05T08:03:00+00:00');
INSERT INTO "field_sources" VALUES (8,'year','bibtex','2026-01-05T08:03:00+00:00');
INSERT INTO "field_sources" VALUES (9,'authors','bibtex','2026-01-05T08:10:00+00:00');
INSERT INTO "field_sources" VALUES (9,'title','bibtex','2026-01-05T08:10:00+00:00');
INSERT INTO "field_sources" VALUES (9,'year','bibtex','2026-01-05T08:10:00+00:00');
CREATE TABLE suggestions (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        field TEXT NOT NULL,
        value TEXT NOT NULL,
        source TEXT NOT NULL,
        at TEXT NOT NULL,
        state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'accepted', 'rejected')),
        UNIQUE (paper_id, field, value)
    ) STRICT
    ;
CREATE TABLE originals (
        paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        source TEXT NOT NULL,
        text TEXT NOT NULL,
        PRIMARY KEY (paper_id, source)
    ) STRICT, WITHOUT ROWID
    ;
INSERT INTO "originals" VALUES (4,'main.bib:lamp05','@article{lamp05, title = {A {Lamp} for Lost Papers}, author = {Osei, Ama}, year = 2024, eprint = {2405.01005}, archiveprefix = {arXiv}}');
INSERT INTO "originals" VALUES (7,'main.bib:cards','@book{cards, title = {Cards before Computers}, author = {Vera Holm}, year = {1931}}');
INSERT INTO "originals" VALUES (8,'main.bib:shelves','@book{shelves, title = {Shelves and Their Keepers}, author = {Vera Holm}, year = {1935}, doi = {10.1000/shelves}}');
INSERT INTO "originals" VALUES (9,'other.bib:boxes','@misc{boxes, title = {On Labelling Boxes by Their Weight}, author = {Ilse Marten}, year = {1990}, doi = {10.1000/shelves}}');
CREATE TABLE paper_states (
        paper_id INTEGER PRIMARY KEY REFERENCES papers (id) ON DELETE CASCADE,
        decision TEXT NOT NULL DEFAULT 'saved'
            CHECK (decision IN ('inbox', 'saved', 'discarded')),
        decision_reason TEXT,
        decided_at TEXT,
        rating INTEGER CHECK (rating BETWEEN 1 AND 5),
        passes_done INTEGER NOT NULL DEFAULT 0 CHECK (passes_done BETWEEN 0 AND 3),
        in_hand_since TEXT
    ) STRICT
    ;
INSERT INTO "paper_states" VALUES (1,'saved',NULL,'2026-01-05T08:02:00+00:00',NULL,3,NULL);
INSERT INTO "paper_states" VALUES (2,'saved',NULL,'2026-01-05T08:02:00+00:00',NULL,0,NULL);
INSERT INTO "paper_states" VALUES (4,'saved',NULL,'2026-01-05T08:02:00+00:00',NULL,0,NULL);
INSERT INTO "paper_states" VALUES (5,'saved',NULL,'2026-01-05T08:02:00+00:00',NULL,0,NULL);
INSERT INTO "paper_states" VALUES (6,'saved',NULL,'2026-01-05T08:02:00+00:00',NULL,0,NULL);
INSERT INTO "paper_states" VALUES (7,'saved',NULL,'2026-01-05T08:03:00+00:00',NULL,0,NULL);
INSERT INTO "paper_states" VALUES (8,'saved',NULL,'2026-01-05T08:03:00+00:00',NULL,0,NULL);
INSERT INTO "paper_states" VALUES (9,'saved',NULL,'2026-01-05T08:10:00+00:00',NULL,0,NULL);
CREATE TABLE readings (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        pass INTEGER NOT NULL CHECK (pass IN (1, 2, 3)),
        at TEXT,
        minutes INTEGER CHECK (minutes > 0),
        version INTEGER,
        takeaway TEXT
    ) STRICT
    ;
INSERT INTO "readings" VALUES (1,1,1,NULL,NULL,NULL,NULL);
INSERT INTO "readings" VALUES (2,1,3,'2026-01-05T08:04:00+00:00',NULL,NULL,NULL);
CREATE TABLE categories (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        parent_id INTEGER REFERENCES categories (id),
        name TEXT NOT NULL CHECK (name <> ''),
        position INTEGER NOT NULL
    ) STRICT
    ;
INSERT INTO "categories" VALUES (1,NULL,'Sorting',0);
INSERT INTO "categories" VALUES (2,NULL,'Searching',1);
INSERT INTO "categories" VALUES (3,NULL,'Elsewhere',2);
CREATE TABLE paper_categories (
        paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        category_id INTEGER NOT NULL REFERENCES categories (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        PRIMARY KEY (paper_id, category_id)
    ) STRICT, WITHOUT ROWID
    ;
INSERT INTO "paper_categories" VALUES (1,1,0);
INSERT INTO "paper_categories" VALUES (4,2,0);
INSERT INTO "paper_categories" VALUES (5,2,1);
INSERT INTO "paper_categories" VALUES (6,2,2);
INSERT INTO "paper_categories" VALUES (2,3,0);
CREATE TABLE tags (
        paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        tag TEXT NOT NULL COLLATE NOCASE CHECK (tag <> ''),
        PRIMARY KEY (paper_id, tag)
    ) STRICT, WITHOUT ROWID
    ;
CREATE TABLE notes (
        paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        path TEXT NOT NULL,
        position INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (paper_id, path)
    ) STRICT, WITHOUT ROWID
    ;
CREATE TABLE different (
        paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        other_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        PRIMARY KEY (paper_id, other_id),
        CHECK (paper_id < other_id)
    ) STRICT, WITHOUT ROWID
    ;
CREATE TABLE topics (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL COLLATE NOCASE UNIQUE CHECK (name <> ''),
        query TEXT NOT NULL,
        arxiv_categories TEXT NOT NULL DEFAULT '[]',
        has_cross_lists INTEGER NOT NULL DEFAULT 1 CHECK (has_cross_lists IN (0, 1)),
        category TEXT NOT NULL DEFAULT '[]',
        is_paused INTEGER NOT NULL DEFAULT 0 CHECK (is_paused IN (0, 1)),
        added TEXT NOT NULL
    ) STRICT
    ;
CREATE TABLE paper_topics (
        paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        topic_id INTEGER NOT NULL REFERENCES topics (id) ON DELETE CASCADE,
        reason TEXT NOT NULL,
        score REAL NOT NULL,
        found_at TEXT NOT NULL,
        PRIMARY KEY (paper_id, topic_id)
    ) STRICT, WITHOUT ROWID
    ;
CREATE TABLE documents (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        path TEXT NOT NULL UNIQUE,
        kind TEXT NOT NULL CHECK (kind IN ('markdown', 'bibtex')),
        title TEXT,
        settings TEXT NOT NULL DEFAULT '{}',
        digest TEXT NOT NULL,
        synced_at TEXT NOT NULL
    ) STRICT
    ;
INSERT INTO "documents" VALUES (1,'README.md','markdown','Papers on lists','{}','c0cb15bdc65808873543ea4b9926aacc0f5a959af9850b85e1e894b556a7a780','2026-01-05T08:08:00+00:00');
INSERT INTO "documents" VALUES (2,'main.bib','bibtex',NULL,'{}','db378d1875af19e1c3041943fe2582c7d811aba9eb4b02dcecb2da808e0acbb0','2026-01-05T08:11:00+00:00');
INSERT INTO "documents" VALUES (3,'other.bib','bibtex',NULL,'{}','c8e1e77f6d90b99d1835a1d8622c4c0625f14ef45a9eec4e306f0a476e7e3a32','2026-01-05T08:10:00+00:00');
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
    ) STRICT
    ;
INSERT INTO "entries" VALUES (1,1,1,0,'arxiv:2401.01001','["Sorting"]','| [A Patient Sort for Long Lists](https://arxiv.org/abs/2401.01001) | yes |
','{"authors": [], "description": null, "identifiers": [["arxiv", "2401.01001"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2401.01001"], "passes": 1, "tags": [], "title": "A Patient Sort for Long Lists", "venue": null}','{"date": null, "identifiers": [["arxiv", "2401.01001"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2401.01001"], "passes": 1, "rating": null, "said": {"passes": 3}, "tags": [], "title": null}');
INSERT INTO "entries" VALUES (2,1,2,1,'arxiv:2402.01002','["Sorting"]','| [Two Piles Are Enough](https://arxiv.org/abs/2402.01002) | no |
','{"authors": [], "description": null, "identifiers": [["arxiv", "2402.01002"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2402.01002"], "passes": 0, "tags": [], "title": "Two Piles Are Enough", "venue": null}','{"date": null, "held_in": [["Elsewhere"]], "identifiers": [["arxiv", "2402.01002"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2402.01002"], "passes": 0, "rating": null, "tags": [], "title": null}');
INSERT INTO "entries" VALUES (3,1,NULL,2,'arxiv:2403.01003','["Sorting"]','| [Sorting While Reading](https://arxiv.org/abs/2403.01003) | no |
','{"authors": [], "description": null, "identifiers": [["arxiv", "2403.01003"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2403.01003"], "passes": 0, "tags": [], "title": "Sorting While Reading", "venue": null}','{"date": null, "identifiers": [["arxiv", "2403.01003"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2403.01003"], "passes": 0, "rating": null, "tags": [], "title": null}');
INSERT INTO "entries" VALUES (4,1,4,3,'arxiv:2405.01005','["Searching"]','- [A Lamp for Lost Papers](https://arxiv.org/abs/2405.01005)
','{"authors": [], "description": null, "identifiers": [["arxiv", "2405.01005"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2405.01005"], "tags": [], "title": "A Lamp for Lost Papers", "venue": null}','{"date": null, "identifiers": [["arxiv", "2405.01005"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2405.01005"], "passes": 0, "rating": null, "tags": [], "title": null}');
INSERT INTO "entries" VALUES (5,1,5,5,'arxiv:2406.01006','["Searching"]','','{"authors": [], "description": null, "identifiers": [["arxiv", "2406.01006"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2406.01006"], "tags": [], "title": "Ask a Librarian First", "venue": null}','{"date": null, "identifiers": [["arxiv", "2406.01006"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2406.01006"], "passes": 0, "rating": null, "tags": [], "title": null}');
INSERT INTO "entries" VALUES (6,1,6,4,'url:https://example.org/drawer','["Searching"]','- [The Drawer Problem](https://example.org/drawer)
','{"authors": [], "description": null, "identifiers": [["url", "https://example.org/drawer"]], "kind": "resource", "note": [], "paper": ["https://example.org/drawer"], "tags": [], "title": "The Drawer Problem", "venue": null}','{"date": null, "identifiers": [["url", "https://example.org/drawer"]], "kind": "resource", "note": [], "paper": ["https://example.org/drawer"], "passes": 0, "rating": null, "tags": [], "title": null}');
INSERT INTO "entries" VALUES (7,2,4,0,'lamp05','[]','ba047af2a7190cedfe3f60dae689b86cc029e3dd64fc7828db852ee07caba120','{"arxiv": "2405.01005", "authors": ["Ama Osei"], "citekey": "lamp05", "title": "A Lamp for Lost Papers", "type": "article", "year": 2024}','{"arxiv": "2405.01005", "authors": ["Ama Osei"], "categories": [["Searching"]], "citekey": "lamp05", "title": "A Lamp for Lost Papers", "type": "article", "year": 2024}');
INSERT INTO "entries" VALUES (8,2,7,1,'cards','[]','df537835014cb3d539e4b2f1dbde2a56fc971aad50b8734c93498e45367ecad7','{}','{"authors": ["Vera Holm"], "citekey": "cards", "title": "Cards before Computers", "type": "book", "year": 1931}');
INSERT INTO "entries" VALUES (9,2,8,2,'shelves','[]','','{"authors": ["Vera Holm"], "citekey": "shelves", "doi": "10.1000/shelves", "title": "Shelves and Their Keepers", "type": "book", "year": 1935}','{"authors": ["Vera Holm"], "citekey": "shelves", "doi": "10.1000/shelves", "title": "Shelves and Their Keepers", "type": "book", "year": 1935}');
INSERT INTO "entries" VALUES (10,3,9,0,'boxes','[]','?','{"authors": ["Ilse Marten"], "citekey": "boxes", "title": "On Labelling Boxes by Their Weight", "year": 1990}','{"authors": ["Ilse Marten"], "citekey": "boxes", "title": "On Labelling Boxes by Their Weight", "year": 1990}');
CREATE TABLE actions (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        verb TEXT NOT NULL,
        summary TEXT NOT NULL,
        at TEXT NOT NULL,
        can_undo INTEGER NOT NULL CHECK (can_undo IN (0, 1)),
        state TEXT NOT NULL DEFAULT 'done' CHECK (state IN ('done', 'undone', 'superseded'))
    ) STRICT
    ;
INSERT INTO "actions" VALUES (1,'import','README.md','2026-01-05T08:02:00+00:00',1,'done');
INSERT INTO "actions" VALUES (2,'import','main.bib','2026-01-05T08:03:00+00:00',1,'done');
INSERT INTO "actions" VALUES (3,'pass','3 of patient2024sort','2026-01-05T08:04:00+00:00',1,'done');
INSERT INTO "actions" VALUES (4,'export','README.md','2026-01-05T08:05:00+00:00',0,'done');
INSERT INTO "actions" VALUES (5,'move','two2024piles to Elsewhere','2026-01-05T08:06:00+00:00',1,'done');
INSERT INTO "actions" VALUES (6,'export','README.md','2026-01-05T08:07:00+00:00',0,'done');
INSERT INTO "actions" VALUES (7,'import','README.md','2026-01-05T08:08:00+00:00',1,'done');
INSERT INTO "actions" VALUES (8,'import','main.bib','2026-01-05T08:09:00+00:00',1,'done');
INSERT INTO "actions" VALUES (9,'import','other.bib','2026-01-05T08:10:00+00:00',1,'done');
INSERT INTO "actions" VALUES (10,'import','main.bib','2026-01-05T08:11:00+00:00',1,'done');
INSERT INTO "actions" VALUES (11,'rm','sorting2024while','2026-01-05T08:12:00+00:00',1,'done');
CREATE TABLE changes (
        id INTEGER PRIMARY KEY,
        action_id INTEGER NOT NULL REFERENCES actions (id),
        paper_id INTEGER,
        table_name TEXT NOT NULL,
        row_key TEXT NOT NULL,
        operation TEXT NOT NULL CHECK (operation IN ('insert', 'update', 'delete')),
        old TEXT,
        new TEXT
    ) STRICT
    ;
INSERT INTO "changes" VALUES (1,1,NULL,'documents','[1]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (2,1,NULL,'categories','[1]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (3,1,NULL,'categories','[2]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (4,1,1,'papers','[1]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (5,1,2,'papers','[2]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (6,1,3,'papers','[3]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (7,1,4,'papers','[4]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (8,1,5,'papers','[5]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (9,1,6,'papers','[6]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (10,1,1,'entries','[1]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (11,1,2,'entries','[2]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (12,1,3,'entries','[3]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (13,1,4,'entries','[4]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (14,1,5,'entries','[5]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (15,1,6,'entries','[6]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (16,2,NULL,'documents','[2]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (17,2,7,'papers','[7]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (18,2,8,'papers','[8]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (19,2,4,'papers','[4]','update','{"id":4,"kind":"paper","citekey":"lamp2024lost","is_citekey_given":0,"title":"A Lamp for Lost Papers","title_key":"alampforlostpapers","abstract":null,"description":null,"submitted":"2024-05","updated":null,"announced":null,"version":null,"primary_category":null,"arxiv_categories":"[]","comment":null,"journal_ref":null,"venue":null,"year":null,"published_type":null,"publication":"[]","licence":null,"is_withdrawn":null,"added":"2026-01-05T08:02:00+00:00"}','{"id":4,"kind":"paper","citekey":"lamp2024lost","is_citekey_given":0,"title":"A Lamp for Lost Papers","title_key":"alampforlostpapers","abstract":null,"description":null,"submitted":"2024-05","updated":null,"announced":null,"version":null,"primary_category":null,"arxiv_categories":"[]","comment":null,"journal_ref":null,"venue":null,"year":2024,"published_type":null,"publication":"[]","licence":null,"is_withdrawn":null,"added":"2026-01-05T08:02:00+00:00"}');
INSERT INTO "changes" VALUES (20,2,4,'field_sources','[4,"year"]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (21,2,4,'papers','[4]','update','{"id":4,"kind":"paper","citekey":"lamp2024lost","is_citekey_given":0,"title":"A Lamp for Lost Papers","title_key":"alampforlostpapers","abstract":null,"description":null,"submitted":"2024-05","updated":null,"announced":null,"version":null,"primary_category":null,"arxiv_categories":"[]","comment":null,"journal_ref":null,"venue":null,"year":2024,"published_type":null,"publication":"[]","licence":null,"is_withdrawn":null,"added":"2026-01-05T08:02:00+00:00"}','{"id":4,"kind":"paper","citekey":"lamp2024lost","is_citekey_given":0,"title":"A Lamp for Lost Papers","title_key":"alampforlostpapers","abstract":null,"description":null,"submitted":"2024-05","updated":null,"announced":null,"version":null,"primary_category":null,"arxiv_categories":"[]","comment":null,"journal_ref":null,"venue":null,"year":2024,"published_type":"article","publication":"[]","licence":null,"is_withdrawn":null,"added":"2026-01-05T08:02:00+00:00"}');
INSERT INTO "changes" VALUES (22,2,4,'field_sources','[4,"published_type"]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (23,2,4,'authors','[4,0]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (24,2,4,'field_sources','[4,"authors"]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (25,2,4,'originals','[4,"main.bib:lamp05"]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (26,2,4,'papers','[4]','update','{"id":4,"kind":"paper","citekey":"lamp2024lost","is_citekey_given":0,"title":"A Lamp for Lost Papers","title_key":"alampforlostpapers","abstract":null,"description":null,"submitted":"2024-05","updated":null,"announced":null,"version":null,"primary_category":null,"arxiv_categories":"[]","comment":null,"journal_ref":null,"venue":null,"year":2024,"published_type":"article","publication":"[]","licence":null,"is_withdrawn":null,"added":"2026-01-05T08:02:00+00:00"}','{"id":4,"kind":"paper","citekey":"lamp05","is_citekey_given":1,"title":"A Lamp for Lost Papers","title_key":"alampforlostpapers","abstract":null,"description":null,"submitted":"2024-05","updated":null,"announced":null,"version":null,"primary_category":null,"arxiv_categories":"[]","comment":null,"journal_ref":null,"venue":null,"year":2024,"published_type":"article","publication":"[]","licence":null,"is_withdrawn":null,"added":"2026-01-05T08:02:00+00:00"}');
INSERT INTO "changes" VALUES (27,2,4,'citekey_aliases','["lamp2024lost"]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (28,2,4,'entries','[7]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (29,2,7,'entries','[8]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (30,2,8,'entries','[9]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (31,3,1,'readings','[2]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (32,3,1,'paper_states','[1]','update','{"paper_id":1,"decision":"saved","decision_reason":null,"decided_at":"2026-01-05T08:02:00+00:00","rating":null,"passes_done":1,"in_hand_since":null}','{"paper_id":1,"decision":"saved","decision_reason":null,"decided_at":"2026-01-05T08:02:00+00:00","rating":null,"passes_done":3,"in_hand_since":null}');
INSERT INTO "changes" VALUES (33,4,1,'entries','[1]','update','{"id":1,"document_id":1,"paper_id":1,"position":0,"key":"arxiv:2401.01001","category":"[\"Sorting\"]","text":"| [A Patient Sort for Long Lists](https://arxiv.org/abs/2401.01001) | yes |\n","base":"{\"authors\": [], \"description\": null, \"identifiers\": [[\"arxiv\", \"2401.01001\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2401.01001\"], \"passes\": 1, \"tags\": [], \"title\": \"A Patient Sort for Long Lists\", \"venue\": null}","library":"{\"date\": null, \"identifiers\": [[\"arxiv\", \"2401.01001\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2401.01001\"], \"passes\": 1, \"rating\": null, \"tags\": [], \"title\": null}"}','{"id":1,"document_id":1,"paper_id":1,"position":0,"key":"arxiv:2401.01001","category":"[\"Sorting\"]","text":"| [A Patient Sort for Long Lists](https://arxiv.org/abs/2401.01001) | yes |\n","base":"{\"authors\": [], \"description\": null, \"identifiers\": [[\"arxiv\", \"2401.01001\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2401.01001\"], \"passes\": 1, \"tags\": [], \"title\": \"A Patient Sort for Long Lists\", \"venue\": null}","library":"{\"date\": null, \"identifiers\": [[\"arxiv\", \"2401.01001\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2401.01001\"], \"passes\": 1, \"rating\": null, \"said\": {\"passes\": 3}, \"tags\": [], \"title\": null}"}');
INSERT INTO "changes" VALUES (34,5,2,'paper_categories','[2,1]','delete','{"paper_id":2,"category_id":1,"position":1}',NULL);
INSERT INTO "changes" VALUES (35,5,NULL,'categories','[3]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (36,5,2,'paper_categories','[2,3]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (37,6,2,'entries','[2]','update','{"id":2,"document_id":1,"paper_id":2,"position":1,"key":"arxiv:2402.01002","category":"[\"Sorting\"]","text":"| [Two Piles Are Enough](https://arxiv.org/abs/2402.01002) | no |\n","base":"{\"authors\": [], \"description\": null, \"identifiers\": [[\"arxiv\", \"2402.01002\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.01002\"], \"passes\": 0, \"tags\": [], \"title\": \"Two Piles Are Enough\", \"venue\": null}","library":"{\"date\": null, \"identifiers\": [[\"arxiv\", \"2402.01002\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.01002\"], \"passes\": 0, \"rating\": null, \"tags\": [], \"title\": null}"}','{"id":2,"document_id":1,"paper_id":2,"position":1,"key":"arxiv:2402.01002","category":"[\"Sorting\"]","text":"| [Two Piles Are Enough](https://arxiv.org/abs/2402.01002) | no |\n","base":"{\"authors\": [], \"description\": null, \"identifiers\": [[\"arxiv\", \"2402.01002\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.01002\"], \"passes\": 0, \"tags\": [], \"title\": \"Two Piles Are Enough\", \"venue\": null}","library":"{\"date\": null, \"held_in\": [[\"Elsewhere\"]], \"identifiers\": [[\"arxiv\", \"2402.01002\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.01002\"], \"passes\": 0, \"rating\": null, \"tags\": [], \"title\": null}"}');
INSERT INTO "changes" VALUES (38,7,NULL,'documents','[1]','update','{"id":1,"path":"README.md","kind":"markdown","title":"Papers on lists","settings":"{}","digest":"a04767e9bd43d419b47c80897fe022dfd4c4f288ed15afe842bf92cb426f9eca","synced_at":"2026-01-05T08:02:00+00:00"}','{"id":1,"path":"README.md","kind":"markdown","title":"Papers on lists","settings":"{}","digest":"c0cb15bdc65808873543ea4b9926aacc0f5a959af9850b85e1e894b556a7a780","synced_at":"2026-01-05T08:08:00+00:00"}');
INSERT INTO "changes" VALUES (39,7,6,'entries','[6]','update','{"id":6,"document_id":1,"paper_id":6,"position":5,"key":"url:https://example.org/drawer","category":"[\"Searching\"]","text":"- [The Drawer Problem](https://example.org/drawer)\n","base":"{\"authors\": [], \"description\": null, \"identifiers\": [[\"url\", \"https://example.org/drawer\"]], \"kind\": \"resource\", \"note\": [], \"paper\": [\"https://example.org/drawer\"], \"tags\": [], \"title\": \"The Drawer Problem\", \"venue\": null}","library":"{\"date\": null, \"identifiers\": [[\"url\", \"https://example.org/drawer\"]], \"kind\": \"resource\", \"note\": [], \"paper\": [\"https://example.org/drawer\"], \"passes\": 0, \"rating\": null, \"tags\": [], \"title\": null}"}','{"id":6,"document_id":1,"paper_id":6,"position":4,"key":"url:https://example.org/drawer","category":"[\"Searching\"]","text":"- [The Drawer Problem](https://example.org/drawer)\n","base":"{\"authors\": [], \"description\": null, \"identifiers\": [[\"url\", \"https://example.org/drawer\"]], \"kind\": \"resource\", \"note\": [], \"paper\": [\"https://example.org/drawer\"], \"tags\": [], \"title\": \"The Drawer Problem\", \"venue\": null}","library":"{\"date\": null, \"identifiers\": [[\"url\", \"https://example.org/drawer\"]], \"kind\": \"resource\", \"note\": [], \"paper\": [\"https://example.org/drawer\"], \"passes\": 0, \"rating\": null, \"tags\": [], \"title\": null}"}');
INSERT INTO "changes" VALUES (40,7,5,'entries','[5]','update','{"id":5,"document_id":1,"paper_id":5,"position":4,"key":"arxiv:2406.01006","category":"[\"Searching\"]","text":"- [Ask a Librarian First](https://arxiv.org/abs/2406.01006)\n","base":"{\"authors\": [], \"description\": null, \"identifiers\": [[\"arxiv\", \"2406.01006\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2406.01006\"], \"tags\": [], \"title\": \"Ask a Librarian First\", \"venue\": null}","library":"{\"date\": null, \"identifiers\": [[\"arxiv\", \"2406.01006\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2406.01006\"], \"passes\": 0, \"rating\": null, \"tags\": [], \"title\": null}"}','{"id":5,"document_id":1,"paper_id":5,"position":5,"key":"arxiv:2406.01006","category":"[\"Searching\"]","text":"","base":"{\"authors\": [], \"description\": null, \"identifiers\": [[\"arxiv\", \"2406.01006\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2406.01006\"], \"tags\": [], \"title\": \"Ask a Librarian First\", \"venue\": null}","library":"{\"date\": null, \"identifiers\": [[\"arxiv\", \"2406.01006\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2406.01006\"], \"passes\": 0, \"rating\": null, \"tags\": [], \"title\": null}"}');
INSERT INTO "changes" VALUES (41,8,NULL,'documents','[2]','update','{"id":2,"path":"main.bib","kind":"bibtex","title":null,"settings":"{}","digest":"442b5b38b766ea511db6e0fe770ec42739476f61353025282771394001209a7d","synced_at":"2026-01-05T08:03:00+00:00"}','{"id":2,"path":"main.bib","kind":"bibtex","title":null,"settings":"{}","digest":"d99b20b3c70fbf43abc6be993584c2aab094bfa48e10419b32325b70c77e794d","synced_at":"2026-01-05T08:09:00+00:00"}');
INSERT INTO "changes" VALUES (42,8,8,'entries','[9]','update','{"id":9,"document_id":2,"paper_id":8,"position":2,"key":"shelves","category":"[]","text":"380ea55c063fcbbd8026327e957576b021230cfe0dcdb0d5c9d9a2c11283b418","base":"{\"authors\": [\"Vera Holm\"], \"citekey\": \"shelves\", \"doi\": \"10.1000/shelves\", \"title\": \"Shelves and Their Keepers\", \"type\": \"book\", \"year\": 1935}","library":"{\"authors\": [\"Vera Holm\"], \"citekey\": \"shelves\", \"doi\": \"10.1000/shelves\", \"title\": \"Shelves and Their Keepers\", \"type\": \"book\", \"year\": 1935}"}','{"id":9,"document_id":2,"paper_id":8,"position":2,"key":"shelves","category":"[]","text":"","base":"{\"authors\": [\"Vera Holm\"], \"citekey\": \"shelves\", \"doi\": \"10.1000/shelves\", \"title\": \"Shelves and Their Keepers\", \"type\": \"book\", \"year\": 1935}","library":"{\"authors\": [\"Vera Holm\"], \"citekey\": \"shelves\", \"doi\": \"10.1000/shelves\", \"title\": \"Shelves and Their Keepers\", \"type\": \"book\", \"year\": 1935}"}');
INSERT INTO "changes" VALUES (43,9,NULL,'documents','[3]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (44,9,9,'papers','[9]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (45,9,9,'entries','[10]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (46,10,NULL,'documents','[2]','update','{"id":2,"path":"main.bib","kind":"bibtex","title":null,"settings":"{}","digest":"d99b20b3c70fbf43abc6be993584c2aab094bfa48e10419b32325b70c77e794d","synced_at":"2026-01-05T08:09:00+00:00"}','{"id":2,"path":"main.bib","kind":"bibtex","title":null,"settings":"{}","digest":"db378d1875af19e1c3041943fe2582c7d811aba9eb4b02dcecb2da808e0acbb0","synced_at":"2026-01-05T08:11:00+00:00"}');
INSERT INTO "changes" VALUES (47,10,7,'entries','[8]','update','{"id":8,"document_id":2,"paper_id":7,"position":1,"key":"cards","category":"[]","text":"df537835014cb3d539e4b2f1dbde2a56fc971aad50b8734c93498e45367ecad7","base":"{\"authors\": [\"Vera Holm\"], \"citekey\": \"cards\", \"title\": \"Cards before Computers\", \"type\": \"book\", \"year\": 1931}","library":"{\"authors\": [\"Vera Holm\"], \"citekey\": \"cards\", \"title\": \"Cards before Computers\", \"type\": \"book\", \"year\": 1931}"}','{"id":8,"document_id":2,"paper_id":7,"position":1,"key":"cards","category":"[]","text":"df537835014cb3d539e4b2f1dbde2a56fc971aad50b8734c93498e45367ecad7","base":"{}","library":"{\"authors\": [\"Vera Holm\"], \"citekey\": \"cards\", \"title\": \"Cards before Computers\", \"type\": \"book\", \"year\": 1931}"}');
INSERT INTO "changes" VALUES (48,11,NULL,'entries','[3]','update','{"id":3,"document_id":1,"paper_id":3,"position":2,"key":"arxiv:2403.01003","category":"[\"Sorting\"]","text":"| [Sorting While Reading](https://arxiv.org/abs/2403.01003) | no |\n","base":"{\"authors\": [], \"description\": null, \"identifiers\": [[\"arxiv\", \"2403.01003\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2403.01003\"], \"passes\": 0, \"tags\": [], \"title\": \"Sorting While Reading\", \"venue\": null}","library":"{\"date\": null, \"identifiers\": [[\"arxiv\", \"2403.01003\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2403.01003\"], \"passes\": 0, \"rating\": null, \"tags\": [], \"title\": null}"}','{"id":3,"document_id":1,"paper_id":null,"position":2,"key":"arxiv:2403.01003","category":"[\"Sorting\"]","text":"| [Sorting While Reading](https://arxiv.org/abs/2403.01003) | no |\n","base":"{\"authors\": [], \"description\": null, \"identifiers\": [[\"arxiv\", \"2403.01003\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2403.01003\"], \"passes\": 0, \"tags\": [], \"title\": \"Sorting While Reading\", \"venue\": null}","library":"{\"date\": null, \"identifiers\": [[\"arxiv\", \"2403.01003\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2403.01003\"], \"passes\": 0, \"rating\": null, \"tags\": [], \"title\": null}"}');
INSERT INTO "changes" VALUES (49,11,3,'paper_categories','[3,1]','delete','{"paper_id":3,"category_id":1,"position":2}',NULL);
INSERT INTO "changes" VALUES (50,11,3,'paper_states','[3]','delete','{"paper_id":3,"decision":"saved","decision_reason":null,"decided_at":"2026-01-05T08:02:00+00:00","rating":null,"passes_done":0,"in_hand_since":null}',NULL);
INSERT INTO "changes" VALUES (51,11,3,'field_sources','[3,"submitted"]','delete','{"paper_id":3,"field":"submitted","source":"document","at":"2026-01-05T08:02:00+00:00"}',NULL);
INSERT INTO "changes" VALUES (52,11,3,'field_sources','[3,"title"]','delete','{"paper_id":3,"field":"title","source":"document","at":"2026-01-05T08:02:00+00:00"}',NULL);
INSERT INTO "changes" VALUES (53,11,3,'links','[3]','delete','{"id":3,"paper_id":3,"position":0,"role":"paper","url":"https://arxiv.org/abs/2403.01003","label":"Sorting While Reading"}',NULL);
INSERT INTO "changes" VALUES (54,11,3,'identifiers','["arxiv","2403.01003"]','delete','{"scheme":"arxiv","value":"2403.01003","paper_id":3,"position":0}',NULL);
INSERT INTO "changes" VALUES (55,11,3,'papers','[3]','delete','{"id":3,"kind":"paper","citekey":"sorting2024while","is_citekey_given":0,"title":"Sorting While Reading","title_key":"sortingwhilereading","abstract":null,"description":null,"submitted":"2024-03","updated":null,"announced":null,"version":null,"primary_category":null,"arxiv_categories":"[]","comment":null,"journal_ref":null,"venue":null,"year":null,"published_type":null,"publication":"[]","licence":null,"is_withdrawn":null,"added":"2026-01-05T08:02:00+00:00"}',NULL);
CREATE TABLE journal_state (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        action_id INTEGER,
        last_paper_id INTEGER NOT NULL
    ) STRICT
    ;
INSERT INTO "journal_state" VALUES (1,NULL,4611686018427387904);
CREATE TABLE note_texts (path TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT;
CREATE VIRTUAL TABLE search USING fts5 (
        title, authors, abstract, takeaways, tags, notes,
        tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
    );
DELETE FROM "search_data";
INSERT INTO "search_data" VALUES (1,X'08230800000000');
INSERT INTO "search_data" VALUES (10,X'0000000002041300041101010101010201010301010000');
INSERT INTO "search_data" VALUES (137438953473,X'0000007407306265666F7265070101056361726473070102086F6D70757465727307010104686F6C6D070101047665726107010003316265070101026361070102016F07010102686F070101027665070100043262656607010103636172070102026F6D07010103686F6C070101037665720701040A090C0808070605060608070607');
INSERT INTO "search_data" VALUES (274877906945,X'0000008F07306265666F72650702030105636172647307020202086F6D7075746572730702040104686F6C6D0706010103010476657261070601010200033162650702030102636107020202016F0702040102686F0706010103010276650706010102000432626566070203010363617207020202026F6D0702040103686F6C070601010301037665720706010102040B0A0D0B0B08070609090908070A');
INSERT INTO "search_data" VALUES (412316860417,X'0000004C083072656164696E6703010107736F7274696E67030101057768696C650301000331726503010102736F030101027768030100043272656103010103736F72030101037768690301040B0B090706060807');
INSERT INTO "search_data" VALUES (2336462209025,X'000003C202306101020203020201020302026D61040601010202026E64080203020272650202040202736B05020201066265666F726507020302046F7865730902040201790902050105636172647307020202086F6D70757465727307020401066472617765720602030106656E6F7567680202050105666972737405020502026F720102050302040104686F6C6D070601010301060101030104696C7365090601010201076B65657065727308020501096C6162656C6C696E6709020303026D700402030208696272617269616E050204030373747301020702036F6E670102060302737404020501066D617274656E090601010301026F6E09020202037365690406010103010670617065727304020603057469656E740102030204696C65730202030206726F626C656D060204010772656164696E6703020401077368656C76657308020202036F72740102040503696E670302020103746865060202040269720802040102060202776F020202010476657261070601010201060101020106776569676874090207020468696C65030203000331616D040601010202016E0802030201720202040201730502020102626507020302016F0902040201790902050102636107020202016F070204010264720602030102656E0202050102666905020502016F0102050302040102686F070601010301060101030102696C090601010201026B6508020501026C6104020305020302016901020704020402016F01020603020501026D61090601010301026F6E090202020173040601010301027061010203030206020169020203020172060204010272650302040102736808020202016F01020402020201027468060202020204010206020177020202010276650706010102010601010201027765090207020168030203000432616D61040601010202026E64080203020272650202040202736B050202010362656607020302026F78090204010363617207020202026F6D07020401036472610602030103656E6F020205010366697205020502026F720102050302040103686F6C070601010301060101030103696C73090601010201036B656508020501036C616209020303016D0402030202696205020403017301020702026F6E01020603017304020501036D6172090601010301036F7365040601010301037061700402060301740102030202696C0202030202726F0602040103726561030204010373686508020202026F7201020402020201037468650602020202040102060202776F020202010376657207060101020106010102010377656909020702026869030203040C090707070B09060A0D0B0B0A0A100B0C0E070D0808070D070A0B0A090B0C0C0808080A07100B090A0606060706060706070707090E09070A09090907080A06060707090D060E07060B070707080708070808080A0F0A080806070607060A0A0806070708080A0E070F08');
DELETE FROM "search_idx";
INSERT INTO "search_idx" VALUES (1,X'',2);
INSERT INTO "search_idx" VALUES (2,X'',2);
INSERT INTO "search_idx" VALUES (3,X'',2);
INSERT INTO "search_idx" VALUES (17,X'',2);
DELETE FROM "search_content";
INSERT INTO "search_content" VALUES (1,'a patient sort for long lists','','','','','');
INSERT INTO "search_content" VALUES (2,'two piles are enough','','','','','');
INSERT INTO "search_content" VALUES (4,'a lamp for lost papers','ama osei','','','','');
INSERT INTO "search_content" VALUES (5,'ask a librarian first','','','','','');
INSERT INTO "search_content" VALUES (6,'the drawer problem','','','','','');
INSERT INTO "search_content" VALUES (7,'cards before computers','vera holm','','','','');
INSERT INTO "search_content" VALUES (8,'shelves and their keepers','vera holm','','','','');
INSERT INTO "search_content" VALUES (9,'on labelling boxes by their weight','ilse marten','','','','');
DELETE FROM "search_docsize";
INSERT INTO "search_docsize" VALUES (1,X'060000000000');
INSERT INTO "search_docsize" VALUES (2,X'040000000000');
INSERT INTO "search_docsize" VALUES (4,X'050200000000');
INSERT INTO "search_docsize" VALUES (5,X'040000000000');
INSERT INTO "search_docsize" VALUES (6,X'030000000000');
INSERT INTO "search_docsize" VALUES (7,X'030200000000');
INSERT INTO "search_docsize" VALUES (8,X'040200000000');
INSERT INTO "search_docsize" VALUES (9,X'060200000000');
DELETE FROM "search_config";
INSERT INTO "search_config" VALUES ('version',4);
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
    ;
CREATE TABLE announcement_lists (
        category TEXT NOT NULL,
        announcement_id INTEGER NOT NULL REFERENCES announcements (id) ON DELETE CASCADE,
        PRIMARY KEY (category, announcement_id)
    ) STRICT, WITHOUT ROWID
    ;
CREATE TABLE announcement_days (
        category TEXT NOT NULL,
        day TEXT NOT NULL,
        source TEXT NOT NULL,
        announced INTEGER NOT NULL,
        PRIMARY KEY (category, day)
    ) STRICT, WITHOUT ROWID
    ;
CREATE TABLE watch_runs (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        at TEXT NOT NULL,
        day TEXT NOT NULL,
        finished_at TEXT
    ) STRICT
    ;
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
    ;
CREATE TABLE topic_marks (
        topic_id INTEGER PRIMARY KEY,
        query TEXT NOT NULL,
        announcement_id INTEGER NOT NULL
    ) STRICT
    ;
CREATE TABLE matches (
        topic_id INTEGER NOT NULL,
        announcement_id INTEGER NOT NULL REFERENCES announcements (id) ON DELETE CASCADE,
        reason TEXT NOT NULL,
        score REAL NOT NULL,
        PRIMARY KEY (topic_id, announcement_id)
    ) STRICT, WITHOUT ROWID
    ;
CREATE TABLE backfills (
        topic_id INTEGER PRIMARY KEY,
        query TEXT NOT NULL,
        since TEXT NOT NULL,
        reached TEXT NOT NULL
    ) STRICT
    ;
CREATE TABLE removed_entries (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
        category TEXT NOT NULL,
        key TEXT NOT NULL,
        text TEXT NOT NULL,
        base TEXT NOT NULL,
        library TEXT NOT NULL,
        pieces TEXT NOT NULL
    ) STRICT
    ;
CREATE TABLE missed_days (
        category TEXT NOT NULL,
        day TEXT NOT NULL,
        tries INTEGER NOT NULL,
        PRIMARY KEY (category, day)
    ) STRICT, WITHOUT ROWID
;
CREATE TABLE refused_rows (
        document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
        paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        category TEXT NOT NULL,
        reason TEXT NOT NULL,
        PRIMARY KEY (document_id, paper_id, category)
    ) STRICT, WITHOUT ROWID
;
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
;
CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"
    ON "_sqlite_migrations" ("migration_set", "name");
CREATE INDEX papers_by_title_key ON papers (title_key);
CREATE INDEX papers_by_added ON papers (added);
CREATE INDEX identifiers_by_paper ON identifiers (paper_id, scheme, position);
CREATE INDEX citekey_aliases_by_paper ON citekey_aliases (paper_id);
CREATE INDEX paper_states_by_view ON paper_states (decision, passes_done);
CREATE INDEX readings_by_paper ON readings (paper_id, pass);
CREATE UNIQUE INDEX categories_by_name ON categories (ifnull(parent_id, 0), name);
CREATE INDEX paper_categories_by_category ON paper_categories (category_id, position);
CREATE INDEX tags_by_tag ON tags (tag);
CREATE INDEX paper_topics_by_topic ON paper_topics (topic_id);
CREATE INDEX entries_by_document ON entries (document_id, position);
CREATE INDEX entries_by_paper ON entries (paper_id);
CREATE INDEX actions_by_state ON actions (state, id);
CREATE INDEX changes_by_action ON changes (action_id, id);
CREATE INDEX changes_by_paper ON changes (paper_id, id);
CREATE TRIGGER journal_papers_insert AFTER INSERT ON papers
        WHEN (SELECT last_paper_id FROM journal_state) >= 0
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, new.id, 'papers', json_array(new.id), 'insert', NULL, NULL
            FROM journal_state;
        END;
CREATE TRIGGER journal_papers_update AFTER UPDATE ON papers
        WHEN new.id <= (SELECT last_paper_id FROM journal_state) AND (old.id IS NOT new.id OR old.kind IS NOT new.kind OR old.citekey IS NOT new.citekey OR old.is_citekey_given IS NOT new.is_citekey_given OR old.title IS NOT new.title OR old.title_key IS NOT new.title_key OR old.abstract IS NOT new.abstract OR old.description IS NOT new.description OR old.submitted IS NOT new.submitted OR old.updated IS NOT new.updated OR old.announced IS NOT new.announced OR old.version IS NOT new.version OR old.primary_category IS NOT new.primary_category OR old.arxiv_categories IS NOT new.arxiv_categories OR old.comment IS NOT new.comment OR old.journal_ref IS NOT new.journal_ref OR old.venue IS NOT new.venue OR old.year IS NOT new.year OR old.published_type IS NOT new.published_type OR old.publication IS NOT new.publication OR old.licence IS NOT new.licence OR old.is_withdrawn IS NOT new.is_withdrawn OR old.added IS NOT new.added)
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, new.id, 'papers', json_array(new.id), 'update', json_object('id', old.id, 'kind', old.kind, 'citekey', old.citekey, 'is_citekey_given', old.is_citekey_given, 'title', old.title, 'title_key', old.title_key, 'abstract', old.abstract, 'description', old.description, 'submitted', old.submitted, 'updated', old.updated, 'announced', old.announced, 'version', old.version, 'primary_category', old.primary_category, 'arxiv_categories', old.arxiv_categories, 'comment', old.comment, 'journal_ref', old.journal_ref, 'venue', old.venue, 'year', old.year, 'published_type', old.published_type, 'publication', old.publication, 'licence', old.licence, 'is_withdrawn', old.is_withdrawn, 'added', old.added), json_object('id', new.id, 'kind', new.kind, 'citekey', new.citekey, 'is_citekey_given', new.is_citekey_given, 'title', new.title, 'title_key', new.title_key, 'abstract', new.abstract, 'description', new.description, 'submitted', new.submitted, 'updated', new.updated, 'announced', new.announced, 'version', new.version, 'primary_category', new.primary_category, 'arxiv_categories', new.arxiv_categories, 'comment', new.comment, 'journal_ref', new.journal_ref, 'venue', new.venue, 'year', new.year, 'published_type', new.published_type, 'publication', new.publication, 'licence', new.licence, 'is_withdrawn', new.is_withdrawn, 'added', new.added)
            FROM journal_state;
        END;
CREATE TRIGGER journal_papers_delete AFTER DELETE ON papers
        WHEN old.id <= (SELECT last_paper_id FROM journal_state)
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, old.id, 'papers', json_array(old.id), 'delete', json_object('id', old.id, 'kind', old.kind, 'citekey', old.citekey, 'is_citekey_given', old.is_citekey_given, 'title', old.title, 'title_key', old.title_key, 'abstract', old.abstract, 'description', old.description, 'submitted', old.submitted, 'updated', old.updated, 'announced', old.announced, 'version', old.version, 'primary_category', old.primary_category, 'arxiv_categories', old.arxiv_categories, 'comment', old.comment, 'journal_ref', old.journal_ref, 'venue', old.venue, 'year', old.year, 'published_type', old.published_type, 'publication', old.publication, 'licence', old.licence, 'is_withdrawn', old.is_withdrawn, 'added', old.added), NULL
            FROM journal_state;
        END;
CREATE TRIGGER journal_identifiers_insert AFTER INSERT ON identifiers
        WHEN new.paper_id <= (SELECT last_paper_id FROM journal_state)
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, new.paper_id, 'identifiers', json_array(new.scheme, new.value), 'insert', NULL, NULL
            FROM journal_state;
        END;
CREATE TRIGGER journal_identifiers_update AFTER UPDATE ON identifiers
        WHEN min(old.paper_id, new.paper_id) <= (SELECT last_paper_id FROM journal_state) AND (old.scheme IS NOT new.scheme OR old.value IS NOT new.value OR old.paper_id IS NOT new.paper_id OR old.position IS NOT new.position)
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, new.paper_id, 'identifiers', json_array(new.scheme, new.value), 'update', json_object('scheme', old.scheme, 'value', old.value, 'paper_id', old.paper_id, 'position', old.position), json_object('scheme', new.scheme, 'value', new.value, 'paper_id', new.paper_id, 'position', new.position)
            FROM journal_state;
        END;
CREATE TRIGGER journal_identifiers_delete AFTER DELETE ON identifiers
        WHEN old.paper_id <= (SELECT last_paper_id FROM journal_state)
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, old.paper_id, 'identifiers', json_array(old.scheme, old.value), 'delete', json_object('scheme', old.scheme, 'value', old.value, 'paper_id', old.paper_id, 'position', old.position), NULL
            FROM journal_state;
        END;
CREATE TRIGGER journal_citekey_aliases_insert AFTER INSERT ON citekey_aliases
        WHEN new.paper_id <= (SELECT last_paper_id FROM journal_state)
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, new.paper_id, 'citekey_aliases', json_array(new.alias), 'insert', NULL, NULL
            FROM journal_state;
        END;
CREATE TRIGGER journal_citekey_aliases_update AFTER UPDATE ON citekey_aliases
        WHEN min(old.paper_id, new.paper_id) <= (SELECT last_paper_id FROM journal_state) AND (old.alias IS NOT new.alias OR old.paper_id IS NOT new.paper_id)
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, new.paper_id, 'citekey_aliases', json_array(new.alias), 'update', json_object('alias', old.alias, 'paper_id', old.paper_id), json_object('alias', new.alias, 'paper_id', new.paper_id)
            FROM journal_state;
        END;
CREATE TRIGGER journal_citekey_aliases_delete AFTER DELETE ON citekey_aliases
        WHEN old.paper_id <= (SELECT last_paper_id FROM journal_state)
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, old.paper_id, 'citekey_aliases', json_array(old.alias), 'delete', json_object('alias', old.alias, 'paper_id', old.paper_id), NULL
            FROM journal_state;
        END;
CREATE TRIGGER journal_links_insert AFTER INSERT ON links
        WHEN new.paper_id <= (SELECT last_paper_id FROM journal_state)
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, new.paper_id, 'links', json_array(new.id), 'insert', NULL, NULL
            FROM journal_state;
        END;
CREATE TRIGGER journal_links_update AFTER UPDATE ON links
        WHEN min(old.paper_id, new.paper_id) <= (SELECT last_paper_id FROM journal_state) AND (old.id IS NOT new.id OR old.paper_id IS NOT new.paper_id OR old.position IS NOT new.position OR old.role IS NOT new.role OR old.url IS NOT new.url OR old.label IS NOT new.label)
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, new.paper_id, 'links', json_array(new.id), 'update', json_object('id', old.id, 'paper_id', old.paper_id, 'position', old.position, 'role', old.role, 'url', old.url, 'label', old.label), json_object('id', new.id, 'paper_id', new.paper_id, 'position', new.position, 'role', new.role, 'url', new.url, 'label', new.label)
            FROM journal_state;
        END;
CREATE TRIGGER journal_links_delete AFTER DELETE ON links
        WHEN old.paper_id <= (SELECT last_paper_id FROM journal_state)
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, old.paper_id, 'links', json_array(old.id), 'delete', json_object('id', old.id, 'paper_id', old.paper_id, 'position', old.position, 'role', old.role, 'url', old.url, 'label', old.label), NULL
            FROM journal_state;
        END;
CREATE TRIGGER journal_field_sources_insert AFTER INSERT ON field_sources
        WHEN new.paper_id <= (SELECT last_paper_id FROM journal_state)
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, new.paper_id, 'field_sources', json_array(new.paper_id, new.field), 'insert', NULL, NULL
            FROM journal_state;
        END;
CREATE TRIGGER journal_field_sources_update AFTER UPDATE ON field_sources
        WHEN min(old.paper_id, new.paper_id) <= (SELECT last_paper_id FROM journal_state) AND (old.paper_id IS NOT new.paper_id OR old.field IS NOT new.field OR old.source IS NOT new.source OR old.at IS NOT new.at)
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, new.paper_id, 'field_sources', json_array(new.paper_id, new.field), 'update', json_object('paper_id', old.paper_id, 'field', old.field, 'source', old.source, 'at', old.at), json_object('paper_id', new.paper_id, 'field', new.field, 'source', new.source, 'at', new.at)
            FROM journal_state;
        END;
CREATE TRIGGER journal_field_sources_delete AFTER DELETE ON field_sources
        WHEN old.paper_id <= (SELECT last_paper_id FROM journal_state)
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, old.paper_id, 'field_sources', json_array(old.paper_id, old.field), 'delete', json_object('paper_id', old.paper_id, 'field', old.field, 'source', old.source, 'at', old.at), NULL
            FROM journal_state;
        END;
CREATE TRIGGER journal_suggestions_insert AFTER INSERT ON suggestions
        WHEN new.paper_id <= (SELECT last_paper_id FROM journal_state)
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, new.paper_id, 'suggestions', json_array(new.id), 'insert', NULL, NULL
            FROM journal_state;
        END;
CREATE TRIGGER journal_suggestions_update AFTER UPDATE ON suggestions
        WHEN min(old.paper_id, new.paper_id) <= (SELECT last_paper_id FROM journal_state) AND (old.id IS NOT new.id OR old.paper_id IS NOT new.paper_id OR old.field IS NOT new.field OR old.value IS NOT new.value OR old.source IS NOT new.source OR old.at IS NOT new.at OR old.state IS NOT new.state)
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, new.paper_id, 'suggestions', json_array(new.id), 'update', json_object('id', old.id, 'paper_id', old.paper_id, 'field', old.field, 'value', old.value, 'source', old.source, 'at', old.at, 'state', old.state), json_object('id', new.id, 'paper_id', new.paper_id, 'field', new.field, 'value', new.value, 'source', new.source, 'at', new.at, 'state', new.state)
            FROM journal_state;
        END;
CREATE TRIGGER journal_suggestions_delete AFTER DELETE ON suggestions
        WHEN old.paper_id <= (SELECT last_paper_id FROM journal_state)
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, old.paper_id, 'suggestions', json_array(old.id), 'delete', json_object('id', old.id, 'paper_id', old.paper_id, 'field', old.field, 'value', old.value, 'source', old.source, 'at', old.at, 'state', old.state), NULL
            FROM journal_state;
        END;
CREATE TRIGGER journal_originals_insert AFTER INSERT ON originals
        WHEN new.paper_id <= (SELECT last_paper_id FROM journal_state)
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, new.paper_id, 'originals', json_array(new.paper_id, new.source), 'insert', NULL, NULL
            FROM journal_state;
        END;
CREATE TRIGGER journal_originals_update AFTER UPDATE ON originals
        WHEN min(old.paper_id, new.paper_id) <= (SELECT last_paper_id FROM journal_state) AND (old.paper_id IS NOT new.paper_id OR old.source IS NOT new.source OR old.text IS NOT new.text)
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, new.paper_id, 'originals', json_array(new.paper_id, new.source), 'update', json_object('paper_id', old.paper_id, 'source', old.source, 'text', old.text), json_object('paper_id', new.paper_id, 'source', new.source, 'text', new.text)
            FROM journal_state;
        END;
CREATE TRIGGER journal_originals_delete AFTER DELETE ON originals
        WHEN old.paper_id <= (SELECT last_paper_id FROM journal_state)
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, old.paper_id, 'originals', json_array(old.paper_id, old.source), 'delete', json_object('paper_id', old.paper_id, 'source', old.source, 'text', old.text), NULL
            FROM journal_state;
        END;
CREATE TRIGGER journal_paper_states_insert AFTER INSERT ON paper_states
        WHEN new.paper_id <= (SELECT last_paper_id FROM journal_state)
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, new.paper_id, 'paper_states', json_array(new.paper_id), 'insert', NULL, NULL
            FROM journal_state;
        END;
CREATE TRIGGER journal_paper_states_update AFTER UPDATE ON paper_states
        WHEN min(old.paper_id, new.paper_id) <= (SELECT last_paper_id FROM journal_state) AND (old.paper_id IS NOT new.paper_id OR old.decision IS NOT new.decision OR old.decision_reason IS NOT new.decision_reason OR old.decided_at IS NOT new.decided_at OR old.rating IS NOT new.rating OR old.passes_done IS NOT new.passes_done OR old.in_hand_since IS NOT new.in_hand_since)
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, new.paper_id, 'paper_states', json_array(new.paper_id), 'update', json_object('paper_id', old.paper_id, 'decision', old.decision, 'decision_reason', old.decision_reason, 'decided_at', old.decided_at, 'rating', old.rating, 'passes_done', old.passes_done, 'in_hand_since', old.in_hand_since), json_object('paper_id', new.paper_id, 'decision', new.decision, 'decision_reason', new.decision_reason, 'decided_at', new.decided_at, 'rating', new.rating, 'passes_done', new.passes_done, 'in_hand_since', new.in_hand_since)
            FROM journal_state;
        END;
CREATE TRIGGER journal_paper_states_delete AFTER DELETE ON paper_states
        WHEN old.paper_id <= (SELECT last_paper_id FROM journal_state)
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, old.paper_id, 'paper_states', json_array(old.paper_id), 'delete', json_object('paper_id', old.paper_id, 'decision', old.decision, 'decision_reason', old.decision_reason, 'decided_at', old.decided_at, 'rating', old.rating, 'passes_done', old.passes_done, 'in_hand_since', old.in_hand_since), NULL
            FROM journal_state;
        END;
CREATE TRIGGER journal_readings_insert AFTER INSERT ON readings
        WHEN new.paper_id <= (SELECT last_paper_id FROM journal_state)
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, new.paper_id, 'readings', json_array(new.id), 'insert', NULL, NULL
            FROM journal_state;
        END;
CREATE TRIGGER journal_readings_update AFTER UPDATE ON readings
        WHEN min(old.paper_id, new.paper_id) <= (SELECT last_paper_id FROM journal_state) AND (old.id IS NOT new.id OR old.paper_id IS NOT new.paper_id OR old.pass IS NOT new.pass OR old.at IS NOT new.at OR old.minutes IS NOT new.minutes OR old.version IS NOT new.version OR old.takeaway IS NOT new.takeaway)
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, new.paper_id, 'readings', json_array(new.id), 'update', json_object('id', old.id, 'paper_id', old.paper_id, 'pass', old.pass, 'at', old.at, 'minutes', old.minutes, 'version', old.version, 'takeaway', old.takeaway), json_object('id', new.id, 'paper_id', new.paper_id, 'pass', new.pass, 'at', new.at, 'minutes', new.minutes, 'version', new.version, 'takeaway', new.takeaway)
            FROM journal_state;
        END;
CREATE TRIGGER journal_readings_delete AFTER DELETE ON readings
        WHEN old.paper_id <= (SELECT last_paper_id FROM journal_state)
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, old.paper_id, 'readings', json_array(old.id), 'delete', json_object('id', old.id, 'paper_id', old.paper_id, 'pass', old.pass, 'at', old.at, 'minutes', old.minutes, 'version', old.version, 'takeaway', old.takeaway), NULL
            FROM journal_state;
        END;
CREATE TRIGGER journal_paper_categories_insert AFTER INSERT ON paper_categories
        WHEN new.paper_id <= (SELECT last_paper_id FROM journal_state)
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, new.paper_id, 'paper_categories', json_array(new.paper_id, new.category_id), 'insert', NULL, NULL
            FROM journal_state;
        END;
CREATE TRIGGER journal_paper_categories_update AFTER UPDATE ON paper_categories
        WHEN min(old.paper_id, new.paper_id) <= (SELECT last_paper_id FROM journal_state) AND (old.paper_id IS NOT new.paper_id OR old.category_id IS NOT new.category_id OR old.position IS NOT new.position)
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, new.paper_id, 'paper_categories', json_array(new.paper_id, new.category_id), 'update', json_object('paper_id', old.paper_id, 'category_id', old.category_id, 'position', old.position), json_object('paper_id', new.paper_id, 'category_id', new.category_id, 'position', new.position)
            FROM journal_state;
        END;
CREATE TRIGGER journal_paper_categories_delete AFTER DELETE ON paper_categories
        WHEN old.paper_id <= (SELECT last_paper_id FROM journal_state)
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, old.paper_id, 'paper_categories', json_array(old.paper_id, old.category_id), 'delete', json_object('paper_id', old.paper_id, 'category_id', old.category_id, 'position', old.position), NULL
            FROM journal_state;
        END;
CREATE TRIGGER journal_tags_insert AFTER INSERT ON tags
        WHEN new.paper_id <= (SELECT last_paper_id FROM journal_state)
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, new.paper_id, 'tags', json_array(new.paper_id, new.tag), 'insert', NULL, NULL
            FROM journal_state;
        END;
CREATE TRIGGER journal_tags_update AFTER UPDATE ON tags
        WHEN min(old.paper_id, new.paper_id) <= (SELECT last_paper_id FROM journal_state) AND (old.paper_id IS NOT new.paper_id OR old.tag IS NOT new.tag)
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, new.paper_id, 'tags', json_array(new.paper_id, new.tag), 'update', json_object('paper_id', old.paper_id, 'tag', old.tag), json_object('paper_id', new.paper_id, 'tag', new.tag)
            FROM journal_state;
        END;
CREATE TRIGGER journal_tags_delete AFTER DELETE ON tags
        WHEN old.paper_id <= (SELECT last_paper_id FROM journal_state)
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, old.paper_id, 'tags', json_array(old.paper_id, old.tag), 'delete', json_object('paper_id', old.paper_id, 'tag', old.tag), NULL
            FROM journal_state;
        END;
CREATE TRIGGER journal_notes_insert AFTER INSERT ON notes
        WHEN new.paper_id <= (SELECT last_paper_id FROM journal_state)
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, new.paper_id, 'notes', json_array(new.paper_id, new.path), 'insert', NULL, NULL
            FROM journal_state;
        END;
CREATE TRIGGER journal_notes_update AFTER UPDATE ON notes
        WHEN min(old.paper_id, new.paper_id) <= (SELECT last_paper_id FROM journal_state) AND (old.paper_id IS NOT new.paper_id OR old.path IS NOT new.path OR old.position IS NOT new.position)
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, new.paper_id, 'notes', json_array(new.paper_id, new.path), 'update', json_object('paper_id', old.paper_id, 'path', old.path, 'position', old.position), json_object('paper_id', new.paper_id, 'path', new.path, 'position', new.position)
            FROM journal_state;
        END;
CREATE TRIGGER journal_notes_delete AFTER DELETE ON notes
        WHEN old.paper_id <= (SELECT last_paper_id FROM journal_state)
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, old.paper_id, 'notes', json_array(old.paper_id, old.path), 'delete', json_object('paper_id', old.paper_id, 'path', old.path, 'position', old.position), NULL
            FROM journal_state;
        END;
CREATE TRIGGER journal_different_insert AFTER INSERT ON different
        WHEN new.paper_id <= (SELECT last_paper_id FROM journal_state)
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, new.paper_id, 'different', json_array(new.paper_id, new.other_id), 'insert', NULL, NULL
            FROM journal_state;
        END;
CREATE TRIGGER journal_different_update AFTER UPDATE ON different
        WHEN min(old.paper_id, new.paper_id) <= (SELECT last_paper_id FROM journal_state) AND (old.paper_id IS NOT new.paper_id OR old.other_id IS NOT new.other_id)
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, new.paper_id, 'different', json_array(new.paper_id, new.other_id), 'update', json_object('paper_id', old.paper_id, 'other_id', old.other_id), json_object('paper_id', new.paper_id, 'other_id', new.other_id)
            FROM journal_state;
        END;
CREATE TRIGGER journal_different_delete AFTER DELETE ON different
        WHEN old.paper_id <= (SELECT last_paper_id FROM journal_state)
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, old.paper_id, 'different', json_array(old.paper_id, old.other_id), 'delete', json_object('paper_id', old.paper_id, 'other_id', old.other_id), NULL
            FROM journal_state;
        END;
CREATE TRIGGER journal_paper_topics_insert AFTER INSERT ON paper_topics
        WHEN new.paper_id <= (SELECT last_paper_id FROM journal_state)
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, new.paper_id, 'paper_topics', json_array(new.paper_id, new.topic_id), 'insert', NULL, NULL
            FROM journal_state;
        END;
CREATE TRIGGER journal_paper_topics_update AFTER UPDATE ON paper_topics
        WHEN min(old.paper_id, new.paper_id) <= (SELECT last_paper_id FROM journal_state) AND (old.paper_id IS NOT new.paper_id OR old.topic_id IS NOT new.topic_id OR old.reason IS NOT new.reason OR old.score IS NOT new.score OR old.found_at IS NOT new.found_at)
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, new.paper_id, 'paper_topics', json_array(new.paper_id, new.topic_id), 'update', json_object('paper_id', old.paper_id, 'topic_id', old.topic_id, 'reason', old.reason, 'score', old.score, 'found_at', old.found_at), json_object('paper_id', new.paper_id, 'topic_id', new.topic_id, 'reason', new.reason, 'score', new.score, 'found_at', new.found_at)
            FROM journal_state;
        END;
CREATE TRIGGER journal_paper_topics_delete AFTER DELETE ON paper_topics
        WHEN old.paper_id <= (SELECT last_paper_id FROM journal_state)
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, old.paper_id, 'paper_topics', json_array(old.paper_id, old.topic_id), 'delete', json_object('paper_id', old.paper_id, 'topic_id', old.topic_id, 'reason', old.reason, 'score', old.score, 'found_at', old.found_at), NULL
            FROM journal_state;
        END;
CREATE TRIGGER journal_categories_insert AFTER INSERT ON categories
        WHEN (SELECT last_paper_id FROM journal_state) >= 0
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, NULL, 'categories', json_array(new.id), 'insert', NULL, NULL
            FROM journal_state;
        END;
CREATE TRIGGER journal_categories_update AFTER UPDATE ON categories
        WHEN (SELECT last_paper_id FROM journal_state) >= 0 AND (old.id IS NOT new.id OR old.parent_id IS NOT new.parent_id OR old.name IS NOT new.name OR old.position IS NOT new.position)
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, NULL, 'categories', json_array(new.id), 'update', json_object('id', old.id, 'parent_id', old.parent_id, 'name', old.name, 'position', old.position), json_object('id', new.id, 'parent_id', new.parent_id, 'name', new.name, 'position', new.position)
            FROM journal_state;
        END;
CREATE TRIGGER journal_categories_delete AFTER DELETE ON categories
        WHEN (SELECT last_paper_id FROM journal_state) >= 0
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, NULL, 'categories', json_array(old.id), 'delete', json_object('id', old.id, 'parent_id', old.parent_id, 'name', old.name, 'position', old.position), NULL
            FROM journal_state;
        END;
CREATE TRIGGER journal_topics_insert AFTER INSERT ON topics
        WHEN (SELECT last_paper_id FROM journal_state) >= 0
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, NULL, 'topics', json_array(new.id), 'insert', NULL, NULL
            FROM journal_state;
        END;
CREATE TRIGGER journal_topics_update AFTER UPDATE ON topics
        WHEN (SELECT last_paper_id FROM journal_state) >= 0 AND (old.id IS NOT new.id OR old.name IS NOT new.name OR old.query IS NOT new.query OR old.arxiv_categories IS NOT new.arxiv_categories OR old.has_cross_lists IS NOT new.has_cross_lists OR old.category IS NOT new.category OR old.is_paused IS NOT new.is_paused OR old.added IS NOT new.added)
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, NULL, 'topics', json_array(new.id), 'update', json_object('id', old.id, 'name', old.name, 'query', old.query, 'arxiv_categories', old.arxiv_categories, 'has_cross_lists', old.has_cross_lists, 'category', old.category, 'is_paused', old.is_paused, 'added', old.added), json_object('id', new.id, 'name', new.name, 'query', new.query, 'arxiv_categories', new.arxiv_categories, 'has_cross_lists', new.has_cross_lists, 'category', new.category, 'is_paused', new.is_paused, 'added', new.added)
            FROM journal_state;
        END;
CREATE TRIGGER journal_topics_delete AFTER DELETE ON topics
        WHEN (SELECT last_paper_id FROM journal_state) >= 0
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, NULL, 'topics', json_array(old.id), 'delete', json_object('id', old.id, 'name', old.name, 'query', old.query, 'arxiv_categories', old.arxiv_categories, 'has_cross_lists', old.has_cross_lists, 'category', old.category, 'is_paused', old.is_paused, 'added', old.added), NULL
            FROM journal_state;
        END;
CREATE TRIGGER journal_documents_insert AFTER INSERT ON documents
        WHEN (SELECT last_paper_id FROM journal_state) >= 0
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, NULL, 'documents', json_array(new.id), 'insert', NULL, NULL
            FROM journal_state;
        END;
CREATE TRIGGER journal_documents_update AFTER UPDATE ON documents
        WHEN (SELECT last_paper_id FROM journal_state) >= 0 AND (old.id IS NOT new.id OR old.path IS NOT new.path OR old.kind IS NOT new.kind OR old.title IS NOT new.title OR old.settings IS NOT new.settings OR old.digest IS NOT new.digest OR old.synced_at IS NOT new.synced_at)
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, NULL, 'documents', json_array(new.id), 'update', json_object('id', old.id, 'path', old.path, 'kind', old.kind, 'title', old.title, 'settings', old.settings, 'digest', old.digest, 'synced_at', old.synced_at), json_object('id', new.id, 'path', new.path, 'kind', new.kind, 'title', new.title, 'settings', new.settings, 'digest', new.digest, 'synced_at', new.synced_at)
            FROM journal_state;
        END;
CREATE TRIGGER journal_documents_delete AFTER DELETE ON documents
        WHEN (SELECT last_paper_id FROM journal_state) >= 0
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, NULL, 'documents', json_array(old.id), 'delete', json_object('id', old.id, 'path', old.path, 'kind', old.kind, 'title', old.title, 'settings', old.settings, 'digest', old.digest, 'synced_at', old.synced_at), NULL
            FROM journal_state;
        END;
CREATE TRIGGER journal_entries_insert AFTER INSERT ON entries
        WHEN (SELECT last_paper_id FROM journal_state) >= 0
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, new.paper_id, 'entries', json_array(new.id), 'insert', NULL, NULL
            FROM journal_state;
        END;
CREATE TRIGGER journal_entries_update AFTER UPDATE ON entries
        WHEN (SELECT last_paper_id FROM journal_state) >= 0 AND (old.id IS NOT new.id OR old.document_id IS NOT new.document_id OR old.paper_id IS NOT new.paper_id OR old.position IS NOT new.position OR old.key IS NOT new.key OR old.category IS NOT new.category OR old.text IS NOT new.text OR old.base IS NOT new.base OR old.library IS NOT new.library)
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, new.paper_id, 'entries', json_array(new.id), 'update', json_object('id', old.id, 'document_id', old.document_id, 'paper_id', old.paper_id, 'position', old.position, 'key', old.key, 'category', old.category, 'text', old.text, 'base', old.base, 'library', old.library), json_object('id', new.id, 'document_id', new.document_id, 'paper_id', new.paper_id, 'position', new.position, 'key', new.key, 'category', new.category, 'text', new.text, 'base', new.base, 'library', new.library)
            FROM journal_state;
        END;
CREATE TRIGGER journal_entries_delete AFTER DELETE ON entries
        WHEN (SELECT last_paper_id FROM journal_state) >= 0
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, old.paper_id, 'entries', json_array(old.id), 'delete', json_object('id', old.id, 'document_id', old.document_id, 'paper_id', old.paper_id, 'position', old.position, 'key', old.key, 'category', old.category, 'text', old.text, 'base', old.base, 'library', old.library), NULL
            FROM journal_state;
        END;
CREATE INDEX announcements_by_paper ON announcements (arxiv_id);
CREATE INDEX announcements_by_day ON announcements (announced_on);
CREATE INDEX announcement_lists_by_announcement ON announcement_lists (announcement_id);
CREATE INDEX matches_by_announcement ON matches (announcement_id);
CREATE TRIGGER journal_authors_insert AFTER INSERT ON authors
        WHEN new.paper_id <= (SELECT last_paper_id FROM journal_state)
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, new.paper_id, 'authors', json_array(new.paper_id, new.position), 'insert', NULL, NULL
            FROM journal_state;
        END;
CREATE TRIGGER journal_authors_update AFTER UPDATE ON authors
        WHEN min(old.paper_id, new.paper_id) <= (SELECT last_paper_id FROM journal_state) AND (old.paper_id IS NOT new.paper_id OR old.position IS NOT new.position OR old.name IS NOT new.name OR old.affiliation IS NOT new.affiliation OR old.family IS NOT new.family)
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, new.paper_id, 'authors', json_array(new.paper_id, new.position), 'update', json_object('paper_id', old.paper_id, 'position', old.position, 'name', old.name, 'affiliation', old.affiliation, 'family', old.family), json_object('paper_id', new.paper_id, 'position', new.position, 'name', new.name, 'affiliation', new.affiliation, 'family', new.family)
            FROM journal_state;
        END;
CREATE TRIGGER journal_authors_delete AFTER DELETE ON authors
        WHEN old.paper_id <= (SELECT last_paper_id FROM journal_state)
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, old.paper_id, 'authors', json_array(old.paper_id, old.position), 'delete', json_object('paper_id', old.paper_id, 'position', old.position, 'name', old.name, 'affiliation', old.affiliation, 'family', old.family), NULL
            FROM journal_state;
        END;
CREATE INDEX removed_entries_by_document ON removed_entries (document_id);
CREATE INDEX papers_in_hand ON paper_states (in_hand_since, paper_id)
    WHERE in_hand_since IS NOT NULL
;
PRAGMA application_id = 1886679650;
PRAGMA user_version = 8;
