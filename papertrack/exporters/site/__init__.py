"""The library as a static website: ``make_site`` returns the files and writes none.

The pages work without JavaScript. ``templates/site.js`` adds the search. It reads ``search.json``,
and ``library.json`` for long texts, and supports the same query language as ``papertrack list``.
"""
