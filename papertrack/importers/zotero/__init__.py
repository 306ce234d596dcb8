"""Zotero: its database (``zotero.rows``), what of an item is a paper (``zotero.works``), what the
reader wrote (``zotero.notes``), where its files are (``zotero.storage``), and all of it together
(``zotero.reader``)."""
