"""Read, edit and check curated READMEs. Where to look for a rule:

What is in a text
    blocks, links, code, comments, and where: ``syntax``; identifiers written out: ``read.written``
    what a header or a label says, in any language: ``headers``; what a link is for: ``roles``
    dates, stars, scores, medals: ``values``; damaged encodings: ``repair``
    words and signs of reading marks: ``marks.vocabulary`` and ``marks.kinds``; which of them are
    marks in this document: ``marks.document_marks``

What an entry says
    what a few words read like: ``grammar.looks`` in lists, ``grammar.likeness`` in cells
    where its text is cut: ``grammar.pieces``; how it is built: ``grammar.forms``
    which words are the title: ``grammar.segments``, learnt over the list by ``grammar.learn``; what
    stands around them: ``grammar.titles``
    what the other words say: ``grammar.reading``; lines below the title: ``read.below``
    columns and cells of tables: ``grammar.columns``, ``grammar.cells``
    its identifiers, its kind and its key: ``read.naming``

Which blocks are entries
    ``read.walk`` asks: items and paragraphs in ``read.lists``, rows in ``read.tables`` and
    ``read.html_rows``, headings and folds in ``read.titled``, works over several paragraphs in
    ``read.spread``, items that are one work in ``read.joined``, items without links in
    ``read.linkless``
    what is reported but not read as an entry: ``read.left_out``
    what the curator sets for a list: ``settings``, ``pattern``

How a list is written
    what is learnt of it: ``read.style``, ``write.summary``
    edits: ``write.edits``, of values ``write.fields``, links and venues
    ``write.links``, link definitions ``write.definitions``
    new entries: their place in ``write.entries``, their words in ``write.new_entry`` by
    ``write.explain`` and ``write.facts``
    entries that come back: ``write.hunks``; two versions into one: ``merge``
    what ``check`` finds: ``check``
"""
