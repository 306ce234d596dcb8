"""What is in PDFs: a worker of its own reads them (``worker.py``), since they are strangers' files;
``reader.py`` asks it; ``texts.py`` finds phrases and references in what it read."""
