"""What stands in the text of a feed's item is no tag of the item."""

from papertrack.sources.feeds import parse_feed_page


def test_words_in_elements_named_like_tags_stay() -> None:
    entry = (
        "<entry><id>a</id><title>A <tags>shown</tags> B</title><link href='https://e.org/a'/>"
        "<summary type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml'>Hello <tags>x</tags> tail"
        "</div></summary></entry>"
    )
    feed = f"<feed xmlns='http://www.w3.org/2005/Atom'><title>F</title>{entry}</feed>"
    (item,) = parse_feed_page(feed.encode(), "https://e.org/feed").items
    facts = item.announcement.facts
    assert facts.title == "A shown B"
    assert facts.abstract == "Hello x tail"
