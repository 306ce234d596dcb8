"""A library as a static web page: ``make_site`` turns papers into files, and writes none.

The pages work without JavaScript. ``templates/site.js`` adds the search: it reads ``search.json``,
and ``library.json`` for what only long texts say, and answers the query language of ``queries/`` as
``papertrack list`` does.
"""
