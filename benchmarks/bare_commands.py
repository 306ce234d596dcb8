"""What each command of papertrack is held to: scripts that do the same on one lean table.

Each is given the lean library, the number of the round and what the command is about.
"""

OPEN = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
number = int(sys.argv[2])
LAST = "(SELECT ifnull(max(action), 0) FROM log)"
def shown(row):
    key, title, authors, submitted, passes, decision = row
    state = f"pass {passes}" if passes else "unread" if decision == "saved" else decision
    names = authors.split("; ")
    author = names[0].rpartition(" ")[2] + (" et al." if len(names) > 1 else "")
    return "\\t".join((state, submitted[:7], key, author, title)) + "\\n"
COLUMNS = "key, title, authors, submitted, passes, decision"
"""
FOUND = (
    OPEN
    + """
for row in db.execute(f"SELECT {COLUMNS} FROM papers WHERE decision <> 'discarded' AND id IN"
        " (SELECT rowid FROM search WHERE search MATCH ?) ORDER BY id DESC", ('QUERY',)):
    sys.stdout.write(shown(row))
"""
)
LIST = (
    OPEN
    + """
for row in db.execute(f"SELECT {COLUMNS} FROM papers WHERE decision <> 'discarded'"
        " ORDER BY added DESC, id DESC LIMIT MOST"):
    sys.stdout.write(shown(row))
"""
)
JSON = (
    OPEN
    + """
import json
encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
EMPTY = dict.fromkeys("version doi updated primary_category decision_reason rating description "
    "comment venue year journal_ref is_withdrawn".split())
LISTS = ("arxiv_categories", "tags", "readings", "links", "notes", "topics", "citekey_aliases")
sys.stdout.write("[")
between = ""
for row in db.execute("SELECT id, arxiv, key, title, authors, abstract, submitted, added, passes,"
        " decision, category FROM papers WHERE decision <> 'discarded'"
        " ORDER BY added DESC, id DESC"):
    (id, arxiv, key, title, authors, abstract, submitted, added, passes, decision, category) = row
    one = {"id": id, "kind": "paper", "citekey": key, "title": title,
        "authors": authors.split("; "), "arxiv_id": arxiv,
        "url": f"https://arxiv.org/abs/{arxiv}", "submitted": submitted, "abstract": abstract,
        "categories": [category], "passes_done": passes, "decision": decision, "added": added,
        **EMPTY, **{name: [] for name in LISTS}}
    sys.stdout.write(between + encode(one))
    between = ",\\n"
sys.stdout.write("]\\n")
"""
)
SHOW = (
    OPEN
    + """
row = db.execute("SELECT * FROM papers WHERE key = ?", (sys.argv[3],)).fetchone()
sys.stdout.write("\\n".join(map(str, row)) + "\\n")
"""
)
CHANGE = """
def change(rows, column):
    with db:
        action = db.execute(f"SELECT {LAST} + 1").fetchone()[0]
        for key, value in rows:
            (id, old), = db.execute(f"SELECT id, {column} FROM papers WHERE key = ?", (key,))
            db.execute("INSERT INTO log VALUES (?, ?, ?, ?)", (action, id, column, old))
            db.execute(f"UPDATE papers SET {column} = ? WHERE id = ?", (value, id))
"""
PASS = OPEN + CHANGE + "change([(sys.argv[3], number % 3 + 1)], 'passes')\nprint(sys.argv[3])"
UNDO = (
    OPEN
    + """
with db:
    last, = db.execute(f"SELECT {LAST}").fetchone()
    for id, column, old in db.execute("SELECT id, name, old FROM log WHERE action = ?",
            (last,)).fetchall():
        db.execute(f"UPDATE papers SET {column} = ? WHERE id = ?", (old, id))
    db.execute("DELETE FROM log WHERE action = ?", (last,))
print(last)
"""
)
ADD = (
    OPEN
    + """
with db:
    arxiv = sys.argv[3]
    new = db.execute("INSERT INTO papers (arxiv, key, title, authors, abstract, submitted, added,"
        " passes, decision, category, tags) VALUES (?, ?, '', '', '', '', '', 0, 'saved', '', '')",
        (arxiv, "arxiv" + arxiv)).lastrowid
    db.execute(f"INSERT INTO log VALUES ({LAST} + 1, ?, 'add', NULL)", (new,))
    db.execute("INSERT INTO search (rowid, title, authors, abstract, tags)"
        " VALUES (?, '', '', '', '')", (new,))
