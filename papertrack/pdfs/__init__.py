"""Read PDFs. They are strangers' files, so a separate process reads them (``worker.py``);
``reader.py`` calls it, and ``texts.py`` finds phrases and references in the result."""
