from papertrack.documents.manuscripts.model import Scan
from papertrack.documents.manuscripts.registry import language_of


def find_in(text: str, name: str) -> Scan:
    """What one text cites and takes in, read by what it defines itself."""
    language = language_of(name, text)
    return language.scan(text, language.define(text))
