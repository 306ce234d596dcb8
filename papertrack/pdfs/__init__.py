"""Read PDFs. As they may come from strangers, a separate process reads them (``worker.py``);
``reader.py`` asks it, and ``texts.py`` finds phrases and references in the text."""
