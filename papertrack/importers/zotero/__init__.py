"""Zotero: what its database (``zotero.rows``) or its local API (``zotero.api``) says of each item,
and what of that becomes papers, notes and files (``zotero.items``)."""
