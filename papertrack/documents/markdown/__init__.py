"""Read, edit and check curated READMEs. Where to find a rule:

What a text contains
    blocks, links, code, comments, and their places: ``syntax``; identifiers written out:
    ``read.written``
    what a header or a label means, in any language: ``headers``; what a link is for: ``roles``
    dates, stars, scores, medals: ``values``; damaged encodings: ``repair``
    words and signs of reading marks: ``marks.vocabulary`` and ``marks.kinds``; which of them are
    marks in this document: ``marks.document_marks``

What an entry contains
    what a few words look like: ``grammar.likeness``
    where its text is split: ``grammar.pieces``; its form: ``grammar.forms``
    which words are the title: ``grammar.segments``, learnt over the list by ``grammar.learn``; what
    surrounds it: ``grammar.titles``
    what the other words are: ``grammar.reading``; lines below the title: ``read.below``
    columns and cells of tables: ``grammar.columns``, ``grammar.cells``
    its identifiers, its kind and its key: ``read.naming``

Which blocks are entries
    ``read.walk`` asks: items and paragraphs in ``read.lists``, rows in ``read.tables``, headings
    and folds in ``read.titled``, works over several items or paragraphs in ``read.spread``, items
    without links in ``read.left_out``
    what is reported instead of read as an entry: ``read.left_out``
    what the curator sets for a list: ``settings``, ``pattern``

How a list is written
    its style, learnt from the text: ``read.style``, ``write.summary``
    edits: ``write.edits``; of values ``write.fields``; of links and venues ``write.links``; of link
    definitions ``write.definitions``
    new entries: their place in ``write.entries``, their words in ``write.new_entry`` with
    ``write.explain`` and ``write.facts``
    entries that are put back: ``write.hunks``; merging two versions: ``merge``
    what ``check`` finds: ``check``
"""
