"""Read Zotero. ``rows`` reads the database and ``api`` the local API into the same rows;
``items`` makes papers, notes and files of them."""
