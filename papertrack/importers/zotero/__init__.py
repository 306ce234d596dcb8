"""Read Zotero: its database (``zotero.rows``) or its local API (``zotero.api``) into rows, and rows
into papers, notes and files (``zotero.items``)."""
