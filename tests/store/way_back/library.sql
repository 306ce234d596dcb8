CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);
INSERT INTO "_sqlite_migrations" VALUES (1,'papertrack','m001_initial','2026-11-22 05:09:14.637634+00:00');
INSERT INTO "_sqlite_migrations" VALUES (2,'papertrack','m002_watch','2026-11-22 05:09:14.638450+00:00');
INSERT INTO "_sqlite_migrations" VALUES (3,'papertrack','m003_family_names','2026-11-22 05:09:14.650199+00:00');
INSERT INTO "_sqlite_migrations" VALUES (4,'papertrack','m004_removed_entries','2026-11-22 05:09:14.650889+00:00');
INSERT INTO "_sqlite_migrations" VALUES (5,'papertrack','m005_missed_days','2026-11-22 05:09:14.651381+00:00');
INSERT INTO "_sqlite_migrations" VALUES (6,'papertrack','m006_refused_rows','2026-11-22 05:09:14.660389+00:00');
INSERT INTO "_sqlite_migrations" VALUES (7,'papertrack','m007_former_texts','2026-11-22 05:09:14.660856+00:00');
INSERT INTO "_sqlite_migrations" VALUES (8,'papertrack','m008_in_hand','2026-11-22 05:09:14.662612+00:00');
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
INSERT INTO "papers" VALUES (1,'paper','paged2023memory',0,'Paged Memory','pagedmemory',NULL,NULL,'2023-09',NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,'2026-01-05T08:00:00+00:00');
INSERT INTO "papers" VALUES (2,'paper','chunked2024prefills',0,'Chunked Prefills','chunkedprefills',NULL,NULL,'2024-03',NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,'2026-01-05T08:00:00+00:00');
INSERT INTO "papers" VALUES (5,'paper','first2024all',0,'First of All','firstofall',NULL,'my favourite by Ada','2024-01',NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,'2026-01-05T08:00:00+00:00');
INSERT INTO "papers" VALUES (7,'paper','third2024',0,'Third','third',NULL,NULL,'2024-01',NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,'2026-01-05T08:00:00+00:00');
INSERT INTO "papers" VALUES (8,'paper','number2024one',0,'Number One','numberone',NULL,NULL,'2024-02',NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,'2026-01-05T08:00:00+00:00');
INSERT INTO "papers" VALUES (9,'paper','number2024two',0,'Number Two','numbertwo',NULL,'see also page 3','2024-02',NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,'2026-01-05T08:00:00+00:00');
INSERT INTO "papers" VALUES (10,'paper','number2024three',0,'Number Three','numberthree',NULL,NULL,'2024-02',NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,'2026-01-05T08:00:00+00:00');
INSERT INTO "papers" VALUES (11,'paper','other2024one',0,'Other One','otherone',NULL,NULL,'2024-02',NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,'2026-01-05T08:00:00+00:00');
INSERT INTO "papers" VALUES (12,'paper','left2025open',0,'T','t',NULL,NULL,'2025-01',NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,'2026-01-05T08:00:01+00:00');
INSERT INTO "papers" VALUES (13,'paper','bold2025name',0,'A Bold Name','aboldname',NULL,NULL,'2025-01',NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,'2026-01-05T08:00:01+00:00');
INSERT INTO "papers" VALUES (14,'paper','h2o2025more',0,'Another','another',NULL,NULL,'2025-01',NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,'2026-01-05T08:00:01+00:00');
INSERT INTO "papers" VALUES (15,'paper','two2025homes',0,'More -- Homes','morehomes',NULL,NULL,'2025-01',NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,'2026-01-05T08:00:01+00:00');
INSERT INTO "papers" VALUES (16,'paper','first2025all',0,'First of All','firstofall',NULL,'2024 - by Ada and nobody','2025-02',NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,'2026-01-05T08:00:01+00:00');
INSERT INTO "papers" VALUES (17,'paper','second2025',0,'Second','second',NULL,'Feb 2024','2025-02',NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,'2026-01-05T08:00:01+00:00');
INSERT INTO "papers" VALUES (18,'paper','third2025',0,'Third','third',NULL,NULL,'2025-02',NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,'2026-01-05T08:00:01+00:00');
INSERT INTO "papers" VALUES (19,'paper','vaswani',1,'Attention Is All You Need','attentionisallyouneed',NULL,NULL,NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,'ICML',1999,'inproceedings','[["pages", "5998–6008"]]',NULL,NULL,'2026-01-05T08:00:02+00:00');
INSERT INTO "papers" VALUES (21,'paper','knuth',1,'The TeXbook','thetexbook',NULL,NULL,NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL,1984,'book','[["publisher", "AW"]]',NULL,NULL,'2026-01-05T08:00:02+00:00');
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES ('actions',51);
INSERT INTO "sqlite_sequence" VALUES ('documents',3);
INSERT INTO "sqlite_sequence" VALUES ('categories',7);
INSERT INTO "sqlite_sequence" VALUES ('papers',21);
INSERT INTO "sqlite_sequence" VALUES ('links',27);
INSERT INTO "sqlite_sequence" VALUES ('readings',8);
INSERT INTO "sqlite_sequence" VALUES ('entries',21);
INSERT INTO "sqlite_sequence" VALUES ('removed_entries',5);
CREATE TABLE identifiers (
        scheme TEXT NOT NULL,
        value TEXT NOT NULL,
        paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        position INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (scheme, value)
    ) STRICT, WITHOUT ROWID
    ;
