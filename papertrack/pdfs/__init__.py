"""What is in PDFs: a worker of its own reads them (``worker.py``), since they are strangers' files;
``reader.py`` asks it; ``passages.py`` finds phrases in what it read."""