print("arxiv" + arxiv)
"""
)
TAG = (
    OPEN
    + CHANGE
    + """
keys = sys.stdin.read().split()
change([(key, f"tag{number}") for key in keys], "tags")
with db:
    for key in keys:
        row = db.execute("SELECT title, authors, abstract, tags, id FROM papers WHERE key = ?",
            (key,))
        db.execute("INSERT OR REPLACE INTO search (title, authors, abstract, tags, rowid)"
            " VALUES (?, ?, ?, ?, ?)", row.fetchone())
"""
)
MOVE = (
    OPEN
    + CHANGE
    + """
keys = sys.stdin.read().split()
change([(key, f"Place {number}") for key in keys], "category")
for key in keys:
    print(key, number)
"""
)
NO_SUCH = (
    OPEN
    + """
row = db.execute("SELECT * FROM papers WHERE key = ?1 OR arxiv = ?1", (sys.argv[3],)).fetchone()
sys.exit(3 if row is None else 0)
"""
)
DUPLICATES = (
    OPEN
    + """
import re
groups = {}
for key, title in db.execute("SELECT key, title FROM papers"):
    groups.setdefault(re.sub(r"[^a-z0-9]+", " ", title.casefold()).strip(), []).append(key)
for keys in groups.values():
    if len(keys) > 1:
        print(*keys)
"""
)
BIB = """
def entry(row):
    key, title, authors, submitted, arxiv, abstract = row
    fields = {"title": title, "author": authors.replace("; ", " and "), "year": submitted[:4],
        "eprint": arxiv, "abstract": abstract}
    inner = "".join(f"  {name} = {{{value}}},\\n" for name, value in fields.items())
    return f"@misc{{{key},\\n{inner}}}\\n"
COLUMNS = "key, title, authors, submitted, arxiv, abstract"
"""
CITE = (
    OPEN
    + BIB
    + """
import re
from pathlib import Path
keys = re.findall(r"\\\\cite\\{([^}]+)\\}", Path(sys.argv[3]).read_text())
for key in keys:
    sys.stdout.write(entry(db.execute(f"SELECT {COLUMNS} FROM papers WHERE key = ?",
        (key,)).fetchone()))
"""
)
EXPORT = (
    OPEN
    + BIB
    + """
with open(sys.argv[3], "w") as file:
    for row in db.execute(f"SELECT {COLUMNS} FROM papers ORDER BY key"):
        file.write(entry(row))
"""
)
# As papertrack does, it takes names apart and keeps each entry word for word beside what it says.
IMPORT = """
import sqlite3, sys
from pathlib import Path
import bibtexparser
from bibtexparser.middlewares import SeparateCoAuthors, SplitNameParts
names = [SeparateCoAuthors(), SplitNameParts()]
entries = bibtexparser.parse_string(Path(sys.argv[3]).read_text(), append_middleware=names).entries
Path("imported.db").unlink(missing_ok=True)
db = sqlite3.connect("imported.db")
db.executescript('''
    CREATE TABLE papers (id INTEGER PRIMARY KEY, arxiv UNIQUE, key UNIQUE, title, authors,
        abstract, year, original);
    CREATE TABLE log (action, id, name, old);
    CREATE VIRTUAL TABLE search USING fts5 (title, authors, abstract);
''')
NAMES = ("eprint", "title", "author", "abstract", "year")
def printed(name):
    return " ".join([*name.first, *name.von, *name.last, *name.jr])
with db:
    for entry in entries:
        fields = {field.key: field.value for field in entry.fields}
        arxiv, title, authors, abstract, year = map(fields.get, NAMES)
        authors = "; ".join(map(printed, authors))
        new = db.execute("INSERT INTO papers (arxiv, key, title, authors, abstract, year, original)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            (arxiv, entry.key, title, authors, abstract, year, entry.raw))
        db.execute("INSERT INTO log VALUES (1, ?, 'paper', NULL)", (new.lastrowid,))
        db.execute("INSERT INTO search (rowid, title, authors, abstract) VALUES (?, ?, ?, ?)",
            (new.lastrowid, title, authors, abstract))
print(len(entries))
"""
