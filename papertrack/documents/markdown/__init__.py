"""Read, edit and check curated READMEs. Where to find a rule:

What a text contains
    ``syntax``: blocks, links, code and comments, with their positions
    ``read.bare_identifiers``: identifiers outside of links
    ``headers``: the meaning of column headers and labels, in several languages
    ``roles``: what a link is for
    ``values``: dates, stars, scores, medals
    ``repair``: damaged encodings
    ``marks.vocabulary``, ``marks.kinds``: words and signs of reading marks
    ``marks.document_marks``: which of them are marks in this document

What an entry contains
    ``grammar.likeness``: what a few words look like: a title, names, a venue, …
    ``grammar.pieces``: where an entry's text is split; ``grammar.forms``: its layout
    ``grammar.segments``: which words are the title; ``grammar.learn``: where titles are in a list
    ``read.learning``: the entries to learn from, and the width at which an editor wrapped lines
    ``grammar.titles``: what surrounds a title
    ``grammar.reading``: the roles of the other words
    ``grammar.columns``, ``grammar.cells``: columns and cells of tables
    ``read.detail_lines``: lines below the title
    ``read.entry_builder``: an entry's identifiers, kind and key

Which blocks are entries
    ``read.walk`` visits the blocks and calls the modules below
    ``read.lists``: items and paragraphs; ``read.tables``: rows
    ``read.heading_entries``: headings and ``<details>``
    ``read.multi_block``: works described by several items or paragraphs
    ``read.non_entries``: items without links, and what is reported instead of read as an entry
    ``settings``, ``pattern``: the user's settings for a document

How a list is written
    ``read.style``: its style; ``write.summary``: a description of it for the user
    ``write.edits``: edits; ``write.fields`` writes values, ``write.links`` links and venues,
    ``write.definitions`` link definitions
    ``write.entries``: where a new entry goes; ``write.new_entry``, with ``write.explain`` and
    ``write.facts``: its text
    ``write.hunks``: putting removed entries back; ``merge``: merging three versions
    ``check``: problems of a list
"""