INSERT INTO "identifiers" VALUES ('arxiv','2309.10001',1,0);
INSERT INTO "identifiers" VALUES ('arxiv','2403.10004',2,0);
INSERT INTO "identifiers" VALUES ('arxiv','2401.00001',5,0);
INSERT INTO "identifiers" VALUES ('arxiv','2401.00003',7,0);
INSERT INTO "identifiers" VALUES ('arxiv','2402.00001',8,0);
INSERT INTO "identifiers" VALUES ('arxiv','2402.00002',9,0);
INSERT INTO "identifiers" VALUES ('arxiv','2402.00003',10,0);
INSERT INTO "identifiers" VALUES ('arxiv','2402.00004',11,0);
INSERT INTO "identifiers" VALUES ('arxiv','2501.00001',12,0);
INSERT INTO "identifiers" VALUES ('arxiv','2501.00002',13,0);
INSERT INTO "identifiers" VALUES ('arxiv','2501.00003',14,0);
INSERT INTO "identifiers" VALUES ('arxiv','2501.00004',15,0);
INSERT INTO "identifiers" VALUES ('arxiv','2502.00001',16,0);
INSERT INTO "identifiers" VALUES ('arxiv','2502.00002',17,0);
INSERT INTO "identifiers" VALUES ('arxiv','2502.00003',18,0);
CREATE TABLE citekey_aliases (
        alias TEXT PRIMARY KEY COLLATE NOCASE,
        paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID
    ;
CREATE TABLE authors (
        paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        name TEXT NOT NULL,
        affiliation TEXT, family TEXT,
        PRIMARY KEY (paper_id, position)
    ) STRICT, WITHOUT ROWID
    ;
INSERT INTO "authors" VALUES (19,0,'Ashish Vaswani',NULL,NULL);
INSERT INTO "authors" VALUES (19,1,'Noam Shazeer',NULL,NULL);
INSERT INTO "authors" VALUES (19,2,'et al.',NULL,NULL);
INSERT INTO "authors" VALUES (21,0,'Donald E. Knuth',NULL,NULL);
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
INSERT INTO "links" VALUES (1,1,0,'paper','https://arxiv.org/abs/2309.10001','Paged Memory');
INSERT INTO "links" VALUES (2,2,0,'paper','https://arxiv.org/abs/2403.10004','Chunked Prefills');
INSERT INTO "links" VALUES (5,5,0,'paper','https://arxiv.org/abs/2401.00001','First of All');
INSERT INTO "links" VALUES (6,5,1,'other','https://example.org/ada','Ada');
INSERT INTO "links" VALUES (7,5,2,'code','https://github.com/example/first','code');
INSERT INTO "links" VALUES (9,7,0,'paper','https://arxiv.org/abs/2401.00003','Third');
INSERT INTO "links" VALUES (10,8,0,'paper','https://arxiv.org/abs/2402.00001','Number One');
INSERT INTO "links" VALUES (11,9,0,'paper','https://arxiv.org/abs/2402.00002','Number Two');
INSERT INTO "links" VALUES (12,10,0,'paper','https://arxiv.org/abs/2402.00003','Number Three');
INSERT INTO "links" VALUES (13,11,0,'paper','https://arxiv.org/abs/2402.00004','Other One');
INSERT INTO "links" VALUES (14,12,0,'paper','https://arxiv.org/abs/2501.00001','Left Open');
INSERT INTO "links" VALUES (15,12,1,'code','https://github.com/x/a','a');
INSERT INTO "links" VALUES (16,13,0,'paper','https://arxiv.org/abs/2501.00002','A Bold Name');
INSERT INTO "links" VALUES (17,14,0,'paper','https://arxiv.org/abs/2501.00003','H2O & More');
INSERT INTO "links" VALUES (19,15,0,'paper','https://arxiv.org/abs/2501.00004','Two Homes');
INSERT INTO "links" VALUES (20,15,1,'code','https://github.com/x/six','a');
INSERT INTO "links" VALUES (21,15,2,'code','https://github.com/x/seven','b');
INSERT INTO "links" VALUES (22,16,0,'paper','https://arxiv.org/abs/2502.00001','First of All');
INSERT INTO "links" VALUES (23,17,0,'paper','https://arxiv.org/abs/2502.00002','Second');
INSERT INTO "links" VALUES (24,18,0,'paper','https://arxiv.org/abs/2502.00003','Third');
INSERT INTO "links" VALUES (26,15,3,'code','https://github.com/y/z',NULL);
INSERT INTO "links" VALUES (27,18,1,'code','https://github.com/y/new',NULL);
CREATE TABLE field_sources (
        paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        field TEXT NOT NULL,
        source TEXT NOT NULL,
        at TEXT NOT NULL,
        PRIMARY KEY (paper_id, field)
    ) STRICT, WITHOUT ROWID
    ;
INSERT INTO "field_sources" VALUES (1,'submitted','document','2026-01-05T08:00:00+00:00');
INSERT INTO "field_sources" VALUES (1,'title','document','2026-01-05T08:00:00+00:00');
INSERT INTO "field_sources" VALUES (2,'submitted','document','2026-01-05T08:00:00+00:00');
INSERT INTO "field_sources" VALUES (2,'title','document','2026-01-05T08:00:00+00:00');
INSERT INTO "field_sources" VALUES (5,'description','document','2026-01-05T08:00:00+00:00');
INSERT INTO "field_sources" VALUES (5,'submitted','document','2026-01-05T08:00:00+00:00');
INSERT INTO "field_sources" VALUES (5,'title','document','2026-01-05T08:00:00+00:00');
INSERT INTO "field_sources" VALUES (7,'submitted','document','2026-01-05T08:00:00+00:00');
INSERT INTO "field_sources" VALUES (7,'title','document','2026-01-05T08:00:00+00:00');
INSERT INTO "field_sources" VALUES (8,'submitted','document','2026-01-05T08:00:00+00:00');
INSERT INTO "field_sources" VALUES (8,'title','document','2026-01-05T08:00:00+00:00');
INSERT INTO "field_sources" VALUES (9,'description','document','2026-01-05T08:00:00+00:00');
INSERT INTO "field_sources" VALUES (9,'submitted','document','2026-01-05T08:00:00+00:00');
INSERT INTO "field_sources" VALUES (9,'title','document','2026-01-05T08:00:00+00:00');
INSERT INTO "field_sources" VALUES (10,'submitted','document','2026-01-05T08:00:00+00:00');
INSERT INTO "field_sources" VALUES (10,'title','document','2026-01-05T08:00:00+00:00');
INSERT INTO "field_sources" VALUES (11,'submitted','document','2026-01-05T08:00:00+00:00');
INSERT INTO "field_sources" VALUES (11,'title','document','2026-01-05T08:00:00+00:00');
INSERT INTO "field_sources" VALUES (12,'submitted','document','2026-01-05T08:00:01+00:00');
INSERT INTO "field_sources" VALUES (12,'title','user','2026-01-05T08:00:31+00:00');
INSERT INTO "field_sources" VALUES (13,'submitted','document','2026-01-05T08:00:01+00:00');
INSERT INTO "field_sources" VALUES (13,'title','document','2026-01-05T08:00:01+00:00');
INSERT INTO "field_sources" VALUES (14,'submitted','document','2026-01-05T08:00:01+00:00');
INSERT INTO "field_sources" VALUES (14,'title','user','2026-01-05T08:00:15+00:00');
INSERT INTO "field_sources" VALUES (15,'submitted','document','2026-01-05T08:00:01+00:00');
INSERT INTO "field_sources" VALUES (15,'title','user','2026-01-05T08:00:19+00:00');
INSERT INTO "field_sources" VALUES (16,'description','document','2026-01-05T08:00:01+00:00');
INSERT INTO "field_sources" VALUES (16,'submitted','document','2026-01-05T08:00:01+00:00');
INSERT INTO "field_sources" VALUES (16,'title','document','2026-01-05T08:00:01+00:00');
INSERT INTO "field_sources" VALUES (17,'description','document','2026-01-05T08:00:01+00:00');
INSERT INTO "field_sources" VALUES (17,'submitted','document','2026-01-05T08:00:01+00:00');
INSERT INTO "field_sources" VALUES (17,'title','document','2026-01-05T08:00:01+00:00');
INSERT INTO "field_sources" VALUES (18,'submitted','document','2026-01-05T08:00:01+00:00');
INSERT INTO "field_sources" VALUES (18,'title','document','2026-01-05T08:00:01+00:00');
INSERT INTO "field_sources" VALUES (19,'authors','bibtex','2026-01-05T08:00:02+00:00');
INSERT INTO "field_sources" VALUES (19,'publication','bibtex','2026-01-05T08:00:02+00:00');
INSERT INTO "field_sources" VALUES (19,'published_type','bibtex','2026-01-05T08:00:02+00:00');
INSERT INTO "field_sources" VALUES (19,'title','bibtex','2026-01-05T08:00:02+00:00');
INSERT INTO "field_sources" VALUES (19,'venue','user','2026-01-05T08:00:43+00:00');
INSERT INTO "field_sources" VALUES (19,'year','user','2026-01-05T08:00:39+00:00');
INSERT INTO "field_sources" VALUES (21,'authors','bibtex','2026-01-05T08:00:02+00:00');
INSERT INTO "field_sources" VALUES (21,'publication','bibtex','2026-01-05T08:00:02+00:00');
INSERT INTO "field_sources" VALUES (21,'published_type','bibtex','2026-01-05T08:00:02+00:00');
INSERT INTO "field_sources" VALUES (21,'title','bibtex','2026-01-05T08:00:02+00:00');
INSERT INTO "field_sources" VALUES (21,'year','bibtex','2026-01-05T08:00:02+00:00');
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
INSERT INTO "originals" VALUES (19,'main.bib:vaswani','@inproceedings{vaswani,
  title     = {Attention Is All You Need},
  author    = {Vaswani, Ashish and Shazeer, Noam and others},
  booktitle = neurips,
  year      = 2017,
  pages     = {5998--6008},
}');
INSERT INTO "originals" VALUES (21,'main.bib:knuth','@book{knuth, title={The {\TeX}book}, author={Donald E. Knuth}, year={1984}, publisher={AW}}');
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
INSERT INTO "paper_states" VALUES (1,'saved',NULL,'2026-01-05T08:00:00+00:00',NULL,2,NULL);
INSERT INTO "paper_states" VALUES (2,'saved',NULL,'2026-01-05T08:00:00+00:00',NULL,0,NULL);
INSERT INTO "paper_states" VALUES (5,'saved',NULL,'2026-01-05T08:00:00+00:00',NULL,0,NULL);
INSERT INTO "paper_states" VALUES (7,'saved',NULL,'2026-01-05T08:00:00+00:00',NULL,0,NULL);
INSERT INTO "paper_states" VALUES (8,'saved',NULL,'2026-01-05T08:00:00+00:00',NULL,0,NULL);
INSERT INTO "paper_states" VALUES (9,'saved',NULL,'2026-01-05T08:00:00+00:00',NULL,0,NULL);
INSERT INTO "paper_states" VALUES (10,'saved',NULL,'2026-01-05T08:00:00+00:00',NULL,0,NULL);
INSERT INTO "paper_states" VALUES (11,'saved',NULL,'2026-01-05T08:00:00+00:00',NULL,0,NULL);
INSERT INTO "paper_states" VALUES (12,'saved',NULL,'2026-01-05T08:00:01+00:00',NULL,0,NULL);
INSERT INTO "paper_states" VALUES (13,'saved',NULL,'2026-01-05T08:00:01+00:00',NULL,2,NULL);
INSERT INTO "paper_states" VALUES (14,'saved',NULL,'2026-01-05T08:00:01+00:00',NULL,1,NULL);
INSERT INTO "paper_states" VALUES (15,'saved',NULL,'2026-01-05T08:00:01+00:00',NULL,0,NULL);
INSERT INTO "paper_states" VALUES (16,'saved',NULL,'2026-01-05T08:00:01+00:00',NULL,1,NULL);
INSERT INTO "paper_states" VALUES (17,'saved',NULL,'2026-01-05T08:00:01+00:00',NULL,0,NULL);
INSERT INTO "paper_states" VALUES (18,'saved',NULL,'2026-01-05T08:00:01+00:00',NULL,1,NULL);
INSERT INTO "paper_states" VALUES (19,'saved',NULL,'2026-01-05T08:00:02+00:00',NULL,0,NULL);
INSERT INTO "paper_states" VALUES (21,'saved',NULL,'2026-01-05T08:00:02+00:00',NULL,0,NULL);
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
INSERT INTO "readings" VALUES (2,1,2,NULL,NULL,NULL,NULL);
INSERT INTO "readings" VALUES (4,13,1,NULL,NULL,NULL,NULL);
INSERT INTO "readings" VALUES (5,13,2,NULL,NULL,NULL,NULL);
INSERT INTO "readings" VALUES (6,14,1,NULL,NULL,NULL,NULL);
INSERT INTO "readings" VALUES (7,16,1,NULL,NULL,NULL,NULL);
INSERT INTO "readings" VALUES (8,18,1,NULL,NULL,NULL,NULL);
CREATE TABLE categories (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        parent_id INTEGER REFERENCES categories (id),
        name TEXT NOT NULL CHECK (name <> ''),
        position INTEGER NOT NULL
    ) STRICT
    ;
INSERT INTO "categories" VALUES (1,NULL,'Serving',0);
INSERT INTO "categories" VALUES (2,NULL,'Empty',1);
INSERT INTO "categories" VALUES (3,NULL,'Listed',2);
INSERT INTO "categories" VALUES (4,NULL,'Counted',3);
INSERT INTO "categories" VALUES (5,NULL,'Counted Too',4);
INSERT INTO "categories" VALUES (6,NULL,'Rows',5);
INSERT INTO "categories" VALUES (7,NULL,'Items',6);
CREATE TABLE paper_categories (
        paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        category_id INTEGER NOT NULL REFERENCES categories (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        PRIMARY KEY (paper_id, category_id)
    ) STRICT, WITHOUT ROWID
    ;
INSERT INTO "paper_categories" VALUES (1,1,0);
INSERT INTO "paper_categories" VALUES (2,1,1);
INSERT INTO "paper_categories" VALUES (5,3,0);
INSERT INTO "paper_categories" VALUES (7,3,2);
INSERT INTO "paper_categories" VALUES (8,4,0);
INSERT INTO "paper_categories" VALUES (10,4,2);
INSERT INTO "paper_categories" VALUES (11,5,0);
INSERT INTO "paper_categories" VALUES (9,5,1);
INSERT INTO "paper_categories" VALUES (12,6,0);
INSERT INTO "paper_categories" VALUES (13,6,1);
INSERT INTO "paper_categories" VALUES (14,6,2);
INSERT INTO "paper_categories" VALUES (15,6,3);
INSERT INTO "paper_categories" VALUES (16,7,0);
INSERT INTO "paper_categories" VALUES (17,7,1);
INSERT INTO "paper_categories" VALUES (18,7,2);
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
INSERT INTO "documents" VALUES (1,'README.md','markdown','List','{}','f859e1e658a32121d5cdd9fc46695321348154ae148fb5252fc0bbef426a4c42','2026-01-05T08:00:12+00:00');
INSERT INTO "documents" VALUES (2,'OTHER.md','markdown','List','{}','443a76aa6e6538b194db1bc073353758ab222fcaea534c8c41a0bf98fcb0bcbe','2026-01-05T08:00:37+00:00');
INSERT INTO "documents" VALUES (3,'main.bib','bibtex',NULL,'{}','16ee4e8c3bfefc62b4efc50cd583440388705c66cbf9657f3db9e64b3c58806c','2026-01-05T08:00:50+00:00');
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
INSERT INTO "entries" VALUES (1,1,1,0,'arxiv:2309.10001','["Serving"]','| [<u>Paged Memory</u>][1]   | [![arXiv][0]][1] | ✅ ✅ (twice, slowly) | hidden | cells |
','{"authors": [], "description": null, "identifiers": [["arxiv", "2309.10001"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2309.10001"], "passes": 2, "tags": [], "title": "Paged Memory", "venue": null}','{"date": null, "identifiers": [["arxiv", "2309.10001"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2309.10001"], "passes": 2, "rating": null, "tags": [], "title": null}');
INSERT INTO "entries" VALUES (2,1,2,1,'arxiv:2403.10004','["Serving"]','| [Chunked Prefills](https://arxiv.org/abs/2403.10004 "the v1") | x | |
','{"authors": [], "description": null, "identifiers": [["arxiv", "2403.10004"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2403.10004"], "passes": 0, "tags": [], "title": "Chunked Prefills", "venue": null}','{"date": null, "identifiers": [["arxiv", "2403.10004"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2403.10004"], "passes": 0, "rating": null, "tags": [], "title": null}');
INSERT INTO "entries" VALUES (5,1,5,2,'arxiv:2401.00001','["Listed"]','* [First of All](https://arxiv.org/abs/2401.00001) - my favourite
  by [Ada](https://example.org/ada)

  - so many ideas
  - [code](https://github.com/example/first)
','{"authors": [], "code": ["https://github.com/example/first"], "description": "my favourite by Ada", "identifiers": [["arxiv", "2401.00001"]], "kind": "paper", "note": [], "other": ["https://example.org/ada"], "paper": ["https://arxiv.org/abs/2401.00001"], "tags": [], "title": "First of All", "venue": null}','{"code": ["https://github.com/example/first"], "date": null, "identifiers": [["arxiv", "2401.00001"]], "kind": "paper", "note": [], "other": ["https://example.org/ada"], "paper": ["https://arxiv.org/abs/2401.00001"], "passes": 0, "rating": null, "tags": [], "title": null}');
INSERT INTO "entries" VALUES (7,1,7,3,'arxiv:2401.00003','["Listed"]','* [Third](https://arxiv.org/abs/2401.00003)
','{"authors": [], "description": null, "identifiers": [["arxiv", "2401.00003"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2401.00003"], "tags": [], "title": "Third", "venue": null}','{"date": null, "identifiers": [["arxiv", "2401.00003"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2401.00003"], "passes": 0, "rating": null, "tags": [], "title": null}');
INSERT INTO "entries" VALUES (8,1,8,4,'arxiv:2402.00001','["Counted"]','1. [Number One](https://arxiv.org/abs/2402.00001)
','{"authors": [], "description": null, "identifiers": [["arxiv", "2402.00001"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2402.00001"], "tags": [], "title": "Number One", "venue": null}','{"date": null, "identifiers": [["arxiv", "2402.00001"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2402.00001"], "passes": 0, "rating": null, "tags": [], "title": null}');
INSERT INTO "entries" VALUES (9,1,9,7,'arxiv:2402.00002','["Counted Too"]','2. [Number Two](https://arxiv.org/abs/2402.00002), see also page 3
','{"authors": [], "description": "see also page 3", "identifiers": [["arxiv", "2402.00002"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2402.00002"], "tags": [], "title": "Number Two", "venue": null}','{"date": null, "identifiers": [["arxiv", "2402.00002"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2402.00002"], "passes": 0, "rating": null, "tags": [], "title": null}');
INSERT INTO "entries" VALUES (10,1,10,5,'arxiv:2402.00003','["Counted"]','3. [Number Three](https://arxiv.org/abs/2402.00003)
','{"authors": [], "description": null, "identifiers": [["arxiv", "2402.00003"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2402.00003"], "tags": [], "title": "Number Three", "venue": null}','{"date": null, "identifiers": [["arxiv", "2402.00003"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2402.00003"], "passes": 0, "rating": null, "tags": [], "title": null}');
INSERT INTO "entries" VALUES (11,1,11,6,'arxiv:2402.00004','["Counted Too"]','1. [Other One](https://arxiv.org/abs/2402.00004)
','{"authors": [], "description": null, "identifiers": [["arxiv", "2402.00004"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2402.00004"], "tags": [], "title": "Other One", "venue": null}','{"date": null, "identifiers": [["arxiv", "2402.00004"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2402.00004"], "passes": 0, "rating": null, "tags": [], "title": null}');
INSERT INTO "entries" VALUES (12,2,12,0,'arxiv:2501.00001','["Rows"]','| <u>[T](https://arxiv.org/abs/2501.00001) | 2024 / 01 | x | [`a`](https://github.com/x/a) | unread |
','{"authors": [], "code": ["https://github.com/x/a"], "date": "2024", "description": null, "identifiers": [["arxiv", "2501.00001"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2501.00001"], "passes": 0, "tags": [], "title": "T", "venue": null}','{"code": ["https://github.com/x/a"], "date": null, "identifiers": [["arxiv", "2501.00001"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2501.00001"], "passes": 0, "rating": null, "tags": [], "title": "T"}');
INSERT INTO "entries" VALUES (13,2,13,1,'arxiv:2501.00002','["Rows"]','| *[A **Bold** `Name`](https://arxiv.org/abs/2501.00002)* | Jan. 2024 | x | | ✅✅ (twice) |
','{"authors": [], "date": "2024-01", "description": null, "identifiers": [["arxiv", "2501.00002"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2501.00002"], "passes": 2, "tags": [], "title": "A Bold Name", "venue": null}','{"date": null, "identifiers": [["arxiv", "2501.00002"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2501.00002"], "passes": 2, "rating": null, "tags": [], "title": null}');
INSERT INTO "entries" VALUES (14,2,14,2,'arxiv:2501.00003','["Rows"]','| [Another][h2o] | 2024/01/03 | x | | read |
','{"authors": [], "date": "2024-01-03", "description": null, "identifiers": [["arxiv", "2501.00003"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2501.00003"], "passes": 1, "tags": [], "title": "Another", "venue": null}','{"date": null, "identifiers": [["arxiv", "2501.00003"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2501.00003"], "passes": 1, "rating": null, "tags": [], "title": "Another"}');
INSERT INTO "entries" VALUES (15,2,15,3,'arxiv:2501.00004','["Rows"]','| [More -- Homes][5] | 2024/01/04 | x | [a][6], [b][7], [z][9] | |
','{"authors": [], "code": ["https://github.com/x/six", "https://github.com/x/seven", "https://github.com/y/z"], "date": "2024-01-04", "description": null, "identifiers": [["arxiv", "2501.00004"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2501.00004"], "passes": 0, "tags": [], "title": "More -- Homes", "venue": null}','{"code": ["https://github.com/x/six", "https://github.com/x/seven", "https://github.com/y/z"], "date": null, "identifiers": [["arxiv", "2501.00004"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2501.00004"], "passes": 0, "rating": null, "tags": [], "title": "More -- Homes"}');
INSERT INTO "entries" VALUES (16,2,16,4,'arxiv:2502.00001','["Items"]','- **[First *of* All](https://arxiv.org/abs/2502.00001)** , 2024 - by Ada
  and ~~nobody~~ :heavy_check_mark:
','{"authors": [], "description": "2024 - by Ada and nobody", "identifiers": [["arxiv", "2502.00001"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2502.00001"], "passes": 1, "tags": [], "title": "First of All", "venue": null}','{"date": null, "identifiers": [["arxiv", "2502.00001"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2502.00001"], "passes": 1, "rating": null, "tags": [], "title": null}');
INSERT INTO "entries" VALUES (17,2,17,5,'arxiv:2502.00002','["Items"]','- [ ] _[Second](https://arxiv.org/abs/2502.00002)_ (Feb 2024)
','{"authors": [], "description": "Feb 2024", "identifiers": [["arxiv", "2502.00002"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2502.00002"], "passes": 0, "tags": [], "title": "Second", "venue": null}','{"date": null, "identifiers": [["arxiv", "2502.00002"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2502.00002"], "passes": 0, "rating": null, "tags": [], "title": null}');
INSERT INTO "entries" VALUES (18,2,18,6,'arxiv:2502.00003','["Items"]','- [x] [Third](https://arxiv.org/abs/2502.00003)
    * GitHub: [new](https://github.com/y/new), in *Rust*
    * a thought
','{"authors": [], "code": ["https://github.com/y/new"], "description": null, "identifiers": [["arxiv", "2502.00003"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2502.00003"], "passes": 1, "tags": [], "title": "Third", "venue": null}','{"code": ["https://github.com/y/new"], "date": null, "identifiers": [["arxiv", "2502.00003"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2502.00003"], "passes": 1, "rating": null, "tags": [], "title": null}');
INSERT INTO "entries" VALUES (19,3,19,0,'vaswani','[]','e4720e976ad684de7aa43962b04de268a0704d40755f0ea3ee2f48dd01ddf3bc','{"authors": ["Ashish Vaswani", "Noam Shazeer", "et al."], "citekey": "vaswani", "publication.pages": "5998–6008", "title": "Attention Is All You Need", "type": "inproceedings", "venue": "ICML", "year": 1999}','{"authors": ["Ashish Vaswani", "Noam Shazeer", "et al."], "citekey": "vaswani", "publication.pages": "5998–6008", "title": "Attention Is All You Need", "type": "inproceedings", "venue": "ICML", "year": 1999}');
INSERT INTO "entries" VALUES (21,3,21,1,'knuth','[]','fd1e9a5c152e4f92b71b7c2fa52d74fe6fabfac7a524e2fc608b8e83013f6f3c','{"authors": ["Donald E. Knuth"], "citekey": "knuth", "publication.publisher": "AW", "title": "The TeXbook", "type": "book", "year": 1984}','{"authors": ["Donald E. Knuth"], "citekey": "knuth", "publication.publisher": "AW", "title": "The TeXbook", "type": "book", "year": 1984}');
CREATE TABLE actions (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        verb TEXT NOT NULL,
        summary TEXT NOT NULL,
        at TEXT NOT NULL,
        can_undo INTEGER NOT NULL CHECK (can_undo IN (0, 1)),
        state TEXT NOT NULL DEFAULT 'done' CHECK (state IN ('done', 'undone', 'superseded'))
    ) STRICT
    ;
INSERT INTO "actions" VALUES (1,'import','README.md','2026-01-05T08:00:00+00:00',1,'done');
INSERT INTO "actions" VALUES (2,'import','OTHER.md','2026-01-05T08:00:01+00:00',1,'done');
INSERT INTO "actions" VALUES (3,'import','main.bib','2026-01-05T08:00:02+00:00',1,'done');
INSERT INTO "actions" VALUES (4,'rm','orca2022like','2026-01-05T08:00:03+00:00',1,'done');
INSERT INTO "actions" VALUES (5,'export','README.md','2026-01-05T08:00:04+00:00',0,'done');
INSERT INTO "actions" VALUES (8,'rm','late2024arrival, second2024','2026-01-05T08:00:07+00:00',1,'done');
INSERT INTO "actions" VALUES (9,'export','README.md','2026-01-05T08:00:08+00:00',0,'done');
INSERT INTO "actions" VALUES (12,'move','number2024two to Counted Too','2026-01-05T08:00:11+00:00',1,'done');
INSERT INTO "actions" VALUES (13,'export','README.md','2026-01-05T08:00:12+00:00',0,'done');
INSERT INTO "actions" VALUES (16,'edit','title of h2o2025more','2026-01-05T08:00:15+00:00',1,'done');
INSERT INTO "actions" VALUES (17,'export','README.md','2026-01-05T08:00:16+00:00',0,'done');
INSERT INTO "actions" VALUES (18,'export','OTHER.md','2026-01-05T08:00:17+00:00',0,'done');
INSERT INTO "actions" VALUES (20,'edit','title of two2025homes','2026-01-05T08:00:19+00:00',1,'done');
INSERT INTO "actions" VALUES (22,'export','OTHER.md','2026-01-05T08:00:21+00:00',0,'done');
INSERT INTO "actions" VALUES (24,'edit','code of two2025homes','2026-01-05T08:00:23+00:00',1,'done');
INSERT INTO "actions" VALUES (26,'export','OTHER.md','2026-01-05T08:00:25+00:00',0,'done');
INSERT INTO "actions" VALUES (28,'edit','code of h2o2025more','2026-01-05T08:00:27+00:00',1,'done');
INSERT INTO "actions" VALUES (30,'export','OTHER.md','2026-01-05T08:00:29+00:00',0,'done');
INSERT INTO "actions" VALUES (32,'edit','title of left2025open','2026-01-05T08:00:31+00:00',1,'done');
INSERT INTO "actions" VALUES (34,'export','OTHER.md','2026-01-05T08:00:33+00:00',0,'done');
INSERT INTO "actions" VALUES (36,'edit','code of third2025','2026-01-05T08:00:35+00:00',1,'done');
INSERT INTO "actions" VALUES (38,'export','OTHER.md','2026-01-05T08:00:37+00:00',0,'done');
INSERT INTO "actions" VALUES (40,'edit','year of vaswani','2026-01-05T08:00:39+00:00',1,'done');
INSERT INTO "actions" VALUES (43,'export','main.bib','2026-01-05T08:00:42+00:00',0,'done');
INSERT INTO "actions" VALUES (44,'edit','venue of vaswani','2026-01-05T08:00:43+00:00',1,'done');
INSERT INTO "actions" VALUES (47,'export','main.bib','2026-01-05T08:00:46+00:00',0,'done');
INSERT INTO "actions" VALUES (48,'rm','kwon:paged','2026-01-05T08:00:47+00:00',1,'done');
INSERT INTO "actions" VALUES (51,'export','main.bib','2026-01-05T08:00:50+00:00',0,'done');
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
INSERT INTO "changes" VALUES (4,1,NULL,'categories','[3]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (5,1,NULL,'categories','[4]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (6,1,NULL,'categories','[5]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (7,1,1,'papers','[1]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (8,1,2,'papers','[2]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (9,1,3,'papers','[3]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (10,1,4,'papers','[4]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (11,1,5,'papers','[5]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (12,1,6,'papers','[6]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (13,1,7,'papers','[7]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (14,1,8,'papers','[8]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (15,1,9,'papers','[9]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (16,1,10,'papers','[10]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (17,1,11,'papers','[11]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (18,1,1,'entries','[1]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (19,1,2,'entries','[2]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (20,1,3,'entries','[3]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (21,1,4,'entries','[4]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (22,1,5,'entries','[5]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (23,1,6,'entries','[6]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (24,1,7,'entries','[7]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (25,1,8,'entries','[8]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (26,1,9,'entries','[9]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (27,1,10,'entries','[10]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (28,1,11,'entries','[11]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (29,2,NULL,'documents','[2]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (30,2,NULL,'categories','[6]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (31,2,NULL,'categories','[7]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (32,2,12,'papers','[12]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (33,2,13,'papers','[13]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (34,2,14,'papers','[14]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (35,2,15,'papers','[15]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (36,2,16,'papers','[16]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (37,2,17,'papers','[17]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (38,2,18,'papers','[18]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (39,2,12,'entries','[12]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (40,2,13,'entries','[13]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (41,2,14,'entries','[14]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (42,2,15,'entries','[15]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (43,2,16,'entries','[16]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (44,2,17,'entries','[17]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (45,2,18,'entries','[18]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (46,3,NULL,'documents','[3]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (47,3,19,'papers','[19]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (48,3,20,'papers','[20]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (49,3,21,'papers','[21]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (50,3,19,'entries','[19]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (51,3,20,'entries','[20]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (52,3,21,'entries','[21]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (53,4,NULL,'entries','[3]','update','{"id":3,"document_id":1,"paper_id":3,"position":2,"key":"arxiv:2207.10003","category":"[\"Serving\"]","text":"| [<u>Orca-like Batching</u>][11] <!-- ask Ada --> | [![arXiv][0]][11] | |\n","base":"{\"authors\": [], \"description\": null, \"identifiers\": [[\"arxiv\", \"2207.10003\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2207.10003v2\"], \"passes\": 0, \"tags\": [], \"title\": \"Orca-like Batching\", \"venue\": null}","library":"{\"date\": null, \"identifiers\": [[\"arxiv\", \"2207.10003\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2207.10003v2\"], \"passes\": 0, \"rating\": null, \"tags\": [], \"title\": null}"}','{"id":3,"document_id":1,"paper_id":null,"position":2,"key":"arxiv:2207.10003","category":"[\"Serving\"]","text":"| [<u>Orca-like Batching</u>][11] <!-- ask Ada --> | [![arXiv][0]][11] | |\n","base":"{\"authors\": [], \"description\": null, \"identifiers\": [[\"arxiv\", \"2207.10003\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2207.10003v2\"], \"passes\": 0, \"tags\": [], \"title\": \"Orca-like Batching\", \"venue\": null}","library":"{\"date\": null, \"identifiers\": [[\"arxiv\", \"2207.10003\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2207.10003v2\"], \"passes\": 0, \"rating\": null, \"tags\": [], \"title\": null}"}');
INSERT INTO "changes" VALUES (54,4,3,'paper_categories','[3,1]','delete','{"paper_id":3,"category_id":1,"position":2}',NULL);
INSERT INTO "changes" VALUES (55,4,3,'paper_states','[3]','delete','{"paper_id":3,"decision":"saved","decision_reason":null,"decided_at":"2026-01-05T08:00:00+00:00","rating":null,"passes_done":0,"in_hand_since":null}',NULL);
INSERT INTO "changes" VALUES (56,4,3,'field_sources','[3,"submitted"]','delete','{"paper_id":3,"field":"submitted","source":"document","at":"2026-01-05T08:00:00+00:00"}',NULL);
INSERT INTO "changes" VALUES (57,4,3,'field_sources','[3,"title"]','delete','{"paper_id":3,"field":"title","source":"document","at":"2026-01-05T08:00:00+00:00"}',NULL);
INSERT INTO "changes" VALUES (58,4,3,'links','[3]','delete','{"id":3,"paper_id":3,"position":0,"role":"paper","url":"https://arxiv.org/abs/2207.10003v2","label":"Orca-like Batching"}',NULL);
INSERT INTO "changes" VALUES (59,4,3,'identifiers','["arxiv","2207.10003"]','delete','{"scheme":"arxiv","value":"2207.10003","paper_id":3,"position":0}',NULL);
INSERT INTO "changes" VALUES (60,4,3,'papers','[3]','delete','{"id":3,"kind":"paper","citekey":"orca2022like","is_citekey_given":0,"title":"Orca-like Batching","title_key":"orcalikebatching","abstract":null,"description":null,"submitted":"2022-07","updated":null,"announced":null,"version":null,"primary_category":null,"arxiv_categories":"[]","comment":null,"journal_ref":null,"venue":null,"year":null,"published_type":null,"publication":"[]","licence":null,"is_withdrawn":null,"added":"2026-01-05T08:00:00+00:00"}',NULL);
INSERT INTO "changes" VALUES (61,5,NULL,'documents','[1]','update','{"id":1,"path":"README.md","kind":"markdown","title":"List","settings":"{}","digest":"2c268bb22a791ca63193d6ba010b625f6c51aa8f70c7b105d28d4ebb77dadab0","synced_at":"2026-01-05T08:00:00+00:00"}','{"id":1,"path":"README.md","kind":"markdown","title":"List","settings":"{}","digest":"33055f652c7328a3bb011fc7458110dd1b868d0033d333aad6f9dcb363179b21","synced_at":"2026-01-05T08:00:04+00:00"}');
INSERT INTO "changes" VALUES (62,5,NULL,'entries','[3]','delete','{"id":3,"document_id":1,"paper_id":null,"position":2,"key":"arxiv:2207.10003","category":"[\"Serving\"]","text":"| [<u>Orca-like Batching</u>][11] <!-- ask Ada --> | [![arXiv][0]][11] | |\n","base":"{\"authors\": [], \"description\": null, \"identifiers\": [[\"arxiv\", \"2207.10003\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2207.10003v2\"], \"passes\": 0, \"tags\": [], \"title\": \"Orca-like Batching\", \"venue\": null}","library":"{\"date\": null, \"identifiers\": [[\"arxiv\", \"2207.10003\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2207.10003v2\"], \"passes\": 0, \"rating\": null, \"tags\": [], \"title\": null}"}',NULL);
INSERT INTO "changes" VALUES (63,5,4,'entries','[4]','update','{"id":4,"document_id":1,"paper_id":4,"position":3,"key":"arxiv:2407.10009","category":"[\"Serving\"]","text":"| [<u>Late Arrival</u>][16] | [![arXiv][0]][16] | ✅ |\n","base":"{\"authors\": [], \"description\": null, \"identifiers\": [[\"arxiv\", \"2407.10009\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2407.10009\"], \"passes\": 1, \"tags\": [], \"title\": \"Late Arrival\", \"venue\": null}","library":"{\"date\": null, \"identifiers\": [[\"arxiv\", \"2407.10009\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2407.10009\"], \"passes\": 1, \"rating\": null, \"tags\": [], \"title\": null}"}','{"id":4,"document_id":1,"paper_id":4,"position":2,"key":"arxiv:2407.10009","category":"[\"Serving\"]","text":"| [<u>Late Arrival</u>][16] | [![arXiv][0]][16] | ✅ |\n","base":"{\"authors\": [], \"description\": null, \"identifiers\": [[\"arxiv\", \"2407.10009\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2407.10009\"], \"passes\": 1, \"tags\": [], \"title\": \"Late Arrival\", \"venue\": null}","library":"{\"date\": null, \"identifiers\": [[\"arxiv\", \"2407.10009\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2407.10009\"], \"passes\": 1, \"rating\": null, \"tags\": [], \"title\": null}"}');
INSERT INTO "changes" VALUES (64,5,5,'entries','[5]','update','{"id":5,"document_id":1,"paper_id":5,"position":4,"key":"arxiv:2401.00001","category":"[\"Listed\"]","text":"* [First of All](https://arxiv.org/abs/2401.00001) - my favourite\n  by [Ada](https://example.org/ada)\n\n  - so many ideas\n  - [code](https://github.com/example/first)\n","base":"{\"authors\": [], \"code\": [\"https://github.com/example/first\"], \"description\": \"my favourite by Ada\", \"identifiers\": [[\"arxiv\", \"2401.00001\"]], \"kind\": \"paper\", \"note\": [], \"other\": [\"https://example.org/ada\"], \"paper\": [\"https://arxiv.org/abs/2401.00001\"], \"tags\": [], \"title\": \"First of All\", \"venue\": null}","library":"{\"code\": [\"https://github.com/example/first\"], \"date\": null, \"identifiers\": [[\"arxiv\", \"2401.00001\"]], \"kind\": \"paper\", \"note\": [], \"other\": [\"https://example.org/ada\"], \"paper\": [\"https://arxiv.org/abs/2401.00001\"], \"passes\": 0, \"rating\": null, \"tags\": [], \"title\": null}"}','{"id":5,"document_id":1,"paper_id":5,"position":3,"key":"arxiv:2401.00001","category":"[\"Listed\"]","text":"* [First of All](https://arxiv.org/abs/2401.00001) - my favourite\n  by [Ada](https://example.org/ada)\n\n  - so many ideas\n  - [code](https://github.com/example/first)\n","base":"{\"authors\": [], \"code\": [\"https://github.com/example/first\"], \"description\": \"my favourite by Ada\", \"identifiers\": [[\"arxiv\", \"2401.00001\"]], \"kind\": \"paper\", \"note\": [], \"other\": [\"https://example.org/ada\"], \"paper\": [\"https://arxiv.org/abs/2401.00001\"], \"tags\": [], \"title\": \"First of All\", \"venue\": null}","library":"{\"code\": [\"https://github.com/example/first\"], \"date\": null, \"identifiers\": [[\"arxiv\", \"2401.00001\"]], \"kind\": \"paper\", \"note\": [], \"other\": [\"https://example.org/ada\"], \"paper\": [\"https://arxiv.org/abs/2401.00001\"], \"passes\": 0, \"rating\": null, \"tags\": [], \"title\": null}"}');
INSERT INTO "changes" VALUES (65,5,6,'entries','[6]','update','{"id":6,"document_id":1,"paper_id":6,"position":5,"key":"arxiv:2401.00002","category":"[\"Listed\"]","text":"* **Second** [[paper]](https://arxiv.org/abs/2401.00002) 🏆\n","base":"{\"authors\": [], \"description\": null, \"identifiers\": [[\"arxiv\", \"2401.00002\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2401.00002\"], \"tags\": [\"trophy\"], \"title\": \"Second\", \"venue\": null}","library":"{\"date\": null, \"identifiers\": [[\"arxiv\", \"2401.00002\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2401.00002\"], \"passes\": 0, \"rating\": null, \"tags\": [\"trophy\"], \"title\": null}"}','{"id":6,"document_id":1,"paper_id":6,"position":4,"key":"arxiv:2401.00002","category":"[\"Listed\"]","text":"* **Second** [[paper]](https://arxiv.org/abs/2401.00002) 🏆\n","base":"{\"authors\": [], \"description\": null, \"identifiers\": [[\"arxiv\", \"2401.00002\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2401.00002\"], \"tags\": [\"trophy\"], \"title\": \"Second\", \"venue\": null}","library":"{\"date\": null, \"identifiers\": [[\"arxiv\", \"2401.00002\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2401.00002\"], \"passes\": 0, \"rating\": null, \"tags\": [\"trophy\"], \"title\": null}"}');
INSERT INTO "changes" VALUES (66,5,7,'entries','[7]','update','{"id":7,"document_id":1,"paper_id":7,"position":6,"key":"arxiv:2401.00003","category":"[\"Listed\"]","text":"* [Third](https://arxiv.org/abs/2401.00003)\n","base":"{\"authors\": [], \"description\": null, \"identifiers\": [[\"arxiv\", \"2401.00003\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2401.00003\"], \"tags\": [], \"title\": \"Third\", \"venue\": null}","library":"{\"date\": null, \"identifiers\": [[\"arxiv\", \"2401.00003\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2401.00003\"], \"passes\": 0, \"rating\": null, \"tags\": [], \"title\": null}"}','{"id":7,"document_id":1,"paper_id":7,"position":5,"key":"arxiv:2401.00003","category":"[\"Listed\"]","text":"* [Third](https://arxiv.org/abs/2401.00003)\n","base":"{\"authors\": [], \"description\": null, \"identifiers\": [[\"arxiv\", \"2401.00003\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2401.00003\"], \"tags\": [], \"title\": \"Third\", \"venue\": null}","library":"{\"date\": null, \"identifiers\": [[\"arxiv\", \"2401.00003\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2401.00003\"], \"passes\": 0, \"rating\": null, \"tags\": [], \"title\": null}"}');
INSERT INTO "changes" VALUES (67,5,8,'entries','[8]','update','{"id":8,"document_id":1,"paper_id":8,"position":7,"key":"arxiv:2402.00001","category":"[\"Counted\"]","text":"1. [Number One](https://arxiv.org/abs/2402.00001)\n","base":"{\"authors\": [], \"description\": null, \"identifiers\": [[\"arxiv\", \"2402.00001\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.00001\"], \"tags\": [], \"title\": \"Number One\", \"venue\": null}","library":"{\"date\": null, \"identifiers\": [[\"arxiv\", \"2402.00001\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.00001\"], \"passes\": 0, \"rating\": null, \"tags\": [], \"title\": null}"}','{"id":8,"document_id":1,"paper_id":8,"position":6,"key":"arxiv:2402.00001","category":"[\"Counted\"]","text":"1. [Number One](https://arxiv.org/abs/2402.00001)\n","base":"{\"authors\": [], \"description\": null, \"identifiers\": [[\"arxiv\", \"2402.00001\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.00001\"], \"tags\": [], \"title\": \"Number One\", \"venue\": null}","library":"{\"date\": null, \"identifiers\": [[\"arxiv\", \"2402.00001\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.00001\"], \"passes\": 0, \"rating\": null, \"tags\": [], \"title\": null}"}');
INSERT INTO "changes" VALUES (68,5,9,'entries','[9]','update','{"id":9,"document_id":1,"paper_id":9,"position":8,"key":"arxiv:2402.00002","category":"[\"Counted\"]","text":"2. [Number Two](https://arxiv.org/abs/2402.00002), see also page 3\n","base":"{\"authors\": [], \"description\": \"see also page 3\", \"identifiers\": [[\"arxiv\", \"2402.00002\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.00002\"], \"tags\": [], \"title\": \"Number Two\", \"venue\": null}","library":"{\"date\": null, \"identifiers\": [[\"arxiv\", \"2402.00002\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.00002\"], \"passes\": 0, \"rating\": null, \"tags\": [], \"title\": null}"}','{"id":9,"document_id":1,"paper_id":9,"position":7,"key":"arxiv:2402.00002","category":"[\"Counted\"]","text":"2. [Number Two](https://arxiv.org/abs/2402.00002), see also page 3\n","base":"{\"authors\": [], \"description\": \"see also page 3\", \"identifiers\": [[\"arxiv\", \"2402.00002\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.00002\"], \"tags\": [], \"title\": \"Number Two\", \"venue\": null}","library":"{\"date\": null, \"identifiers\": [[\"arxiv\", \"2402.00002\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.00002\"], \"passes\": 0, \"rating\": null, \"tags\": [], \"title\": null}"}');
INSERT INTO "changes" VALUES (69,5,10,'entries','[10]','update','{"id":10,"document_id":1,"paper_id":10,"position":9,"key":"arxiv:2402.00003","category":"[\"Counted\"]","text":"3. [Number Three](https://arxiv.org/abs/2402.00003)\n","base":"{\"authors\": [], \"description\": null, \"identifiers\": [[\"arxiv\", \"2402.00003\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.00003\"], \"tags\": [], \"title\": \"Number Three\", \"venue\": null}","library":"{\"date\": null, \"identifiers\": [[\"arxiv\", \"2402.00003\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.00003\"], \"passes\": 0, \"rating\": null, \"tags\": [], \"title\": null}"}','{"id":10,"document_id":1,"paper_id":10,"position":8,"key":"arxiv:2402.00003","category":"[\"Counted\"]","text":"3. [Number Three](https://arxiv.org/abs/2402.00003)\n","base":"{\"authors\": [], \"description\": null, \"identifiers\": [[\"arxiv\", \"2402.00003\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.00003\"], \"tags\": [], \"title\": \"Number Three\", \"venue\": null}","library":"{\"date\": null, \"identifiers\": [[\"arxiv\", \"2402.00003\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.00003\"], \"passes\": 0, \"rating\": null, \"tags\": [], \"title\": null}"}');
INSERT INTO "changes" VALUES (70,5,11,'entries','[11]','update','{"id":11,"document_id":1,"paper_id":11,"position":10,"key":"arxiv:2402.00004","category":"[\"Counted Too\"]","text":"1. [Other One](https://arxiv.org/abs/2402.00004)\n","base":"{\"authors\": [], \"description\": null, \"identifiers\": [[\"arxiv\", \"2402.00004\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.00004\"], \"tags\": [], \"title\": \"Other One\", \"venue\": null}","library":"{\"date\": null, \"identifiers\": [[\"arxiv\", \"2402.00004\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.00004\"], \"passes\": 0, \"rating\": null, \"tags\": [], \"title\": null}"}','{"id":11,"document_id":1,"paper_id":11,"position":9,"key":"arxiv:2402.00004","category":"[\"Counted Too\"]","text":"1. [Other One](https://arxiv.org/abs/2402.00004)\n","base":"{\"authors\": [], \"description\": null, \"identifiers\": [[\"arxiv\", \"2402.00004\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.00004\"], \"tags\": [], \"title\": \"Other One\", \"venue\": null}","library":"{\"date\": null, \"identifiers\": [[\"arxiv\", \"2402.00004\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.00004\"], \"passes\": 0, \"rating\": null, \"tags\": [], \"title\": null}"}');
INSERT INTO "changes" VALUES (71,8,NULL,'entries','[4]','update','{"id":4,"document_id":1,"paper_id":4,"position":2,"key":"arxiv:2407.10009","category":"[\"Serving\"]","text":"| [<u>Late Arrival</u>][16] | [![arXiv][0]][16] | ✅ |\n","base":"{\"authors\": [], \"description\": null, \"identifiers\": [[\"arxiv\", \"2407.10009\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2407.10009\"], \"passes\": 1, \"tags\": [], \"title\": \"Late Arrival\", \"venue\": null}","library":"{\"date\": null, \"identifiers\": [[\"arxiv\", \"2407.10009\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2407.10009\"], \"passes\": 1, \"rating\": null, \"tags\": [], \"title\": null}"}','{"id":4,"document_id":1,"paper_id":null,"position":2,"key":"arxiv:2407.10009","category":"[\"Serving\"]","text":"| [<u>Late Arrival</u>][16] | [![arXiv][0]][16] | ✅ |\n","base":"{\"authors\": [], \"description\": null, \"identifiers\": [[\"arxiv\", \"2407.10009\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2407.10009\"], \"passes\": 1, \"tags\": [], \"title\": \"Late Arrival\", \"venue\": null}","library":"{\"date\": null, \"identifiers\": [[\"arxiv\", \"2407.10009\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2407.10009\"], \"passes\": 1, \"rating\": null, \"tags\": [], \"title\": null}"}');
INSERT INTO "changes" VALUES (72,8,4,'paper_categories','[4,1]','delete','{"paper_id":4,"category_id":1,"position":3}',NULL);
INSERT INTO "changes" VALUES (73,8,4,'readings','[3]','delete','{"id":3,"paper_id":4,"pass":1,"at":null,"minutes":null,"version":null,"takeaway":null}',NULL);
INSERT INTO "changes" VALUES (74,8,4,'paper_states','[4]','delete','{"paper_id":4,"decision":"saved","decision_reason":null,"decided_at":"2026-01-05T08:00:00+00:00","rating":null,"passes_done":1,"in_hand_since":null}',NULL);
INSERT INTO "changes" VALUES (75,8,4,'field_sources','[4,"submitted"]','delete','{"paper_id":4,"field":"submitted","source":"document","at":"2026-01-05T08:00:00+00:00"}',NULL);
INSERT INTO "changes" VALUES (76,8,4,'field_sources','[4,"title"]','delete','{"paper_id":4,"field":"title","source":"document","at":"2026-01-05T08:00:00+00:00"}',NULL);
INSERT INTO "changes" VALUES (77,8,4,'links','[4]','delete','{"id":4,"paper_id":4,"position":0,"role":"paper","url":"https://arxiv.org/abs/2407.10009","label":"Late Arrival"}',NULL);
INSERT INTO "changes" VALUES (78,8,4,'identifiers','["arxiv","2407.10009"]','delete','{"scheme":"arxiv","value":"2407.10009","paper_id":4,"position":0}',NULL);
INSERT INTO "changes" VALUES (79,8,4,'papers','[4]','delete','{"id":4,"kind":"paper","citekey":"late2024arrival","is_citekey_given":0,"title":"Late Arrival","title_key":"latearrival","abstract":null,"description":null,"submitted":"2024-07","updated":null,"announced":null,"version":null,"primary_category":null,"arxiv_categories":"[]","comment":null,"journal_ref":null,"venue":null,"year":null,"published_type":null,"publication":"[]","licence":null,"is_withdrawn":null,"added":"2026-01-05T08:00:00+00:00"}',NULL);
INSERT INTO "changes" VALUES (80,8,NULL,'entries','[6]','update','{"id":6,"document_id":1,"paper_id":6,"position":4,"key":"arxiv:2401.00002","category":"[\"Listed\"]","text":"* **Second** [[paper]](https://arxiv.org/abs/2401.00002) 🏆\n","base":"{\"authors\": [], \"description\": null, \"identifiers\": [[\"arxiv\", \"2401.00002\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2401.00002\"], \"tags\": [\"trophy\"], \"title\": \"Second\", \"venue\": null}","library":"{\"date\": null, \"identifiers\": [[\"arxiv\", \"2401.00002\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2401.00002\"], \"passes\": 0, \"rating\": null, \"tags\": [\"trophy\"], \"title\": null}"}','{"id":6,"document_id":1,"paper_id":null,"position":4,"key":"arxiv:2401.00002","category":"[\"Listed\"]","text":"* **Second** [[paper]](https://arxiv.org/abs/2401.00002) 🏆\n","base":"{\"authors\": [], \"description\": null, \"identifiers\": [[\"arxiv\", \"2401.00002\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2401.00002\"], \"tags\": [\"trophy\"], \"title\": \"Second\", \"venue\": null}","library":"{\"date\": null, \"identifiers\": [[\"arxiv\", \"2401.00002\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2401.00002\"], \"passes\": 0, \"rating\": null, \"tags\": [\"trophy\"], \"title\": null}"}');
INSERT INTO "changes" VALUES (81,8,6,'tags','[6,"trophy"]','delete','{"paper_id":6,"tag":"trophy"}',NULL);
INSERT INTO "changes" VALUES (82,8,6,'paper_categories','[6,3]','delete','{"paper_id":6,"category_id":3,"position":1}',NULL);
INSERT INTO "changes" VALUES (83,8,6,'paper_states','[6]','delete','{"paper_id":6,"decision":"saved","decision_reason":null,"decided_at":"2026-01-05T08:00:00+00:00","rating":null,"passes_done":0,"in_hand_since":null}',NULL);
INSERT INTO "changes" VALUES (84,8,6,'field_sources','[6,"submitted"]','delete','{"paper_id":6,"field":"submitted","source":"document","at":"2026-01-05T08:00:00+00:00"}',NULL);
INSERT INTO "changes" VALUES (85,8,6,'field_sources','[6,"title"]','delete','{"paper_id":6,"field":"title","source":"document","at":"2026-01-05T08:00:00+00:00"}',NULL);
INSERT INTO "changes" VALUES (86,8,6,'links','[8]','delete','{"id":8,"paper_id":6,"position":0,"role":"paper","url":"https://arxiv.org/abs/2401.00002","label":"paper"}',NULL);
INSERT INTO "changes" VALUES (87,8,6,'identifiers','["arxiv","2401.00002"]','delete','{"scheme":"arxiv","value":"2401.00002","paper_id":6,"position":0}',NULL);
INSERT INTO "changes" VALUES (88,8,6,'papers','[6]','delete','{"id":6,"kind":"paper","citekey":"second2024","is_citekey_given":0,"title":"Second","title_key":"second","abstract":null,"description":null,"submitted":"2024-01","updated":null,"announced":null,"version":null,"primary_category":null,"arxiv_categories":"[]","comment":null,"journal_ref":null,"venue":null,"year":null,"published_type":null,"publication":"[]","licence":null,"is_withdrawn":null,"added":"2026-01-05T08:00:00+00:00"}',NULL);
INSERT INTO "changes" VALUES (89,9,NULL,'documents','[1]','update','{"id":1,"path":"README.md","kind":"markdown","title":"List","settings":"{}","digest":"33055f652c7328a3bb011fc7458110dd1b868d0033d333aad6f9dcb363179b21","synced_at":"2026-01-05T08:00:04+00:00"}','{"id":1,"path":"README.md","kind":"markdown","title":"List","settings":"{}","digest":"7bd26a0d2d1f6c7bdb8f6352fff0c722d0543afe6c11c467941a66db31ee1530","synced_at":"2026-01-05T08:00:08+00:00"}');
INSERT INTO "changes" VALUES (90,9,NULL,'entries','[4]','delete','{"id":4,"document_id":1,"paper_id":null,"position":2,"key":"arxiv:2407.10009","category":"[\"Serving\"]","text":"| [<u>Late Arrival</u>][16] | [![arXiv][0]][16] | ✅ |\n","base":"{\"authors\": [], \"description\": null, \"identifiers\": [[\"arxiv\", \"2407.10009\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2407.10009\"], \"passes\": 1, \"tags\": [], \"title\": \"Late Arrival\", \"venue\": null}","library":"{\"date\": null, \"identifiers\": [[\"arxiv\", \"2407.10009\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2407.10009\"], \"passes\": 1, \"rating\": null, \"tags\": [], \"title\": null}"}',NULL);
INSERT INTO "changes" VALUES (91,9,NULL,'entries','[6]','delete','{"id":6,"document_id":1,"paper_id":null,"position":4,"key":"arxiv:2401.00002","category":"[\"Listed\"]","text":"* **Second** [[paper]](https://arxiv.org/abs/2401.00002) 🏆\n","base":"{\"authors\": [], \"description\": null, \"identifiers\": [[\"arxiv\", \"2401.00002\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2401.00002\"], \"tags\": [\"trophy\"], \"title\": \"Second\", \"venue\": null}","library":"{\"date\": null, \"identifiers\": [[\"arxiv\", \"2401.00002\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2401.00002\"], \"passes\": 0, \"rating\": null, \"tags\": [\"trophy\"], \"title\": null}"}',NULL);
INSERT INTO "changes" VALUES (92,9,5,'entries','[5]','update','{"id":5,"document_id":1,"paper_id":5,"position":3,"key":"arxiv:2401.00001","category":"[\"Listed\"]","text":"* [First of All](https://arxiv.org/abs/2401.00001) - my favourite\n  by [Ada](https://example.org/ada)\n\n  - so many ideas\n  - [code](https://github.com/example/first)\n","base":"{\"authors\": [], \"code\": [\"https://github.com/example/first\"], \"description\": \"my favourite by Ada\", \"identifiers\": [[\"arxiv\", \"2401.00001\"]], \"kind\": \"paper\", \"note\": [], \"other\": [\"https://example.org/ada\"], \"paper\": [\"https://arxiv.org/abs/2401.00001\"], \"tags\": [], \"title\": \"First of All\", \"venue\": null}","library":"{\"code\": [\"https://github.com/example/first\"], \"date\": null, \"identifiers\": [[\"arxiv\", \"2401.00001\"]], \"kind\": \"paper\", \"note\": [], \"other\": [\"https://example.org/ada\"], \"paper\": [\"https://arxiv.org/abs/2401.00001\"], \"passes\": 0, \"rating\": null, \"tags\": [], \"title\": null}"}','{"id":5,"document_id":1,"paper_id":5,"position":2,"key":"arxiv:2401.00001","category":"[\"Listed\"]","text":"* [First of All](https://arxiv.org/abs/2401.00001) - my favourite\n  by [Ada](https://example.org/ada)\n\n  - so many ideas\n  - [code](https://github.com/example/first)\n","base":"{\"authors\": [], \"code\": [\"https://github.com/example/first\"], \"description\": \"my favourite by Ada\", \"identifiers\": [[\"arxiv\", \"2401.00001\"]], \"kind\": \"paper\", \"note\": [], \"other\": [\"https://example.org/ada\"], \"paper\": [\"https://arxiv.org/abs/2401.00001\"], \"tags\": [], \"title\": \"First of All\", \"venue\": null}","library":"{\"code\": [\"https://github.com/example/first\"], \"date\": null, \"identifiers\": [[\"arxiv\", \"2401.00001\"]], \"kind\": \"paper\", \"note\": [], \"other\": [\"https://example.org/ada\"], \"paper\": [\"https://arxiv.org/abs/2401.00001\"], \"passes\": 0, \"rating\": null, \"tags\": [], \"title\": null}"}');
INSERT INTO "changes" VALUES (93,9,7,'entries','[7]','update','{"id":7,"document_id":1,"paper_id":7,"position":5,"key":"arxiv:2401.00003","category":"[\"Listed\"]","text":"* [Third](https://arxiv.org/abs/2401.00003)\n","base":"{\"authors\": [], \"description\": null, \"identifiers\": [[\"arxiv\", \"2401.00003\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2401.00003\"], \"tags\": [], \"title\": \"Third\", \"venue\": null}","library":"{\"date\": null, \"identifiers\": [[\"arxiv\", \"2401.00003\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2401.00003\"], \"passes\": 0, \"rating\": null, \"tags\": [], \"title\": null}"}','{"id":7,"document_id":1,"paper_id":7,"position":3,"key":"arxiv:2401.00003","category":"[\"Listed\"]","text":"* [Third](https://arxiv.org/abs/2401.00003)\n","base":"{\"authors\": [], \"description\": null, \"identifiers\": [[\"arxiv\", \"2401.00003\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2401.00003\"], \"tags\": [], \"title\": \"Third\", \"venue\": null}","library":"{\"date\": null, \"identifiers\": [[\"arxiv\", \"2401.00003\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2401.00003\"], \"passes\": 0, \"rating\": null, \"tags\": [], \"title\": null}"}');
INSERT INTO "changes" VALUES (94,9,8,'entries','[8]','update','{"id":8,"document_id":1,"paper_id":8,"position":6,"key":"arxiv:2402.00001","category":"[\"Counted\"]","text":"1. [Number One](https://arxiv.org/abs/2402.00001)\n","base":"{\"authors\": [], \"description\": null, \"identifiers\": [[\"arxiv\", \"2402.00001\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.00001\"], \"tags\": [], \"title\": \"Number One\", \"venue\": null}","library":"{\"date\": null, \"identifiers\": [[\"arxiv\", \"2402.00001\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.00001\"], \"passes\": 0, \"rating\": null, \"tags\": [], \"title\": null}"}','{"id":8,"document_id":1,"paper_id":8,"position":4,"key":"arxiv:2402.00001","category":"[\"Counted\"]","text":"1. [Number One](https://arxiv.org/abs/2402.00001)\n","base":"{\"authors\": [], \"description\": null, \"identifiers\": [[\"arxiv\", \"2402.00001\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.00001\"], \"tags\": [], \"title\": \"Number One\", \"venue\": null}","library":"{\"date\": null, \"identifiers\": [[\"arxiv\", \"2402.00001\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.00001\"], \"passes\": 0, \"rating\": null, \"tags\": [], \"title\": null}"}');
INSERT INTO "changes" VALUES (95,9,9,'entries','[9]','update','{"id":9,"document_id":1,"paper_id":9,"position":7,"key":"arxiv:2402.00002","category":"[\"Counted\"]","text":"2. [Number Two](https://arxiv.org/abs/2402.00002), see also page 3\n","base":"{\"authors\": [], \"description\": \"see also page 3\", \"identifiers\": [[\"arxiv\", \"2402.00002\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.00002\"], \"tags\": [], \"title\": \"Number Two\", \"venue\": null}","library":"{\"date\": null, \"identifiers\": [[\"arxiv\", \"2402.00002\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.00002\"], \"passes\": 0, \"rating\": null, \"tags\": [], \"title\": null}"}','{"id":9,"document_id":1,"paper_id":9,"position":5,"key":"arxiv:2402.00002","category":"[\"Counted\"]","text":"2. [Number Two](https://arxiv.org/abs/2402.00002), see also page 3\n","base":"{\"authors\": [], \"description\": \"see also page 3\", \"identifiers\": [[\"arxiv\", \"2402.00002\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.00002\"], \"tags\": [], \"title\": \"Number Two\", \"venue\": null}","library":"{\"date\": null, \"identifiers\": [[\"arxiv\", \"2402.00002\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.00002\"], \"passes\": 0, \"rating\": null, \"tags\": [], \"title\": null}"}');
INSERT INTO "changes" VALUES (96,9,10,'entries','[10]','update','{"id":10,"document_id":1,"paper_id":10,"position":8,"key":"arxiv:2402.00003","category":"[\"Counted\"]","text":"3. [Number Three](https://arxiv.org/abs/2402.00003)\n","base":"{\"authors\": [], \"description\": null, \"identifiers\": [[\"arxiv\", \"2402.00003\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.00003\"], \"tags\": [], \"title\": \"Number Three\", \"venue\": null}","library":"{\"date\": null, \"identifiers\": [[\"arxiv\", \"2402.00003\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.00003\"], \"passes\": 0, \"rating\": null, \"tags\": [], \"title\": null}"}','{"id":10,"document_id":1,"paper_id":10,"position":6,"key":"arxiv:2402.00003","category":"[\"Counted\"]","text":"3. [Number Three](https://arxiv.org/abs/2402.00003)\n","base":"{\"authors\": [], \"description\": null, \"identifiers\": [[\"arxiv\", \"2402.00003\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.00003\"], \"tags\": [], \"title\": \"Number Three\", \"venue\": null}","library":"{\"date\": null, \"identifiers\": [[\"arxiv\", \"2402.00003\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.00003\"], \"passes\": 0, \"rating\": null, \"tags\": [], \"title\": null}"}');
INSERT INTO "changes" VALUES (97,9,11,'entries','[11]','update','{"id":11,"document_id":1,"paper_id":11,"position":9,"key":"arxiv:2402.00004","category":"[\"Counted Too\"]","text":"1. [Other One](https://arxiv.org/abs/2402.00004)\n","base":"{\"authors\": [], \"description\": null, \"identifiers\": [[\"arxiv\", \"2402.00004\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.00004\"], \"tags\": [], \"title\": \"Other One\", \"venue\": null}","library":"{\"date\": null, \"identifiers\": [[\"arxiv\", \"2402.00004\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.00004\"], \"passes\": 0, \"rating\": null, \"tags\": [], \"title\": null}"}','{"id":11,"document_id":1,"paper_id":11,"position":7,"key":"arxiv:2402.00004","category":"[\"Counted Too\"]","text":"1. [Other One](https://arxiv.org/abs/2402.00004)\n","base":"{\"authors\": [], \"description\": null, \"identifiers\": [[\"arxiv\", \"2402.00004\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.00004\"], \"tags\": [], \"title\": \"Other One\", \"venue\": null}","library":"{\"date\": null, \"identifiers\": [[\"arxiv\", \"2402.00004\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.00004\"], \"passes\": 0, \"rating\": null, \"tags\": [], \"title\": null}"}');
INSERT INTO "changes" VALUES (98,12,9,'paper_categories','[9,4]','delete','{"paper_id":9,"category_id":4,"position":1}',NULL);
INSERT INTO "changes" VALUES (99,12,9,'paper_categories','[9,5]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (100,13,NULL,'documents','[1]','update','{"id":1,"path":"README.md","kind":"markdown","title":"List","settings":"{}","digest":"7bd26a0d2d1f6c7bdb8f6352fff0c722d0543afe6c11c467941a66db31ee1530","synced_at":"2026-01-05T08:00:08+00:00"}','{"id":1,"path":"README.md","kind":"markdown","title":"List","settings":"{}","digest":"f859e1e658a32121d5cdd9fc46695321348154ae148fb5252fc0bbef426a4c42","synced_at":"2026-01-05T08:00:12+00:00"}');
INSERT INTO "changes" VALUES (101,13,10,'entries','[10]','update','{"id":10,"document_id":1,"paper_id":10,"position":6,"key":"arxiv:2402.00003","category":"[\"Counted\"]","text":"3. [Number Three](https://arxiv.org/abs/2402.00003)\n","base":"{\"authors\": [], \"description\": null, \"identifiers\": [[\"arxiv\", \"2402.00003\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.00003\"], \"tags\": [], \"title\": \"Number Three\", \"venue\": null}","library":"{\"date\": null, \"identifiers\": [[\"arxiv\", \"2402.00003\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.00003\"], \"passes\": 0, \"rating\": null, \"tags\": [], \"title\": null}"}','{"id":10,"document_id":1,"paper_id":10,"position":5,"key":"arxiv:2402.00003","category":"[\"Counted\"]","text":"3. [Number Three](https://arxiv.org/abs/2402.00003)\n","base":"{\"authors\": [], \"description\": null, \"identifiers\": [[\"arxiv\", \"2402.00003\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.00003\"], \"tags\": [], \"title\": \"Number Three\", \"venue\": null}","library":"{\"date\": null, \"identifiers\": [[\"arxiv\", \"2402.00003\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.00003\"], \"passes\": 0, \"rating\": null, \"tags\": [], \"title\": null}"}');
INSERT INTO "changes" VALUES (102,13,11,'entries','[11]','update','{"id":11,"document_id":1,"paper_id":11,"position":7,"key":"arxiv:2402.00004","category":"[\"Counted Too\"]","text":"1. [Other One](https://arxiv.org/abs/2402.00004)\n","base":"{\"authors\": [], \"description\": null, \"identifiers\": [[\"arxiv\", \"2402.00004\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.00004\"], \"tags\": [], \"title\": \"Other One\", \"venue\": null}","library":"{\"date\": null, \"identifiers\": [[\"arxiv\", \"2402.00004\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.00004\"], \"passes\": 0, \"rating\": null, \"tags\": [], \"title\": null}"}','{"id":11,"document_id":1,"paper_id":11,"position":6,"key":"arxiv:2402.00004","category":"[\"Counted Too\"]","text":"1. [Other One](https://arxiv.org/abs/2402.00004)\n","base":"{\"authors\": [], \"description\": null, \"identifiers\": [[\"arxiv\", \"2402.00004\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.00004\"], \"tags\": [], \"title\": \"Other One\", \"venue\": null}","library":"{\"date\": null, \"identifiers\": [[\"arxiv\", \"2402.00004\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.00004\"], \"passes\": 0, \"rating\": null, \"tags\": [], \"title\": null}"}');
INSERT INTO "changes" VALUES (103,13,9,'entries','[9]','update','{"id":9,"document_id":1,"paper_id":9,"position":5,"key":"arxiv:2402.00002","category":"[\"Counted\"]","text":"2. [Number Two](https://arxiv.org/abs/2402.00002), see also page 3\n","base":"{\"authors\": [], \"description\": \"see also page 3\", \"identifiers\": [[\"arxiv\", \"2402.00002\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.00002\"], \"tags\": [], \"title\": \"Number Two\", \"venue\": null}","library":"{\"date\": null, \"identifiers\": [[\"arxiv\", \"2402.00002\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.00002\"], \"passes\": 0, \"rating\": null, \"tags\": [], \"title\": null}"}','{"id":9,"document_id":1,"paper_id":9,"position":7,"key":"arxiv:2402.00002","category":"[\"Counted Too\"]","text":"2. [Number Two](https://arxiv.org/abs/2402.00002), see also page 3\n","base":"{\"authors\": [], \"description\": \"see also page 3\", \"identifiers\": [[\"arxiv\", \"2402.00002\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.00002\"], \"tags\": [], \"title\": \"Number Two\", \"venue\": null}","library":"{\"date\": null, \"held_in\": [[\"Counted Too\"]], \"identifiers\": [[\"arxiv\", \"2402.00002\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.00002\"], \"passes\": 0, \"rating\": null, \"tags\": [], \"title\": null}"}');
INSERT INTO "changes" VALUES (104,16,14,'papers','[14]','update','{"id":14,"kind":"paper","citekey":"h2o2025more","is_citekey_given":0,"title":"H2O & More","title_key":"h2omore","abstract":null,"description":null,"submitted":"2025-01","updated":null,"announced":null,"version":null,"primary_category":null,"arxiv_categories":"[]","comment":null,"journal_ref":null,"venue":null,"year":null,"published_type":null,"publication":"[]","licence":null,"is_withdrawn":null,"added":"2026-01-05T08:00:01+00:00"}','{"id":14,"kind":"paper","citekey":"h2o2025more","is_citekey_given":0,"title":"Another","title_key":"h2omore","abstract":null,"description":null,"submitted":"2025-01","updated":null,"announced":null,"version":null,"primary_category":null,"arxiv_categories":"[]","comment":null,"journal_ref":null,"venue":null,"year":null,"published_type":null,"publication":"[]","licence":null,"is_withdrawn":null,"added":"2026-01-05T08:00:01+00:00"}');
INSERT INTO "changes" VALUES (105,16,14,'papers','[14]','update','{"id":14,"kind":"paper","citekey":"h2o2025more","is_citekey_given":0,"title":"Another","title_key":"h2omore","abstract":null,"description":null,"submitted":"2025-01","updated":null,"announced":null,"version":null,"primary_category":null,"arxiv_categories":"[]","comment":null,"journal_ref":null,"venue":null,"year":null,"published_type":null,"publication":"[]","licence":null,"is_withdrawn":null,"added":"2026-01-05T08:00:01+00:00"}','{"id":14,"kind":"paper","citekey":"h2o2025more","is_citekey_given":0,"title":"Another","title_key":"another","abstract":null,"description":null,"submitted":"2025-01","updated":null,"announced":null,"version":null,"primary_category":null,"arxiv_categories":"[]","comment":null,"journal_ref":null,"venue":null,"year":null,"published_type":null,"publication":"[]","licence":null,"is_withdrawn":null,"added":"2026-01-05T08:00:01+00:00"}');
INSERT INTO "changes" VALUES (106,16,14,'field_sources','[14,"title"]','update','{"paper_id":14,"field":"title","source":"document","at":"2026-01-05T08:00:01+00:00"}','{"paper_id":14,"field":"title","source":"user","at":"2026-01-05T08:00:15+00:00"}');
INSERT INTO "changes" VALUES (107,17,9,'entries','[9]','update','{"id":9,"document_id":1,"paper_id":9,"position":7,"key":"arxiv:2402.00002","category":"[\"Counted Too\"]","text":"2. [Number Two](https://arxiv.org/abs/2402.00002), see also page 3\n","base":"{\"authors\": [], \"description\": \"see also page 3\", \"identifiers\": [[\"arxiv\", \"2402.00002\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.00002\"], \"tags\": [], \"title\": \"Number Two\", \"venue\": null}","library":"{\"date\": null, \"held_in\": [[\"Counted Too\"]], \"identifiers\": [[\"arxiv\", \"2402.00002\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.00002\"], \"passes\": 0, \"rating\": null, \"tags\": [], \"title\": null}"}','{"id":9,"document_id":1,"paper_id":9,"position":7,"key":"arxiv:2402.00002","category":"[\"Counted Too\"]","text":"2. [Number Two](https://arxiv.org/abs/2402.00002), see also page 3\n","base":"{\"authors\": [], \"description\": \"see also page 3\", \"identifiers\": [[\"arxiv\", \"2402.00002\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.00002\"], \"tags\": [], \"title\": \"Number Two\", \"venue\": null}","library":"{\"date\": null, \"identifiers\": [[\"arxiv\", \"2402.00002\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2402.00002\"], \"passes\": 0, \"rating\": null, \"tags\": [], \"title\": null}"}');
INSERT INTO "changes" VALUES (108,18,NULL,'documents','[2]','update','{"id":2,"path":"OTHER.md","kind":"markdown","title":"List","settings":"{}","digest":"a86889c9508dd3a72c294f773ad224f983635c1a119126224fcc8f4f5a207bca","synced_at":"2026-01-05T08:00:01+00:00"}','{"id":2,"path":"OTHER.md","kind":"markdown","title":"List","settings":"{}","digest":"b5adb9baa1bca4e7207ebe087dc9d193c10930fd7ba8ab833b4b11b73477034f","synced_at":"2026-01-05T08:00:17+00:00"}');
INSERT INTO "changes" VALUES (109,18,14,'entries','[14]','update','{"id":14,"document_id":2,"paper_id":14,"position":2,"key":"arxiv:2501.00003","category":"[\"Rows\"]","text":"| [H<sub>2</sub>O &amp; More][h2o] | 2024/01/03 | x | [code][h-code] | read |\n","base":"{\"authors\": [], \"code\": [\"https://github.com/x/h2o\"], \"date\": \"2024-01-03\", \"description\": null, \"identifiers\": [[\"arxiv\", \"2501.00003\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2501.00003\"], \"passes\": 1, \"tags\": [], \"title\": \"H2O & More\", \"venue\": null}","library":"{\"code\": [\"https://github.com/x/h2o\"], \"date\": null, \"identifiers\": [[\"arxiv\", \"2501.00003\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2501.00003\"], \"passes\": 1, \"rating\": null, \"tags\": [], \"title\": null}"}','{"id":14,"document_id":2,"paper_id":14,"position":2,"key":"arxiv:2501.00003","category":"[\"Rows\"]","text":"| [Another][h2o] | 2024/01/03 | x | [code][h-code] | read |\n","base":"{\"authors\": [], \"code\": [\"https://github.com/x/h2o\"], \"date\": \"2024-01-03\", \"description\": null, \"identifiers\": [[\"arxiv\", \"2501.00003\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2501.00003\"], \"passes\": 1, \"tags\": [], \"title\": \"Another\", \"venue\": null}","library":"{\"code\": [\"https://github.com/x/h2o\"], \"date\": null, \"identifiers\": [[\"arxiv\", \"2501.00003\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2501.00003\"], \"passes\": 1, \"rating\": null, \"tags\": [], \"title\": \"Another\"}"}');
INSERT INTO "changes" VALUES (110,20,15,'papers','[15]','update','{"id":15,"kind":"paper","citekey":"two2025homes","is_citekey_given":0,"title":"Two Homes","title_key":"twohomes","abstract":null,"description":null,"submitted":"2025-01","updated":null,"announced":null,"version":null,"primary_category":null,"arxiv_categories":"[]","comment":null,"journal_ref":null,"venue":null,"year":null,"published_type":null,"publication":"[]","licence":null,"is_withdrawn":null,"added":"2026-01-05T08:00:01+00:00"}','{"id":15,"kind":"paper","citekey":"two2025homes","is_citekey_given":0,"title":"More -- Homes","title_key":"twohomes","abstract":null,"description":null,"submitted":"2025-01","updated":null,"announced":null,"version":null,"primary_category":null,"arxiv_categories":"[]","comment":null,"journal_ref":null,"venue":null,"year":null,"published_type":null,"publication":"[]","licence":null,"is_withdrawn":null,"added":"2026-01-05T08:00:01+00:00"}');
INSERT INTO "changes" VALUES (111,20,15,'papers','[15]','update','{"id":15,"kind":"paper","citekey":"two2025homes","is_citekey_given":0,"title":"More -- Homes","title_key":"twohomes","abstract":null,"description":null,"submitted":"2025-01","updated":null,"announced":null,"version":null,"primary_category":null,"arxiv_categories":"[]","comment":null,"journal_ref":null,"venue":null,"year":null,"published_type":null,"publication":"[]","licence":null,"is_withdrawn":null,"added":"2026-01-05T08:00:01+00:00"}','{"id":15,"kind":"paper","citekey":"two2025homes","is_citekey_given":0,"title":"More -- Homes","title_key":"morehomes","abstract":null,"description":null,"submitted":"2025-01","updated":null,"announced":null,"version":null,"primary_category":null,"arxiv_categories":"[]","comment":null,"journal_ref":null,"venue":null,"year":null,"published_type":null,"publication":"[]","licence":null,"is_withdrawn":null,"added":"2026-01-05T08:00:01+00:00"}');
INSERT INTO "changes" VALUES (112,20,15,'field_sources','[15,"title"]','update','{"paper_id":15,"field":"title","source":"document","at":"2026-01-05T08:00:01+00:00"}','{"paper_id":15,"field":"title","source":"user","at":"2026-01-05T08:00:19+00:00"}');
INSERT INTO "changes" VALUES (113,22,NULL,'documents','[2]','update','{"id":2,"path":"OTHER.md","kind":"markdown","title":"List","settings":"{}","digest":"b5adb9baa1bca4e7207ebe087dc9d193c10930fd7ba8ab833b4b11b73477034f","synced_at":"2026-01-05T08:00:17+00:00"}','{"id":2,"path":"OTHER.md","kind":"markdown","title":"List","settings":"{}","digest":"85b1a8bb42e3bee74d2684f0ba944661c56ff52c79c7f0071779a763eec8df7d","synced_at":"2026-01-05T08:00:21+00:00"}');
INSERT INTO "changes" VALUES (114,22,15,'entries','[15]','update','{"id":15,"document_id":2,"paper_id":15,"position":3,"key":"arxiv:2501.00004","category":"[\"Rows\"]","text":"| [Two Homes][5] | 2024/01/04 | x | [a][6], [b][7] | |\n","base":"{\"authors\": [], \"code\": [\"https://github.com/x/six\", \"https://github.com/x/seven\"], \"date\": \"2024-01-04\", \"description\": null, \"identifiers\": [[\"arxiv\", \"2501.00004\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2501.00004\"], \"passes\": 0, \"tags\": [], \"title\": \"Two Homes\", \"venue\": null}","library":"{\"code\": [\"https://github.com/x/six\", \"https://github.com/x/seven\"], \"date\": null, \"identifiers\": [[\"arxiv\", \"2501.00004\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2501.00004\"], \"passes\": 0, \"rating\": null, \"tags\": [], \"title\": null}"}','{"id":15,"document_id":2,"paper_id":15,"position":3,"key":"arxiv:2501.00004","category":"[\"Rows\"]","text":"| [More -- Homes][5] | 2024/01/04 | x | [a][6], [b][7] | |\n","base":"{\"authors\": [], \"code\": [\"https://github.com/x/six\", \"https://github.com/x/seven\"], \"date\": \"2024-01-04\", \"description\": null, \"identifiers\": [[\"arxiv\", \"2501.00004\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2501.00004\"], \"passes\": 0, \"tags\": [], \"title\": \"More -- Homes\", \"venue\": null}","library":"{\"code\": [\"https://github.com/x/six\", \"https://github.com/x/seven\"], \"date\": null, \"identifiers\": [[\"arxiv\", \"2501.00004\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2501.00004\"], \"passes\": 0, \"rating\": null, \"tags\": [], \"title\": \"More -- Homes\"}"}');
INSERT INTO "changes" VALUES (115,24,15,'links','[26]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (116,26,NULL,'documents','[2]','update','{"id":2,"path":"OTHER.md","kind":"markdown","title":"List","settings":"{}","digest":"85b1a8bb42e3bee74d2684f0ba944661c56ff52c79c7f0071779a763eec8df7d","synced_at":"2026-01-05T08:00:21+00:00"}','{"id":2,"path":"OTHER.md","kind":"markdown","title":"List","settings":"{}","digest":"c24c52991251a6e4aaee21ce032fd39d8a3f01c2aa470a20efa5dd626f85dc01","synced_at":"2026-01-05T08:00:25+00:00"}');
INSERT INTO "changes" VALUES (117,26,15,'entries','[15]','update','{"id":15,"document_id":2,"paper_id":15,"position":3,"key":"arxiv:2501.00004","category":"[\"Rows\"]","text":"| [More -- Homes][5] | 2024/01/04 | x | [a][6], [b][7] | |\n","base":"{\"authors\": [], \"code\": [\"https://github.com/x/six\", \"https://github.com/x/seven\"], \"date\": \"2024-01-04\", \"description\": null, \"identifiers\": [[\"arxiv\", \"2501.00004\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2501.00004\"], \"passes\": 0, \"tags\": [], \"title\": \"More -- Homes\", \"venue\": null}","library":"{\"code\": [\"https://github.com/x/six\", \"https://github.com/x/seven\"], \"date\": null, \"identifiers\": [[\"arxiv\", \"2501.00004\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2501.00004\"], \"passes\": 0, \"rating\": null, \"tags\": [], \"title\": \"More -- Homes\"}"}','{"id":15,"document_id":2,"paper_id":15,"position":3,"key":"arxiv:2501.00004","category":"[\"Rows\"]","text":"| [More -- Homes][5] | 2024/01/04 | x | [a][6], [b][7], [z][9] | |\n","base":"{\"authors\": [], \"code\": [\"https://github.com/x/six\", \"https://github.com/x/seven\", \"https://github.com/y/z\"], \"date\": \"2024-01-04\", \"description\": null, \"identifiers\": [[\"arxiv\", \"2501.00004\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2501.00004\"], \"passes\": 0, \"tags\": [], \"title\": \"More -- Homes\", \"venue\": null}","library":"{\"code\": [\"https://github.com/x/six\", \"https://github.com/x/seven\", \"https://github.com/y/z\"], \"date\": null, \"identifiers\": [[\"arxiv\", \"2501.00004\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2501.00004\"], \"passes\": 0, \"rating\": null, \"tags\": [], \"title\": \"More -- Homes\"}"}');
INSERT INTO "changes" VALUES (118,28,14,'links','[18]','delete','{"id":18,"paper_id":14,"position":1,"role":"code","url":"https://github.com/x/h2o","label":"code"}',NULL);
INSERT INTO "changes" VALUES (119,30,NULL,'documents','[2]','update','{"id":2,"path":"OTHER.md","kind":"markdown","title":"List","settings":"{}","digest":"c24c52991251a6e4aaee21ce032fd39d8a3f01c2aa470a20efa5dd626f85dc01","synced_at":"2026-01-05T08:00:25+00:00"}','{"id":2,"path":"OTHER.md","kind":"markdown","title":"List","settings":"{}","digest":"37a0174446f40a24df81eb7cf8b741e8b9cdc589f14d7b5bf98b92d901e58174","synced_at":"2026-01-05T08:00:29+00:00"}');
INSERT INTO "changes" VALUES (120,30,14,'entries','[14]','update','{"id":14,"document_id":2,"paper_id":14,"position":2,"key":"arxiv:2501.00003","category":"[\"Rows\"]","text":"| [Another][h2o] | 2024/01/03 | x | [code][h-code] | read |\n","base":"{\"authors\": [], \"code\": [\"https://github.com/x/h2o\"], \"date\": \"2024-01-03\", \"description\": null, \"identifiers\": [[\"arxiv\", \"2501.00003\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2501.00003\"], \"passes\": 1, \"tags\": [], \"title\": \"Another\", \"venue\": null}","library":"{\"code\": [\"https://github.com/x/h2o\"], \"date\": null, \"identifiers\": [[\"arxiv\", \"2501.00003\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2501.00003\"], \"passes\": 1, \"rating\": null, \"tags\": [], \"title\": \"Another\"}"}','{"id":14,"document_id":2,"paper_id":14,"position":2,"key":"arxiv:2501.00003","category":"[\"Rows\"]","text":"| [Another][h2o] | 2024/01/03 | x | | read |\n","base":"{\"authors\": [], \"date\": \"2024-01-03\", \"description\": null, \"identifiers\": [[\"arxiv\", \"2501.00003\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2501.00003\"], \"passes\": 1, \"tags\": [], \"title\": \"Another\", \"venue\": null}","library":"{\"date\": null, \"identifiers\": [[\"arxiv\", \"2501.00003\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2501.00003\"], \"passes\": 1, \"rating\": null, \"tags\": [], \"title\": \"Another\"}"}');
INSERT INTO "changes" VALUES (121,32,12,'papers','[12]','update','{"id":12,"kind":"paper","citekey":"left2025open","is_citekey_given":0,"title":"Left Open","title_key":"leftopen","abstract":null,"description":null,"submitted":"2025-01","updated":null,"announced":null,"version":null,"primary_category":null,"arxiv_categories":"[]","comment":null,"journal_ref":null,"venue":null,"year":null,"published_type":null,"publication":"[]","licence":null,"is_withdrawn":null,"added":"2026-01-05T08:00:01+00:00"}','{"id":12,"kind":"paper","citekey":"left2025open","is_citekey_given":0,"title":"T","title_key":"leftopen","abstract":null,"description":null,"submitted":"2025-01","updated":null,"announced":null,"version":null,"primary_category":null,"arxiv_categories":"[]","comment":null,"journal_ref":null,"venue":null,"year":null,"published_type":null,"publication":"[]","licence":null,"is_withdrawn":null,"added":"2026-01-05T08:00:01+00:00"}');
INSERT INTO "changes" VALUES (122,32,12,'papers','[12]','update','{"id":12,"kind":"paper","citekey":"left2025open","is_citekey_given":0,"title":"T","title_key":"leftopen","abstract":null,"description":null,"submitted":"2025-01","updated":null,"announced":null,"version":null,"primary_category":null,"arxiv_categories":"[]","comment":null,"journal_ref":null,"venue":null,"year":null,"published_type":null,"publication":"[]","licence":null,"is_withdrawn":null,"added":"2026-01-05T08:00:01+00:00"}','{"id":12,"kind":"paper","citekey":"left2025open","is_citekey_given":0,"title":"T","title_key":"t","abstract":null,"description":null,"submitted":"2025-01","updated":null,"announced":null,"version":null,"primary_category":null,"arxiv_categories":"[]","comment":null,"journal_ref":null,"venue":null,"year":null,"published_type":null,"publication":"[]","licence":null,"is_withdrawn":null,"added":"2026-01-05T08:00:01+00:00"}');
INSERT INTO "changes" VALUES (123,32,12,'field_sources','[12,"title"]','update','{"paper_id":12,"field":"title","source":"document","at":"2026-01-05T08:00:01+00:00"}','{"paper_id":12,"field":"title","source":"user","at":"2026-01-05T08:00:31+00:00"}');
INSERT INTO "changes" VALUES (124,34,NULL,'documents','[2]','update','{"id":2,"path":"OTHER.md","kind":"markdown","title":"List","settings":"{}","digest":"37a0174446f40a24df81eb7cf8b741e8b9cdc589f14d7b5bf98b92d901e58174","synced_at":"2026-01-05T08:00:29+00:00"}','{"id":2,"path":"OTHER.md","kind":"markdown","title":"List","settings":"{}","digest":"39f8b754cb6397483e0b67745ee185a5eef0a4657df73e24befc56870ad4337c","synced_at":"2026-01-05T08:00:33+00:00"}');
INSERT INTO "changes" VALUES (125,34,12,'entries','[12]','update','{"id":12,"document_id":2,"paper_id":12,"position":0,"key":"arxiv:2501.00001","category":"[\"Rows\"]","text":"| <u>[Left Open](https://arxiv.org/abs/2501.00001) | 2024 / 01 | x | [`a`](https://github.com/x/a) | unread |\n","base":"{\"authors\": [], \"code\": [\"https://github.com/x/a\"], \"date\": \"2024\", \"description\": null, \"identifiers\": [[\"arxiv\", \"2501.00001\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2501.00001\"], \"passes\": 0, \"tags\": [], \"title\": \"Left Open\", \"venue\": null}","library":"{\"code\": [\"https://github.com/x/a\"], \"date\": null, \"identifiers\": [[\"arxiv\", \"2501.00001\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2501.00001\"], \"passes\": 0, \"rating\": null, \"tags\": [], \"title\": null}"}','{"id":12,"document_id":2,"paper_id":12,"position":0,"key":"arxiv:2501.00001","category":"[\"Rows\"]","text":"| <u>[T](https://arxiv.org/abs/2501.00001) | 2024 / 01 | x | [`a`](https://github.com/x/a) | unread |\n","base":"{\"authors\": [], \"code\": [\"https://github.com/x/a\"], \"date\": \"2024\", \"description\": null, \"identifiers\": [[\"arxiv\", \"2501.00001\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2501.00001\"], \"passes\": 0, \"tags\": [], \"title\": \"T\", \"venue\": null}","library":"{\"code\": [\"https://github.com/x/a\"], \"date\": null, \"identifiers\": [[\"arxiv\", \"2501.00001\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2501.00001\"], \"passes\": 0, \"rating\": null, \"tags\": [], \"title\": \"T\"}"}');
INSERT INTO "changes" VALUES (126,36,18,'links','[25]','delete','{"id":25,"paper_id":18,"position":1,"role":"code","url":"https://github.com/x/third","label":"third"}',NULL);
INSERT INTO "changes" VALUES (127,36,18,'links','[27]','insert',NULL,NULL);
INSERT INTO "changes" VALUES (128,38,NULL,'documents','[2]','update','{"id":2,"path":"OTHER.md","kind":"markdown","title":"List","settings":"{}","digest":"39f8b754cb6397483e0b67745ee185a5eef0a4657df73e24befc56870ad4337c","synced_at":"2026-01-05T08:00:33+00:00"}','{"id":2,"path":"OTHER.md","kind":"markdown","title":"List","settings":"{}","digest":"443a76aa6e6538b194db1bc073353758ab222fcaea534c8c41a0bf98fcb0bcbe","synced_at":"2026-01-05T08:00:37+00:00"}');
INSERT INTO "changes" VALUES (129,38,18,'entries','[18]','update','{"id":18,"document_id":2,"paper_id":18,"position":6,"key":"arxiv:2502.00003","category":"[\"Items\"]","text":"- [x] [Third](https://arxiv.org/abs/2502.00003)\n    * GitHub: [third](https://github.com/x/third), in *Rust*\n    * a thought\n","base":"{\"authors\": [], \"code\": [\"https://github.com/x/third\"], \"description\": null, \"identifiers\": [[\"arxiv\", \"2502.00003\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2502.00003\"], \"passes\": 1, \"tags\": [], \"title\": \"Third\", \"venue\": null}","library":"{\"code\": [\"https://github.com/x/third\"], \"date\": null, \"identifiers\": [[\"arxiv\", \"2502.00003\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2502.00003\"], \"passes\": 1, \"rating\": null, \"tags\": [], \"title\": null}"}','{"id":18,"document_id":2,"paper_id":18,"position":6,"key":"arxiv:2502.00003","category":"[\"Items\"]","text":"- [x] [Third](https://arxiv.org/abs/2502.00003)\n    * GitHub: [new](https://github.com/y/new), in *Rust*\n    * a thought\n","base":"{\"authors\": [], \"code\": [\"https://github.com/y/new\"], \"description\": null, \"identifiers\": [[\"arxiv\", \"2502.00003\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2502.00003\"], \"passes\": 1, \"tags\": [], \"title\": \"Third\", \"venue\": null}","library":"{\"code\": [\"https://github.com/y/new\"], \"date\": null, \"identifiers\": [[\"arxiv\", \"2502.00003\"]], \"kind\": \"paper\", \"note\": [], \"paper\": [\"https://arxiv.org/abs/2502.00003\"], \"passes\": 1, \"rating\": null, \"tags\": [], \"title\": null}"}');
INSERT INTO "changes" VALUES (130,40,19,'papers','[19]','update','{"id":19,"kind":"paper","citekey":"vaswani","is_citekey_given":1,"title":"Attention Is All You Need","title_key":"attentionisallyouneed","abstract":null,"description":null,"submitted":null,"updated":null,"announced":null,"version":null,"primary_category":null,"arxiv_categories":"[]","comment":null,"journal_ref":null,"venue":"Advances in Neural Information Processing Systems","year":2017,"published_type":"inproceedings","publication":"[[\"pages\", \"5998–6008\"]]","licence":null,"is_withdrawn":null,"added":"2026-01-05T08:00:02+00:00"}','{"id":19,"kind":"paper","citekey":"vaswani","is_citekey_given":1,"title":"Attention Is All You Need","title_key":"attentionisallyouneed","abstract":null,"description":null,"submitted":null,"updated":null,"announced":null,"version":null,"primary_category":null,"arxiv_categories":"[]","comment":null,"journal_ref":null,"venue":"Advances in Neural Information Processing Systems","year":1999,"published_type":"inproceedings","publication":"[[\"pages\", \"5998–6008\"]]","licence":null,"is_withdrawn":null,"added":"2026-01-05T08:00:02+00:00"}');
INSERT INTO "changes" VALUES (131,40,19,'field_sources','[19,"year"]','update','{"paper_id":19,"field":"year","source":"bibtex","at":"2026-01-05T08:00:02+00:00"}','{"paper_id":19,"field":"year","source":"user","at":"2026-01-05T08:00:39+00:00"}');
INSERT INTO "changes" VALUES (132,43,19,'entries','[19]','update','{"id":19,"document_id":3,"paper_id":19,"position":0,"key":"vaswani","category":"[]","text":"5c2daaa9d5b94b22750aafbbfa1e4bd8ba20ae72ba067e747c70c4aadc23c035","base":"{\"authors\": [\"Ashish Vaswani\", \"Noam Shazeer\", \"et al.\"], \"citekey\": \"vaswani\", \"publication.pages\": \"5998–6008\", \"title\": \"Attention Is All You Need\", \"type\": \"inproceedings\", \"venue\": \"Advances in Neural Information Processing Systems\", \"year\": 2017}","library":"{\"authors\": [\"Ashish Vaswani\", \"Noam Shazeer\", \"et al.\"], \"citekey\": \"vaswani\", \"publication.pages\": \"5998–6008\", \"title\": \"Attention Is All You Need\", \"type\": \"inproceedings\", \"venue\": \"Advances in Neural Information Processing Systems\", \"year\": 2017}"}','{"id":19,"document_id":3,"paper_id":19,"position":0,"key":"vaswani","category":"[]","text":"b39345daa0879593446e9051399b8850e53af9c718b2e157463cfa16fc21715e","base":"{\"authors\": [\"Ashish Vaswani\", \"Noam Shazeer\", \"et al.\"], \"citekey\": \"vaswani\", \"publication.pages\": \"5998–6008\", \"title\": \"Attention Is All You Need\", \"type\": \"inproceedings\", \"venue\": \"Advances in Neural Information Processing Systems\", \"year\": 1999}","library":"{\"authors\": [\"Ashish Vaswani\", \"Noam Shazeer\", \"et al.\"], \"citekey\": \"vaswani\", \"publication.pages\": \"5998–6008\", \"title\": \"Attention Is All You Need\", \"type\": \"inproceedings\", \"venue\": \"Advances in Neural Information Processing Systems\", \"year\": 1999}"}');
INSERT INTO "changes" VALUES (133,43,NULL,'documents','[3]','update','{"id":3,"path":"main.bib","kind":"bibtex","title":null,"settings":"{}","digest":"558f9c1b5255bcdab1beb0ff33baa806f81ded3ec5481184b3cc4ff9ebe330cf","synced_at":"2026-01-05T08:00:02+00:00"}','{"id":3,"path":"main.bib","kind":"bibtex","title":null,"settings":"{}","digest":"be0aa40952286321389545aad8487172c7769cd65e569cfbd21a0ce2e4110670","synced_at":"2026-01-05T08:00:42+00:00"}');
INSERT INTO "changes" VALUES (134,44,19,'papers','[19]','update','{"id":19,"kind":"paper","citekey":"vaswani","is_citekey_given":1,"title":"Attention Is All You Need","title_key":"attentionisallyouneed","abstract":null,"description":null,"submitted":null,"updated":null,"announced":null,"version":null,"primary_category":null,"arxiv_categories":"[]","comment":null,"journal_ref":null,"venue":"Advances in Neural Information Processing Systems","year":1999,"published_type":"inproceedings","publication":"[[\"pages\", \"5998–6008\"]]","licence":null,"is_withdrawn":null,"added":"2026-01-05T08:00:02+00:00"}','{"id":19,"kind":"paper","citekey":"vaswani","is_citekey_given":1,"title":"Attention Is All You Need","title_key":"attentionisallyouneed","abstract":null,"description":null,"submitted":null,"updated":null,"announced":null,"version":null,"primary_category":null,"arxiv_categories":"[]","comment":null,"journal_ref":null,"venue":"ICML","year":1999,"published_type":"inproceedings","publication":"[[\"pages\", \"5998–6008\"]]","licence":null,"is_withdrawn":null,"added":"2026-01-05T08:00:02+00:00"}');
INSERT INTO "changes" VALUES (135,44,19,'field_sources','[19,"venue"]','update','{"paper_id":19,"field":"venue","source":"bibtex","at":"2026-01-05T08:00:02+00:00"}','{"paper_id":19,"field":"venue","source":"user","at":"2026-01-05T08:00:43+00:00"}');
INSERT INTO "changes" VALUES (136,47,19,'entries','[19]','update','{"id":19,"document_id":3,"paper_id":19,"position":0,"key":"vaswani","category":"[]","text":"b39345daa0879593446e9051399b8850e53af9c718b2e157463cfa16fc21715e","base":"{\"authors\": [\"Ashish Vaswani\", \"Noam Shazeer\", \"et al.\"], \"citekey\": \"vaswani\", \"publication.pages\": \"5998–6008\", \"title\": \"Attention Is All You Need\", \"type\": \"inproceedings\", \"venue\": \"Advances in Neural Information Processing Systems\", \"year\": 1999}","library":"{\"authors\": [\"Ashish Vaswani\", \"Noam Shazeer\", \"et al.\"], \"citekey\": \"vaswani\", \"publication.pages\": \"5998–6008\", \"title\": \"Attention Is All You Need\", \"type\": \"inproceedings\", \"venue\": \"Advances in Neural Information Processing Systems\", \"year\": 1999}"}','{"id":19,"document_id":3,"paper_id":19,"position":0,"key":"vaswani","category":"[]","text":"e4720e976ad684de7aa43962b04de268a0704d40755f0ea3ee2f48dd01ddf3bc","base":"{\"authors\": [\"Ashish Vaswani\", \"Noam Shazeer\", \"et al.\"], \"citekey\": \"vaswani\", \"publication.pages\": \"5998–6008\", \"title\": \"Attention Is All You Need\", \"type\": \"inproceedings\", \"venue\": \"ICML\", \"year\": 1999}","library":"{\"authors\": [\"Ashish Vaswani\", \"Noam Shazeer\", \"et al.\"], \"citekey\": \"vaswani\", \"publication.pages\": \"5998–6008\", \"title\": \"Attention Is All You Need\", \"type\": \"inproceedings\", \"venue\": \"ICML\", \"year\": 1999}"}');
INSERT INTO "changes" VALUES (137,47,NULL,'documents','[3]','update','{"id":3,"path":"main.bib","kind":"bibtex","title":null,"settings":"{}","digest":"be0aa40952286321389545aad8487172c7769cd65e569cfbd21a0ce2e4110670","synced_at":"2026-01-05T08:00:42+00:00"}','{"id":3,"path":"main.bib","kind":"bibtex","title":null,"settings":"{}","digest":"e7694d29a227b9590009bf1ef9167a8c0bffde7490bec4dfa6f3ce52ff97532f","synced_at":"2026-01-05T08:00:46+00:00"}');
INSERT INTO "changes" VALUES (138,48,NULL,'entries','[20]','update','{"id":20,"document_id":3,"paper_id":20,"position":1,"key":"kwon:paged","category":"[]","text":"eb0c741f3dbfdcb2f369baa0416416f31f357814783671e2568106f488ba182a","base":"{\"arxiv\": \"2309.06180\", \"authors\": [\"Woosuk Kwon\", \"Zhuohan Li\"], \"citekey\": \"kwon:paged\", \"title\": \"Efficient Memory Management with PagedAttention\", \"type\": \"article\", \"year\": 2023}","library":"{\"arxiv\": \"2309.06180\", \"authors\": [\"Woosuk Kwon\", \"Zhuohan Li\"], \"citekey\": \"kwon:paged\", \"title\": \"Efficient Memory Management with PagedAttention\", \"type\": \"article\", \"year\": 2023}"}','{"id":20,"document_id":3,"paper_id":null,"position":1,"key":"kwon:paged","category":"[]","text":"eb0c741f3dbfdcb2f369baa0416416f31f357814783671e2568106f488ba182a","base":"{\"arxiv\": \"2309.06180\", \"authors\": [\"Woosuk Kwon\", \"Zhuohan Li\"], \"citekey\": \"kwon:paged\", \"title\": \"Efficient Memory Management with PagedAttention\", \"type\": \"article\", \"year\": 2023}","library":"{\"arxiv\": \"2309.06180\", \"authors\": [\"Woosuk Kwon\", \"Zhuohan Li\"], \"citekey\": \"kwon:paged\", \"title\": \"Efficient Memory Management with PagedAttention\", \"type\": \"article\", \"year\": 2023}"}');
INSERT INTO "changes" VALUES (139,48,20,'paper_states','[20]','delete','{"paper_id":20,"decision":"saved","decision_reason":null,"decided_at":"2026-01-05T08:00:02+00:00","rating":null,"passes_done":0,"in_hand_since":null}',NULL);
INSERT INTO "changes" VALUES (140,48,20,'originals','[20,"main.bib:kwon:paged"]','delete','{"paper_id":20,"source":"main.bib:kwon:paged","text":"@Article{kwon:paged,\n    author  = \"Woosuk Kwon and Li, Zhuohan\",\n    title   = \"Efficient Memory Management with {PagedAttention}\",\n    journal = \"arXiv preprint arXiv:2309.06180\",\n    year    = \"2023\",\n    mynote  = {50% done},\n}"}',NULL);
INSERT INTO "changes" VALUES (141,48,20,'field_sources','[20,"authors"]','delete','{"paper_id":20,"field":"authors","source":"bibtex","at":"2026-01-05T08:00:02+00:00"}',NULL);
INSERT INTO "changes" VALUES (142,48,20,'field_sources','[20,"published_type"]','delete','{"paper_id":20,"field":"published_type","source":"bibtex","at":"2026-01-05T08:00:02+00:00"}',NULL);
INSERT INTO "changes" VALUES (143,48,20,'field_sources','[20,"title"]','delete','{"paper_id":20,"field":"title","source":"bibtex","at":"2026-01-05T08:00:02+00:00"}',NULL);
INSERT INTO "changes" VALUES (144,48,20,'field_sources','[20,"year"]','delete','{"paper_id":20,"field":"year","source":"bibtex","at":"2026-01-05T08:00:02+00:00"}',NULL);
INSERT INTO "changes" VALUES (145,48,20,'authors','[20,0]','delete','{"paper_id":20,"position":0,"name":"Woosuk Kwon","affiliation":null,"family":null}',NULL);
INSERT INTO "changes" VALUES (146,48,20,'authors','[20,1]','delete','{"paper_id":20,"position":1,"name":"Zhuohan Li","affiliation":null,"family":null}',NULL);
INSERT INTO "changes" VALUES (147,48,20,'identifiers','["arxiv","2309.06180"]','delete','{"scheme":"arxiv","value":"2309.06180","paper_id":20,"position":0}',NULL);
INSERT INTO "changes" VALUES (148,48,20,'papers','[20]','delete','{"id":20,"kind":"paper","citekey":"kwon:paged","is_citekey_given":1,"title":"Efficient Memory Management with PagedAttention","title_key":"efficientmemorymanagementwithpagedattention","abstract":null,"description":null,"submitted":null,"updated":null,"announced":null,"version":null,"primary_category":null,"arxiv_categories":"[]","comment":null,"journal_ref":null,"venue":null,"year":2023,"published_type":"article","publication":"[]","licence":null,"is_withdrawn":null,"added":"2026-01-05T08:00:02+00:00"}',NULL);
INSERT INTO "changes" VALUES (149,51,NULL,'entries','[20]','delete','{"id":20,"document_id":3,"paper_id":null,"position":1,"key":"kwon:paged","category":"[]","text":"eb0c741f3dbfdcb2f369baa0416416f31f357814783671e2568106f488ba182a","base":"{\"arxiv\": \"2309.06180\", \"authors\": [\"Woosuk Kwon\", \"Zhuohan Li\"], \"citekey\": \"kwon:paged\", \"title\": \"Efficient Memory Management with PagedAttention\", \"type\": \"article\", \"year\": 2023}","library":"{\"arxiv\": \"2309.06180\", \"authors\": [\"Woosuk Kwon\", \"Zhuohan Li\"], \"citekey\": \"kwon:paged\", \"title\": \"Efficient Memory Management with PagedAttention\", \"type\": \"article\", \"year\": 2023}"}',NULL);
INSERT INTO "changes" VALUES (150,51,21,'entries','[21]','update','{"id":21,"document_id":3,"paper_id":21,"position":2,"key":"knuth","category":"[]","text":"fd1e9a5c152e4f92b71b7c2fa52d74fe6fabfac7a524e2fc608b8e83013f6f3c","base":"{\"authors\": [\"Donald E. Knuth\"], \"citekey\": \"knuth\", \"publication.publisher\": \"AW\", \"title\": \"The TeXbook\", \"type\": \"book\", \"year\": 1984}","library":"{\"authors\": [\"Donald E. Knuth\"], \"citekey\": \"knuth\", \"publication.publisher\": \"AW\", \"title\": \"The TeXbook\", \"type\": \"book\", \"year\": 1984}"}','{"id":21,"document_id":3,"paper_id":21,"position":1,"key":"knuth","category":"[]","text":"fd1e9a5c152e4f92b71b7c2fa52d74fe6fabfac7a524e2fc608b8e83013f6f3c","base":"{\"authors\": [\"Donald E. Knuth\"], \"citekey\": \"knuth\", \"publication.publisher\": \"AW\", \"title\": \"The TeXbook\", \"type\": \"book\", \"year\": 1984}","library":"{\"authors\": [\"Donald E. Knuth\"], \"citekey\": \"knuth\", \"publication.publisher\": \"AW\", \"title\": \"The TeXbook\", \"type\": \"book\", \"year\": 1984}"}');
INSERT INTO "changes" VALUES (151,51,NULL,'documents','[3]','update','{"id":3,"path":"main.bib","kind":"bibtex","title":null,"settings":"{}","digest":"e7694d29a227b9590009bf1ef9167a8c0bffde7490bec4dfa6f3ce52ff97532f","synced_at":"2026-01-05T08:00:46+00:00"}','{"id":3,"path":"main.bib","kind":"bibtex","title":null,"settings":"{}","digest":"16ee4e8c3bfefc62b4efc50cd583440388705c66cbf9657f3db9e64b3c58806c","synced_at":"2026-01-05T08:00:50+00:00"}');
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
INSERT INTO "search_data" VALUES (1,X'1123090F000000');
INSERT INTO "search_data" VALUES (10,X'0000000002053200051101010101010201010301010401010000');
INSERT INTO "search_data" VALUES (137438953473,X'0000010A0330616C130601010703016C13020402057368697368130601010202087474656E74696F6E1302020102657413060101060102697313020301046E65656413020602036F616D130601010401077368617A6565721306010105010776617377616E6913060101030103796F75130205000331616C13080401010702017313060101020201741302020102657413060101060102697313020301026E6513020602016F13060101040102736813060101050102766113060101030102796F130205000432616C6C1302040202736813060101020202747413020201036E656513020602026F61130601010401037368611306010105010376617313060101030103796F751302050409060C0D0907090A0E0E080B08060907070809090709090708090A0A');
INSERT INTO "search_data" VALUES (274877906945,X'000000D00A30656666696369656E74140101046B776F6E140101026C691401010A6D616E6167656D656E7414010205656D6F72791401010E7061676564617474656E74696F6E1401010477697468140102056F6F73756B140101077A68756F68616E14010003316566140101026B77140101026C69140101026D611401020165140101027061140101027769140102016F140101027A681401000432656666140101036B776F140101036D616E14010202656D1401010370616714010103776974140102026F6F140101037A68751401040D08060E091208090B07060606050606050608070706070706');
INSERT INTO "search_data" VALUES (412316860417,X'000000610730646F6E616C641501010165150101056B6E75746815010107746578626F6F6B1501020268651501000331646F150101026B6E15010102746515010201681501000432646F6E150101036B6E75150101037465781501020268651501040A05090B0607060605080707');
INSERT INTO "search_data" VALUES (549755813889,X'0000007C0730646F6E616C641506010102010165150601010301056B6E75746815060101040107746578626F6F6B15020302026865150202000331646F150601010201026B6E150601010401027465150203020168150202000432646F6E150601010201036B6E751506010104010374657815020302026865150202040D080C0C070A0907060B0A08');
INSERT INTO "search_data" VALUES (2336462209025,X'000004760530323032341006010202010601020301013309060102050101610D02020202646105060102050B0601020402026C6C0502040B02040302736F090601020302026E64100601020503056F746865720E02020104626F6C640D020302017905060102040B0601020301076368756E6B65640202020106646F6E616C641506010102010165150601010302086666696369656E7414020201096661766F757269746505060102030202656211060102020204697273740502020B02020105686F6D65730F020301056B6E75746815060101040203776F6E140601010301026C691406010105010A6D616E6167656D656E741402040205656D6F727901020313020302036F72650F0202020179050601020201046E616D650D020402056F626F647910060102060205756D62657208020201020201020201026F660502030B020302026E650802030302030204746865720B020201047061676509060102040501640102020609617474656E74696F6E1402060207726566696C6C7302020301067365636F6E6411020203016509060102020101740C020202066578626F6F6B1502030202686515020203036972640702020B020203037265650A02030202776F09020301047769746814020502056F6F73756B140601010201077A68756F68616E14060101040003313230100601020201060102030102616405060102050B0601020402016C050204040601020307020402016E0E020202060102050102626F0D020302017905060102040B06010203010263680202020102646F15060101020102656614020201026661050601020302016511060102020201690502020B02020102686F0F020301026B6E1506010104020177140601010301026C69140601010501026D6114020402016501020313020302016F0F0202020179050601020201026E610D020402016F100601020602017508020201020201020201026F660502030B020302016E0802030302030201740B02020102706101020208060102040B0206020172020203010273650906010202080202010274651502030201680702020302030802020302020201770902030102776914020502016F140601010201027A68140601010400043232303210060102020106010203010361646105060102050B0601020402026C6C0502040B0204030173090601020302026E64100601020503016F0E02020103626F6C0D020301036368750202020103646F6E1506010102010365666614020201036661760506010203020265621106010202020269720502020B02020103686F6D0F020301036B6E7515060101040202776F140601010301036D616E1402040202656D01020313020302026F720F020201036E616D0D020402026F6210060102060202756D08020201020201020201036F6E65080203030203020274680B0202010370616701020208060102040B020602027265020203010373656311020203016509060102020103746578150203020268651502020301690702020B02020301720A02030202776F090203010377697414020502026F6F140601010201037A68751406010104041008060E0A09090A090D0C0D080D10090C0A0C0A090F0D0808090C100A0A090B060E0C0B08060B070B0807090C0E0F0E0E0B070D070907090809070908090709060807080C0A09060F060C070F06070809100F0A08090608080A080A090A080A09080A0708090D0B071007080808070906070809');
DELETE FROM "search_idx";
INSERT INTO "search_idx" VALUES (1,X'',2);
INSERT INTO "search_idx" VALUES (2,X'',2);
INSERT INTO "search_idx" VALUES (3,X'',2);
INSERT INTO "search_idx" VALUES (4,X'',2);
INSERT INTO "search_idx" VALUES (17,X'',2);
DELETE FROM "search_content";
INSERT INTO "search_content" VALUES (1,'paged memory','','','','','');
INSERT INTO "search_content" VALUES (2,'chunked prefills','','','','','');
INSERT INTO "search_content" VALUES (5,'first of all','','my favourite by ada','','','');
INSERT INTO "search_content" VALUES (7,'third','','','','','');
INSERT INTO "search_content" VALUES (8,'number one','','','','','');
INSERT INTO "search_content" VALUES (9,'number two','','see also page 3','','','');
INSERT INTO "search_content" VALUES (10,'number three','','','','','');
INSERT INTO "search_content" VALUES (11,'other one','','','','','');
INSERT INTO "search_content" VALUES (12,'t','','','','','');
INSERT INTO "search_content" VALUES (13,'a bold name','','','','','');
INSERT INTO "search_content" VALUES (14,'another','','','','','');
INSERT INTO "search_content" VALUES (15,'more homes','','','','','');
INSERT INTO "search_content" VALUES (16,'first of all','','2024 by ada and nobody','','','');
INSERT INTO "search_content" VALUES (17,'second','','feb 2024','','','');
INSERT INTO "search_content" VALUES (18,'third','','','','','');
INSERT INTO "search_content" VALUES (19,'attention is all you need','ashish vaswani | noam shazeer | et al.','','','','');
INSERT INTO "search_content" VALUES (21,'the texbook','donald e. knuth','','','','');
DELETE FROM "search_docsize";
INSERT INTO "search_docsize" VALUES (1,X'020000000000');
INSERT INTO "search_docsize" VALUES (2,X'020000000000');
INSERT INTO "search_docsize" VALUES (5,X'030004000000');
INSERT INTO "search_docsize" VALUES (7,X'010000000000');
INSERT INTO "search_docsize" VALUES (8,X'020000000000');
INSERT INTO "search_docsize" VALUES (9,X'020004000000');
INSERT INTO "search_docsize" VALUES (10,X'020000000000');
INSERT INTO "search_docsize" VALUES (11,X'020000000000');
INSERT INTO "search_docsize" VALUES (12,X'010000000000');
INSERT INTO "search_docsize" VALUES (13,X'030000000000');
INSERT INTO "search_docsize" VALUES (14,X'010000000000');
INSERT INTO "search_docsize" VALUES (15,X'020000000000');
INSERT INTO "search_docsize" VALUES (16,X'030005000000');
INSERT INTO "search_docsize" VALUES (17,X'010002000000');
INSERT INTO "search_docsize" VALUES (18,X'010000000000');
INSERT INTO "search_docsize" VALUES (19,X'050600000000');
INSERT INTO "search_docsize" VALUES (21,X'020300000000');
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
INSERT INTO "removed_entries" VALUES (1,1,'["Serving"]','arxiv:2207.10003','| [<u>Orca-like Batching</u>][11] <!-- ask Ada --> | [![arXiv][0]][11] | |
','{"authors": [], "description": null, "identifiers": [["arxiv", "2207.10003"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2207.10003v2"], "passes": 0, "tags": [], "title": "Orca-like Batching", "venue": null}','{"date": null, "identifiers": [["arxiv", "2207.10003"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2207.10003v2"], "passes": 0, "rating": null, "tags": [], "title": null}','[{"after": ["0 arxiv:2407.10009", "", "## Empty", "", "| Title | arXiv | Read |", "| :---- | :---- | :--- |", "", "## Listed"], "before": ["0 arxiv:2403.10004", "0 arxiv:2309.10001", "| :---- | :---- | :--- |", "| Title | arXiv | Read |", "", "## Serving", "", "# List"], "names": ["0 arxiv:2207.10003"], "order": 231, "text": "| [<u>Orca-like Batching</u>][11] <!-- ask Ada --> | [![arXiv][0]][11] | |\n"}, {"after": ["<!-- Late Arrival -->", "definition 16 https://arxiv.org/abs/2407.10009"], "before": ["definition 2 https://github.com/example/used-by-nobody", "definition 1 https://arxiv.org/abs/2309.10001", "<!-- Paged Memory -->", "definition 0 https://img.shields.io/badge/arXiv-b31b1b.svg", "", "0 arxiv:2402.00004", "", "## Counted Too"], "names": ["<!-- Orca-like Batching -->", "definition 11 https://arxiv.org/abs/2207.10003v2"], "order": 1118, "text": "<!-- Orca-like Batching -->\n[11]: <https://arxiv.org/abs/2207.10003v2>\n"}]');
INSERT INTO "removed_entries" VALUES (2,1,'["Serving"]','arxiv:2407.10009','| [<u>Late Arrival</u>][16] | [![arXiv][0]][16] | ✅ |
','{"authors": [], "description": null, "identifiers": [["arxiv", "2407.10009"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2407.10009"], "passes": 1, "tags": [], "title": "Late Arrival", "venue": null}','{"date": null, "identifiers": [["arxiv", "2407.10009"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2407.10009"], "passes": 1, "rating": null, "tags": [], "title": null}','[{"after": ["", "## Empty", "", "| Title | arXiv | Read |", "| :---- | :---- | :--- |", "", "## Listed", ""], "before": ["0 arxiv:2403.10004", "0 arxiv:2309.10001", "| :---- | :---- | :--- |", "| Title | arXiv | Read |", "", "## Serving", "", "# List"], "names": ["0 arxiv:2407.10009"], "order": 1350, "text": "| [<u>Late Arrival</u>][16] | [![arXiv][0]][16] | ✅ |\n"}, {"after": [], "before": ["definition 2 https://github.com/example/used-by-nobody", "definition 1 https://arxiv.org/abs/2309.10001", "<!-- Paged Memory -->", "definition 0 https://img.shields.io/badge/arXiv-b31b1b.svg", "", "0 arxiv:2402.00004", "", "## Counted Too"], "names": ["<!-- Late Arrival -->", "definition 16 https://arxiv.org/abs/2407.10009"], "order": 2162, "text": "<!-- Late Arrival -->\n[16]: https://arxiv.org/abs/2407.10009"}]');
INSERT INTO "removed_entries" VALUES (3,1,'["Listed"]','arxiv:2401.00002','* **Second** [[paper]](https://arxiv.org/abs/2401.00002) 🏆
','{"authors": [], "description": null, "identifiers": [["arxiv", "2401.00002"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2401.00002"], "tags": ["trophy"], "title": "Second", "venue": null}','{"date": null, "identifiers": [["arxiv", "2401.00002"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2401.00002"], "passes": 0, "rating": null, "tags": ["trophy"], "title": null}','[{"after": ["0 arxiv:2401.00003", "", "## Counted", "", "0 arxiv:2402.00001", "0 arxiv:2402.00002", "0 arxiv:2402.00003", ""], "before": ["4 arxiv:2401.00001", "3 arxiv:2401.00001", "2 arxiv:2401.00001", "1 arxiv:2401.00001", "0 arxiv:2401.00001", "", "## Listed", ""], "names": ["", "0 arxiv:2401.00002"], "order": 1643, "text": "\n* **Second** [[paper]](https://arxiv.org/abs/2401.00002) 🏆\n"}]');
INSERT INTO "removed_entries" VALUES (4,1,'["Counted"]','arxiv:2402.00002','2. [Number Two](https://arxiv.org/abs/2402.00002), see also page 3
','{"authors": [], "description": "see also page 3", "identifiers": [["arxiv", "2402.00002"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2402.00002"], "tags": [], "title": "Number Two", "venue": null}','{"date": null, "held_in": [["Counted Too"]], "identifiers": [["arxiv", "2402.00002"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2402.00002"], "passes": 0, "rating": null, "tags": [], "title": null}','[{"after": ["0 arxiv:2402.00003", "", "## Counted Too", "", "0 arxiv:2402.00004", "", "definition 0 https://img.shields.io/badge/arXiv-b31b1b.svg", "<!-- Paged Memory -->"], "before": ["0 arxiv:2402.00001", "", "## Counted", "", "0 arxiv:2401.00003", "4 arxiv:2401.00001", "3 arxiv:2401.00001", "2 arxiv:2401.00001"], "names": ["0 arxiv:2402.00002"], "order": 2740, "text": "2. [Number Two](https://arxiv.org/abs/2402.00002), see also page 3\n"}]');
INSERT INTO "removed_entries" VALUES (5,3,'[]','kwon:paged','eb0c741f3dbfdcb2f369baa0416416f31f357814783671e2568106f488ba182a','{"arxiv": "2309.06180", "authors": ["Woosuk Kwon", "Zhuohan Li"], "citekey": "kwon:paged", "title": "Efficient Memory Management with PagedAttention", "type": "article", "year": 2023}','{"arxiv": "2309.06180", "authors": ["Woosuk Kwon", "Zhuohan Li"], "citekey": "kwon:paged", "title": "Efficient Memory Management with PagedAttention", "type": "article", "year": 2023}','[{"end": "\n", "following": ["knuth", "{end"], "gap_after": "", "gap_before": "\n\n", "key": "kwon:paged", "previous": ["vaswani", "{start"], "text": "@Article{kwon:paged,\n    author  = \"Woosuk Kwon and Li, Zhuohan\",\n    title   = \"Efficient Memory Management with {PagedAttention}\",\n    journal = \"arXiv preprint arXiv:2309.06180\",\n    year    = \"2023\",\n    mynote  = {50% done},\n}"}]');
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
INSERT INTO "former_texts" VALUES (12,0,'| <u>[Left Open](https://arxiv.org/abs/2501.00001) | 2024 / 01 | x | [`a`](https://github.com/x/a) | unread |
','{"authors": [], "code": ["https://github.com/x/a"], "date": "2024", "description": null, "identifiers": [["arxiv", "2501.00001"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2501.00001"], "passes": 0, "tags": [], "title": "Left Open", "venue": null}','| <u>[T](https://arxiv.org/abs/2501.00001) | 2024 / 01 | x | [`a`](https://github.com/x/a) | unread |
','[]',NULL);
INSERT INTO "former_texts" VALUES (14,0,'| [H<sub>2</sub>O &amp; More][h2o] | 2024/01/03 | x | [code][h-code] | read |
','{"authors": [], "code": ["https://github.com/x/h2o"], "date": "2024-01-03", "description": null, "identifiers": [["arxiv", "2501.00003"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2501.00003"], "passes": 1, "tags": [], "title": "H2O & More", "venue": null}','| [Another][h2o] | 2024/01/03 | x | [code][h-code] | read |
','[]',NULL);
INSERT INTO "former_texts" VALUES (14,1,'| [Another][h2o] | 2024/01/03 | x | [code][h-code] | read |
','{"authors": [], "code": ["https://github.com/x/h2o"], "date": "2024-01-03", "description": null, "identifiers": [["arxiv", "2501.00003"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2501.00003"], "passes": 1, "tags": [], "title": "Another", "venue": null}','| [Another][h2o] | 2024/01/03 | x | | read |
','[{"after": ["<!-- More - - Homes -->", "definition 5 https://arxiv.org/abs/2501.00004", "definition 6 https://github.com/x/six", "definition 7 https://github.com/x/seven", "definition 8 https://example.org/last", "definition 9 https://github.com/y/z"], "before": ["definition h2o https://arxiv.org/abs/2501.00003", "", "2 arxiv:2502.00003", "1 arxiv:2502.00003", "0 arxiv:2502.00003", "0 arxiv:2502.00002", "1 arxiv:2502.00001", "0 arxiv:2502.00001"], "names": ["definition h-code https://github.com/x/h2o"], "order": 779, "text": "[h-code]: https://github.com/x/h2o\n"}]',NULL);
INSERT INTO "former_texts" VALUES (15,0,'| [Two Homes][5] | 2024/01/04 | x | [a][6], [b][7] | |
','{"authors": [], "code": ["https://github.com/x/six", "https://github.com/x/seven"], "date": "2024-01-04", "description": null, "identifiers": [["arxiv", "2501.00004"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2501.00004"], "passes": 0, "tags": [], "title": "Two Homes", "venue": null}','| [More -- Homes][5] | 2024/01/04 | x | [a][6], [b][7] | |
','[]','<!--Two <b>Homes</b>-->');
INSERT INTO "former_texts" VALUES (15,1,'| [More -- Homes][5] | 2024/01/04 | x | [a][6], [b][7] | |
','{"authors": [], "code": ["https://github.com/x/six", "https://github.com/x/seven"], "date": "2024-01-04", "description": null, "identifiers": [["arxiv", "2501.00004"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2501.00004"], "passes": 0, "tags": [], "title": "More -- Homes", "venue": null}','| [More -- Homes][5] | 2024/01/04 | x | [a][6], [b][7], [z][9] | |
','[]',NULL);
INSERT INTO "former_texts" VALUES (18,0,'- [x] [Third](https://arxiv.org/abs/2502.00003)
    * GitHub: [third](https://github.com/x/third), in *Rust*
    * a thought
','{"authors": [], "code": ["https://github.com/x/third"], "description": null, "identifiers": [["arxiv", "2502.00003"]], "kind": "paper", "note": [], "paper": ["https://arxiv.org/abs/2502.00003"], "passes": 1, "tags": [], "title": "Third", "venue": null}','- [x] [Third](https://arxiv.org/abs/2502.00003)
    * GitHub: [new](https://github.com/y/new), in *Rust*
    * a thought
','[]',NULL);
INSERT INTO "former_texts" VALUES (19,0,'@inproceedings{vaswani,
  title     = {Attention Is All You Need},
  author    = {Vaswani, Ashish and Shazeer, Noam and others},
  booktitle = neurips,
  year      = 2017,
  pages     = {5998--6008},
}','{"authors": ["Ashish Vaswani", "Noam Shazeer", "et al."], "citekey": "vaswani", "publication.pages": "5998–6008", "title": "Attention Is All You Need", "type": "inproceedings", "venue": "Advances in Neural Information Processing Systems", "year": 2017}','@inproceedings{vaswani,
  title     = {Attention Is All You Need},
  author    = {Vaswani, Ashish and Shazeer, Noam and others},
  booktitle = neurips,
  year      = 1999,
  pages     = {5998--6008},
}','[]',NULL);
INSERT INTO "former_texts" VALUES (19,1,'@inproceedings{vaswani,
  title     = {Attention Is All You Need},
  author    = {Vaswani, Ashish and Shazeer, Noam and others},
  booktitle = neurips,
  year      = 1999,
  pages     = {5998--6008},
}','{"authors": ["Ashish Vaswani", "Noam Shazeer", "et al."], "citekey": "vaswani", "publication.pages": "5998–6008", "title": "Attention Is All You Need", "type": "inproceedings", "venue": "Advances in Neural Information Processing Systems", "year": 1999}','@inproceedings{vaswani,
  title     = {Attention Is All You Need},
  author    = {Vaswani, Ashish and Shazeer, Noam and others},
  booktitle = {ICML},
  year      = 1999,
  pages     = {5998--6008},
}','[]',NULL);
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
