"""References are found below their heading."""

from papertrack.pdfs.texts import references_of


def test_references_stand_below_their_heading() -> None:
    pages = [
        "Running Head\nWe love lamps.\n1",
        "Running Head\nIt works.\n7 R EFERENCES\n[1] A. Draft\u00ad\ner. One.\n2",
        "Running Head\n[2] B. Two.\nAppendix A\nMore lamps.\n3",
    ]
    assert references_of(pages) == "[1] A. Drafter. One.\n[2] B. Two."
    assert references_of(["Lamps.", "No list."]) == ""


def test_numbered_references_need_no_heading() -> None:
    listed = "\n".join(f"{number}. Author {number}. Nature (2001)." for number in range(1, 8))
    assert references_of(["1. A step of ours.", listed]) == listed
