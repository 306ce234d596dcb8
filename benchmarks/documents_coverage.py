"""How much of each README is understood: ``python benchmarks/documents_coverage.py [FOLDER]``.

For every Markdown file: entries, papers, the distinct arXiv ids that a reader of the rendered page
sees (in links and in the text, code blocks aside), and those of them that belong to no entry. The
page is rendered by markdown-it-py, so that what is seen does not depend on our own reading.
Without FOLDER it is $PAPERTRACK_CORPUS/readmes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from lxml import html
from markdown_it import MarkdownIt

from papertrack.documents.encoding import decode_document
from papertrack.documents.markdown.model import Document
from papertrack.documents.markdown.read.document import parse_document
from papertrack.identifiers import find_arxiv_ids, parse_arxiv_id


def seen_ids(text: str) -> set[str]:
    """Return the arXiv ids that the rendered page shows."""
    page = MarkdownIt("commonmark").enable("table").render(text)
    if not page.strip():
        return set()
    root = html.fromstring(f"<div>{page}</div>")
    for hidden in root.xpath("//pre | //comment()"):
        hidden.drop_tree()
    found = {paper.id for link in root.xpath("//a/@href") if (paper := parse_arxiv_id(link))}
    return found | {paper.id for paper in find_arxiv_ids(root.text_content())}


def held_ids(document: Document) -> set[str]:
    """Return the arXiv ids that entries have as their own or mention."""
    return {
        identifier.value
        for entry in document.entries
        for identifier in (*entry.identifiers, *entry.fields.related)
        if identifier.scheme == "arxiv"
    }


def missed_lines(text: str, missed: set[str]) -> Iterator[str]:
    """Yield where each missed id stands."""
    for number, line in enumerate(text.splitlines(), 1):
        for identifier in sorted(missed):
            if identifier in line:
                yield f"    {identifier} in line {number}"


def main() -> int:
    # Imported here because tests use the functions above, from where this file is a package's.
    from corpus import corpus_files

    folder, paths = corpus_files("readmes", "*.md")
    print(f"{'file':58} {'entries':>7} {'papers':>6} {'seen':>5} {'missed':>6} {'held':>6}")
    worst = 1.0
    for path in paths:
        text = decode_document(path.read_bytes())[0]
        document = parse_document(text)
        seen = seen_ids(text)
        missed = seen - held_ids(document)
        share = 1 - len(missed) / len(seen) if seen else 1.0
        worst = min(worst, share)
        papers = sum(entry.fields.kind == "paper" for entry in document.entries)
        name = str(path.relative_to(folder))[:58]
        counts = f"{len(document.entries):7} {papers:6} {len(seen):5} {len(missed):6}"
        print(f"{name:58} {counts} {share:6.1%}")
        print("".join(f"{line}\n" for line in missed_lines(text, missed)), end="")
    print(f"worst: {worst:.1%}")
    return 0 if worst >= 0.98 else 1


if __name__ == "__main__":
    sys.exit(main())
