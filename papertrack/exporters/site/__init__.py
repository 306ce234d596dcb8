"""The library as a static website: ``make_site`` turns papers into files, and writes none.

The pages work without JavaScript. ``templates/site.js`` adds the search: it reads ``search.json``,
and ``library.json`` for long texts, and understands the query language of ``queries/`` like
``papertrack list``.
"""
