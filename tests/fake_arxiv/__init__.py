"""A fake arXiv on loopback, for the tests and for trying things by hand.

``with FakeArxiv() as fake:`` runs it inside a test; ``python -m tests.fake_arxiv`` runs it alone.
"""

from tests.fake_arxiv.answers import Announced
from tests.fake_arxiv.records import Shelf, Work, corpus_shelf, synthesise
from tests.fake_arxiv.server import Calendar, FakeArxiv

__all__ = ["Announced", "Calendar", "FakeArxiv", "Shelf", "Work", "corpus_shelf", "synthesise"]
