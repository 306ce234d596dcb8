"""Feeds made after the formats of real ones, each with what is to be read in it."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

DC = 'xmlns:dc="http://purl.org/dc/elements/1.1/"'
PRISM = 'xmlns:prism="http://prismstandard.org/namespaces/basic/2.0/"'
CONTENT = 'xmlns:content="http://purl.org/rss/1.0/modules/content/"'
RDF = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"'


class Read(NamedTuple):
    """What one item says."""

    name: str
    title: str
    authors: tuple[str, ...] = ()
    day: str | None = None
    venue: str | None = None
    abstract: str | None = None
    """A part of it."""


class Shape(NamedTuple):
    """One feed."""

    name: str
    body: bytes
    items: tuple[Read, ...]
    problem: str | None = None
    """A part of what is said of it."""
    headers: Mapping[str, str] = MappingProxyType({})


def rss(items: str, names: str = "", head: str = '<?xml version="1.0" encoding="UTF-8"?>') -> bytes:
    channel = f"<title>A feed</title><link>https://blog.example/</link>{items}"
    return f'{head}<rss version="2.0" {names}><channel>{channel}</channel></rss>'.encode()


def rdf(items: str, names: str = "", title: str = "A journal") -> bytes:
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><rdf:RDF {RDF} {DC} {PRISM} {names}>'
        f'<channel rdf:about="https://journal.example/feed"><title>{title}</title>'
        f"<link>https://journal.example/</link></channel>{items}</rdf:RDF>"
    ).encode()


def atom(entries: str, more: str = "") -> bytes:
    return (
        '<?xml version="1.0" encoding="utf-8"?>'
        f'<feed xmlns="http://www.w3.org/2005/Atom" {more}><title>A feed</title>'
        f"<id>tag:blog.example,2026:feed</id>{entries}</feed>"
    ).encode()


def post(number: int, more: str = "") -> str:
    return (
        f"<item><title>Post {number} of the blog</title>"
        f"<link>https://blog.example/{number}</link>{more}</item>"
    )


def titled(title: str, encoding: str) -> str:
    """A feed of one item that declares this encoding."""
    item = f"<item><title>{title}</title><link>https://blog.example/t</link></item>"
    return rss(item, head=f'<?xml version="1.0" encoding="{encoding}"?>').decode()


def read(number: int, day: str | None = None) -> Read:
    return Read(f"url:https://blog.example/{number}", f"Post {number} of the blog", day=day)


BIORXIV = rdf(
    """<item rdf:about="http://biorxiv.org/cgi/content/short/2026.11.01.123456v1?rss=1">
    <title><![CDATA[
    Cortical maps in <i>Mus musculus</i> after sleep
    ]]></title><link>https://www.biorxiv.org/content/10.1101/2026.11.01.123456v1?rss=1</link>
    <description><![CDATA[
    We map the cortex of mice.
    ]]></description><dc:creator><![CDATA[ Doe, J. A., Roe, R., Van Poe, E. ]]></dc:creator>
    <dc:date>2026-11-03</dc:date><dc:identifier>doi:10.1101/2026.11.01.123456</dc:identifier>
    <dc:title><![CDATA[Cortical maps in Mus musculus after sleep]]></dc:title>
    <dc:publisher>Cold Spring Harbor Laboratory</dc:publisher>
    <prism:publicationDate>2026-11-03</prism:publicationDate><prism:section></prism:section>
    </item>"""
)
NATURE = rdf(
    """<item rdf:about="https://www.nature.com/articles/s41586-026-00001-1">
    <title><![CDATA[A quantum of cats]]></title>
    <link>https://www.nature.com/articles/s41586-026-00001-1</link>
    <content:encoded><![CDATA[<p>Nature, Published online: 11 November 2026; <a
    href="https://www.nature.com/articles/s41586-026-00001-1">doi:10.1038/s41586-026-00001-1</a></p>
    Cats are in superposition.]]></content:encoded><dc:title>A quantum of cats</dc:title>
    <dc:creator>Jane Doe</dc:creator><dc:creator>Richard Roe</dc:creator>
    <dc:identifier>doi:10.1038/s41586-026-00001-1</dc:identifier><dc:source>Nature</dc:source>
    <dc:date>2026-11-11</dc:date><prism:publicationName>Nature</prism:publicationName>
    <prism:doi>10.1038/s41586-026-00001-1</prism:doi>
    <prism:url>https://www.nature.com/articles/s41586-026-00001-1</prism:url></item>""",
    CONTENT,
    "Nature",
)
ELSEVIER = rss(
    """<item><title><![CDATA[Graph learning for molecules]]></title>
    <link>https://www.sciencedirect.com/science/article/pii/S0893608026000011?dgcid=rss_sd_all</link>
    <description><![CDATA[<p>Publication date: December 2026</p><p><b>Source:</b> Neural Networks,
    Volume 190</p><p>Author(s): Jane Doe, Richard Roe</p>]]></description>
    <guid isPermaLink="true">https://www.sciencedirect.com/science/article/pii/S0893608026000011
    </guid>
    </item>"""
)
ACM = rdf(
    """<item rdf:about="https://dl.acm.org/doi/10.1145/3700001.3700002?af=R">
    <title>Faster joins, slower lunches</title>
    <link>https://dl.acm.org/doi/10.1145/3700001.3700002?af=R</link>
    <description>Proceedings of the ACM, Volume 1, Issue 1, &lt;br/&gt;</description>
    <dc:title>Faster joins, slower lunches</dc:title>
    <dc:identifier>doi:10.1145/3700001.3700002</dc:identifier><dc:date>2026-11-09T08:00:00Z</dc:date>
    <dc:creator>Jane Doe</dc:creator><dc:creator>Richard Roe</dc:creator>
    <prism:publicationName>Proceedings of the ACM on Management of Data</prism:publicationName>
    </item>"""
)
IEEE = rss(
    """<item><title><![CDATA[Radar for birds]]></title>
    <link>http://ieeexplore.ieee.org/document/11200001</link>
    <description><![CDATA[We see birds.]]></description>
    <pubDate>Mon, 09 Nov 2026 00:00:00 GMT</pubDate><volume>13</volume><issue>11</issue>
    <startPage>1</startPage><endPage>9</endPage><authors>Jane Doe;Richard Roe;</authors>
    <guid isPermaLink="false">11200001</guid></item>"""
).replace(b"A feed", b"IEEE Transactions on Birds - new TOC")
PNAS = rdf(
    """<item rdf:about="https://www.pnas.org/doi/abs/10.1073/pnas.2600000123?af=R">
    <title>Ants vote</title><link>https://www.pnas.org/doi/abs/10.1073/pnas.2600000123?af=R</link>
    <description>Proceedings of the National Academy of Sciences, Volume 123.</description>
    <dc:creator>Jane Doe, Richard Roe</dc:creator><dc:date>2026-11-10T08:00:00Z</dc:date>
    <prism:publicationName>Proceedings of the National Academy of Sciences</prism:publicationName>
    <prism:doi>10.1073/pnas.2600000123</prism:doi></item>"""
)
OPENREVIEW = atom(
    """<entry><id>https://openreview.net/forum?id=AbCdEfGh12</id><title>Agents that wait</title>
    <link href="https://openreview.net/forum?id=AbCdEfGh12"/><updated>2026-11-08T00:00:00Z</updated>
    <author><name>Jane Doe</name></author><summary>Waiting is all you need.</summary></entry>"""
)
SUBSTACK = rss(
    """<item><title><![CDATA[Notes on "scaling"]]></title>
    <description><![CDATA[A short subtitle]]></description>
    <link>https://jane.substack.com/p/notes-on-scaling</link>
    <guid isPermaLink="false">https://jane.substack.com/p/notes-on-scaling</guid>
    <dc:creator><![CDATA[Jane Doe]]></dc:creator><pubDate>Sat, 14 Nov 2026 12:01:02 GMT</pubDate>
    <enclosure url="https://substackcdn.com/i.png" length="0" type="image/png"/>
    <content:encoded><![CDATA[<div><p>First.</p><p>Second.</p></div>]]></content:encoded></item>""",
    f"{DC} {CONTENT}",
)
WORDPRESS = rss(
    """<item><title>Proofs &#8211; and &#8220;programs&#8221;</title>
    <link>https://blog.example/2026/11/proofs/?utm_source=rss&amp;utm_medium=rss</link>
    <comments>https://blog.example/2026/11/proofs/#comments</comments>
    <dc:creator><![CDATA[jane]]></dc:creator><pubDate>Fri, 13 Nov 2026 09:00:00 +0100</pubDate>
    <category><![CDATA[Logic]]></category>
    <guid isPermaLink="false">https://blog.example/?p=123</guid>
    <description><![CDATA[<p>Proofs are programs [&#8230;]</p>]]></description></item>""",
    DC,
)
WILEY = rdf(
    """<item rdf:about="https://onlinelibrary.wiley.com/doi/10.1002/adma.202600001?af=R">
    <title>Soft Robots
 That Heal</title><link>https://onlinelibrary.wiley.com/doi/10.1002/adma.202600001?af=R</link>
    <description>Advanced Materials, Volume 38, Issue 45, November 2026. </description>
    <content:encoded>&lt;h2&gt;ABSTRACT&lt;/h2&gt;&lt;p&gt;Robots heal.&lt;/p&gt;</content:encoded>
    <dc:creator>
Jane Doe,
Richard Roe
</dc:creator><dc:identifier>10.1002/adma.202600001</dc:identifier>
    <prism:publicationName>Advanced Materials</prism:publicationName>
    <prism:doi>10.1002/adma.202600001</prism:doi><dc:date>2026-11-09T00:02:13-08:00</dc:date>
    </item>""",
    CONTENT,
)
PUBMED = rss(
    """<item><title>Sleep and memory in bees</title>
    <link>https://pubmed.ncbi.nlm.nih.gov/38123456/?utm_source=Other&amp;fc=2024&amp;ff=2026&amp;v=2.18</link>
    <description>&lt;p&gt;Bees sleep.&lt;/p&gt;</description>
    <guid isPermaLink="false">pubmed:38123456</guid>
    <pubDate>Tue, 10 Nov 2026 06:00:00 -0500</pubDate><dc:creator>Jane Doe</dc:creator>
    <dc:creator>Richard Roe</dc:creator><dc:identifier>pmid:38123456</dc:identifier></item>""",
    DC,
)
MDPI = rdf(
    """<item rdf:about="https://www.mdpi.com/2073-8994/18/11/1001">
    <title>Symmetry, Vol. 18, Pages 1001: Knots of Light</title>
    <link>https://www.mdpi.com/2073-8994/18/11/1001</link>
    <description>&lt;p&gt;Light knots.&lt;/p&gt;</description><dc:title>Knots of Light</dc:title>
    <dc:creator>Jane Doe</dc:creator><dc:creator>Richard Roe</dc:creator>
    <dc:identifier>doi: 10.3390/sym18111001</dc:identifier><dc:date>2026-11-10</dc:date>
    <prism:publicationName>Symmetry</prism:publicationName></item>"""
)
PLOS = atom(
    """<entry><title>Bees count</title>
    <link rel="related" href="https://journals.plos.org/file?id=10.1371/journal.pone.0300001.PDF"/>
    <link rel="alternate" href="https://journals.plos.org/a?id=10.1371/journal.pone.0300001"/>
    <author><name>Jane Doe</name></author><author><name>Richard Roe</name></author>
    <id>10.1371/journal.pone.0300001</id><published>2026-11-11T14:00:00Z</published>
    <updated>2026-11-12T14:00:00Z</updated></entry>"""
)
JANE = ("Jane Doe", "Richard Roe")
PAIR = (read(1), read(2))
TWO = post(1) + post(2)

SHAPES = (
    Shape(
        "bioRxiv",
        BIORXIV,
        (
            Read(
                "doi:10.1101/2026.11.01.123456",
                "Cortical maps in Mus musculus after sleep",
                ("J. A. Doe", "R. Roe", "E. Van Poe"),
                "2026-11-03",
                None,
                "We map the cortex of mice.",
            ),
        ),
    ),
    Shape(
        "medRxiv",
        BIORXIV.replace(b"biorxiv", b"medrxiv"),
        (
            Read(
                "doi:10.1101/2026.11.01.123456",
                "Cortical maps in Mus musculus after sleep",
                ("J. A. Doe", "R. Roe", "E. Van Poe"),
                "2026-11-03",
            ),
        ),
    ),
    Shape(
        "Nature",
        NATURE,
        (
            Read(
                "doi:10.1038/s41586-026-00001-1",
                "A quantum of cats",
                JANE,
                "2026-11-11",
                "Nature",
                "Cats are in superposition.",
            ),
        ),
    ),
    Shape(
        "ScienceDirect",
        ELSEVIER,
        (
            Read(
                "url:https://sciencedirect.com/science/article/pii/S0893608026000011?dgcid=rss_sd_all",
                "Graph learning for molecules",
                JANE,
                None,
                "Neural Networks",
            ),
        ),
    ),
    Shape(
        "ACM",
        ACM,
        (
            Read(
                "doi:10.1145/3700001.3700002",
                "Faster joins, slower lunches",
                JANE,
                "2026-11-09",
                "Proceedings of the ACM on Management of Data",
            ),
        ),
    ),
    Shape(
        "IEEE",
        IEEE,
        (
            Read(
                "url:https://ieeexplore.ieee.org/document/11200001",
                "Radar for birds",
                JANE,
                "2026-11-09",
                "IEEE Transactions on Birds",
            ),
        ),
    ),
    Shape(
        "PNAS",
        PNAS,
        (
            Read(
                "doi:10.1073/pnas.2600000123",
                "Ants vote",
                JANE,
                "2026-11-10",
                "Proceedings of the National Academy of Sciences",
            ),
        ),
    ),
    Shape(
        "OpenReview",
        OPENREVIEW,
        (Read("openreview:AbCdEfGh12", "Agents that wait", ("Jane Doe",), "2026-11-08"),),
    ),
    Shape(
        "Substack",
        SUBSTACK,
        (
            Read(
                "url:https://jane.substack.com/p/notes-on-scaling",
                'Notes on "scaling"',
                ("Jane Doe",),
                "2026-11-14",
                None,
                "A short subtitle",
            ),
        ),
    ),
    Shape(
        "WordPress",
        WORDPRESS,
        (
            Read(
                "url:https://blog.example/2026/11/proofs",
                "Proofs – and “programs”",
                ("jane",),
                "2026-11-13",
                None,
                "Proofs are programs […]",
            ),
        ),
    ),
    Shape(
        "Wiley",
        WILEY,
        (
            Read(
                "doi:10.1002/adma.202600001",
                "Soft Robots That Heal",
                JANE,
                "2026-11-09",
                "Advanced Materials",
                "Robots heal.",
            ),
        ),
    ),
    Shape(
        "PubMed, whose links change with each fetch",
        PUBMED,
        (
            Read(
                "url:https://pubmed.ncbi.nlm.nih.gov/38123456",
                "Sleep and memory in bees",
                JANE,
                "2026-11-10",
            ),
        ),
    ),
    Shape(
        "MDPI",
        MDPI,
        (Read("doi:10.3390/sym18111001", "Knots of Light", JANE, "2026-11-10", "Symmetry"),),
    ),
    Shape(
        "PLOS",
        PLOS,
        (Read("doi:10.1371/journal.pone.0300001", "Bees count", JANE, "2026-11-11"),),
    ),
    Shape("a plain blog", rss(TWO), PAIR),
    Shape(
        "an arXiv paper in a blog",
        rss(
            "<item><title>Attention, again</title><link>https://arxiv.org/abs/2611.00001v2</link>"
            "</item>"
        ),
        (Read("arxiv:2611.00001", "Attention, again"),),
    ),
    Shape(
        "an arXiv DOI",
        rss(
            "<item><title>Attention, again</title><link>https://journal.example/1</link>"
            "<dc:identifier>10.48550/arXiv.2611.00001</dc:identifier></item>",
            DC,
        ),
        (Read("arxiv:2611.00001", "Attention, again"),),
    ),
    Shape(
        "Latin-1 that calls itself UTF-8",
        rss("<item><title>Über Bücher</title><link>https://blog.example/u</link></item>")
        .decode()
        .encode("latin-1"),
        (Read("url:https://blog.example/u", "Über Bücher"),),
    ),
    Shape(
        "Windows-1252, declared",
        rss(
            "<item><title>Smart “quotes”</title><link>https://blog.example/q</link></item>",
            head='<?xml version="1.0" encoding="windows-1252"?>',
        )
        .decode()
        .encode("cp1252"),
        (Read("url:https://blog.example/q", "Smart “quotes”"),),
    ),
    Shape(
        "UTF-16",
        rss(TWO, head='<?xml version="1.0" encoding="UTF-16"?>').decode().encode("utf-16"),
        PAIR,
    ),
    Shape(
        "UTF-16 with half a character, a control character and an entity of HTML",
        titled("Gr&ouml;\x0bße 中文", "UTF-16").encode("utf-16")[:200]
        + b"\x00\xd8"
        + titled("Gr&ouml;\x0bße 中文", "UTF-16").encode("utf-16")[200:],
        (Read("url:https://blog.example/t", "Größe 中文"),),
    ),
    Shape(
        "UTF-16 that calls itself UTF-8 and has no BOM",
        titled("Größe &eacute;", "UTF-8").encode("utf-16-le"),
        (Read("url:https://blog.example/t", "Größe é"),),
    ),
    Shape(
        "UTF-16, cut in the middle",
        titled("One", "UTF-16").encode("utf-16")[:-60],
        (),
        "its XML is broken",
    ),
    Shape(
        "Shift JIS with an entity of HTML",
        titled("日本語&nbsp;題", "Shift_JIS").encode("shift_jis"),
        (Read("url:https://blog.example/t", "日本語 題"),),
    ),
    Shape(
        "GBK with a control character",
        titled("中文标题\x08", "gb2312").encode("gbk"),
        (Read("url:https://blog.example/t", "中文标题"),),
    ),
    Shape(
        "an emoji as two numbers",
        rss(
            "<item><title>Fun &#55357;&#56832; café &#128512; &#11;</title>"
            "<link>https://blog.example/f</link></item>"
        ),
        (Read("url:https://blog.example/f", "Fun 😀 café 😀"),),
    ),
    Shape(
        "a warning of PHP before it",
        b"<br />\n<b>Warning</b>: Undefined variable in <b>x.php</b> on line <b>7</b><br />\n"
        + rss(TWO),
        PAIR,
    ),
    Shape(
        "one page for all, with fragments",
        rss(
            "<item><title>May</title><link>https://blog.example/news#may</link></item>"
            "<item><title>June</title><link>https://blog.example/news#june</link></item>"
        ),
        (Read("url:{feed}#/may", "May"), Read("url:{feed}#/june", "June")),
    ),
    Shape(
        "one guid for all",
        rss(
            '<item><title>May</title><guid isPermaLink="false">blog</guid></item>'
            '<item><title>June</title><guid isPermaLink="false">blog</guid></item>'
        ),
        (Read("url:{feed}#/may", "May"), Read("url:{feed}#/june", "June")),
    ),
    Shape("a BOM and blank lines before it", b"\xef\xbb\xbf\n\n" + rss(TWO), PAIR),
    Shape("control characters", rss(post(1) + "\x0b\x08" + post(2)), PAIR),
    Shape(
        "HTML's entities",
        rss(
            "<item><title>Caf&eacute;&nbsp;&mdash;&nbsp;ol&eacute; &amp; &bogus; R&D</title>"
            "<link>https://blog.example/c?a=1&b=2</link></item>"
        ),
        (Read("url:https://blog.example/c?a=1&b=2", "Café — olé & &bogus; R&D"),),
    ),
    Shape(
        "cut in the middle",
        rss(TWO + post(3))[:-60],
        PAIR,
        "its XML is broken",
    ),
    Shape(
        "an unclosed tag",
        rss(post(1) + "<item><title>Post 2 of the blog</title><link>https://blog.example/2</item>"),
        PAIR,
        "its XML is broken",
    ),
    Shape(
        "the DOCTYPE of RSS 0.91",
        rss(TWO).replace(
            b"<rss",
            b'<!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" '
            b'"http://my.netscape.com/publish/formats/rss-0.91.dtd"><rss',
        ),
        PAIR,
    ),
    Shape(
        "no identifiers",
        rss("<item><title>One thought</title></item><item><title>Another thought</title></item>"),
        (
            Read("url:{feed}#/onethought", "One thought"),
            Read("url:{feed}#/anotherthought", "Another thought"),
        ),
    ),
    Shape(
        "guids and no links",
        rss('<item><title>One</title><guid isPermaLink="false">a 1</guid></item>'),
        (Read("url:{feed}#/a%201", "One"),),
    ),
    Shape(
        "guids that are the links",
        rss("<item><title>One</title><guid>https://blog.example/one</guid></item>"),
        (Read("url:https://blog.example/one", "One"),),
    ),
    Shape(
        "one link for all",
        rss(
            "<item><title>Monday</title><link>https://blog.example/</link></item>"
            "<item><title>Tuesday</title><link>https://blog.example/</link></item>"
        ),
        (Read("url:{feed}#/monday", "Monday"), Read("url:{feed}#/tuesday", "Tuesday")),
    ),
    Shape(
        "dates of all kinds",
        rss(
            post(1, "<pubDate>Tue, 10 Nov 2026 23:30:00 -0500</pubDate>")
            + post(2, "<pubDate>yesterday at noon</pubDate>")
            + post(3, "<pubDate>2026-11-12T10:00:00Z</pubDate>")
            + post(4, "<pubDate>Thu, 31 Feb 2026 25:61:00 GMT</pubDate>")
        ),
        (read(1, "2026-11-11"), read(2), read(3, "2026-11-12"), read(4)),
    ),
    Shape(
        "relative links",
        rss("<item><title>Near</title><link>/near</link></item>"),
        (Read("url:https://blog.example/near", "Near"),),
    ),
    Shape(
        "relative links with a base",
        atom(
            "<entry><id>tag:1</id><title>Near</title><link href='near'/>"
            "<updated>2026-11-01T00:00:00Z</updated></entry>",
            'xml:base="https://blog.example/posts/"',
        ),
        (Read("url:https://blog.example/posts/near", "Near", day="2026-11-01"),),
    ),
    Shape(
        "hostile links",
        rss(
            "<item><title>Script</title><link>javascript:alert(1)</link></item>"
            "<item><title>File</title><link>file:///etc/passwd</link></item>"
            "<item><title>User</title><link>https://arxiv.org@evil.example/x</link></item>"
        ),
        (
            Read("url:{feed}#/script", "Script"),
            Read("url:{feed}#/file", "File"),
            Read("url:{feed}#/user", "User"),
        ),
    ),
    Shape(
        "HTML in titles",
        atom(
            '<entry><id>tag:1</id><title type="html">&lt;b&gt;H&lt;sub&gt;2&lt;/sub&gt;O&lt;/b&gt;'
            " &amp;amp; you</title><link href='https://blog.example/h'/></entry>"
            '<entry><id>tag:2</id><title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">'
            "An <em>x</em> &lt; y</div></title><link href='https://blog.example/x'/></entry>"
            "<entry><id>tag:3</id><title>p &lt; 0.05 [sic]</title>"
            "<link href='https://blog.example/p'/></entry>"
        ),
        (
            Read("url:https://blog.example/h", "H2O & you"),
            Read("url:https://blog.example/x", "An x < y"),
            Read("url:https://blog.example/p", "p < 0.05 [sic]"),
        ),
    ),
    Shape(
        "titles that are escaped twice",
        rss(
            "<item><title>&amp;lt;i&amp;gt;E. coli&amp;lt;/i&amp;gt; moves</title>"
            "<link>https://blog.example/e</link></item>"
        ),
        (Read("url:https://blog.example/e", "E. coli moves"),),
    ),
    Shape(
        "no title",
        rss(
            "<item><description>&lt;p&gt;Only a text.&lt;/p&gt;&lt;script&gt;x()&lt;/script&gt;"
            "</description><link>https://blog.example/t</link></item>"
        ),
        (Read("url:https://blog.example/t", "Only a text.", abstract="Only a text."),),
    ),
    Shape(
        "an item of nothing",
        rss(post(1) + "<item></item>" + post(2)),
        PAIR,
        "neither a title",
    ),
    Shape("the same item twice", rss(TWO + post(1)), PAIR),
    Shape("no items", rss(""), ()),
    Shape(
        "RSS 2.0 in capitals of the server", rss(TWO), PAIR, None, {"Content-Type": "text/plain"}
    ),
    Shape("called HTML", rss(TWO), PAIR, None, {"Content-Type": "text/html"}),
    Shape("gzip", gzip.compress(rss(TWO)), PAIR, None, {"Content-Encoding": "gzip"}),
    Shape(
        "an author's mail address",
        rss(post(1, "<author>jane@blog.example (Jane Doe)</author>")),
        (Read("url:https://blog.example/1", "Post 1 of the blog", ("Jane Doe",)),),
    ),
    Shape(
        "several authors in Atom",
        atom(
            "<entry><id>tag:1</id><title>Ours</title><link href='https://blog.example/o'/>"
            "<author><name>Jane Doe</name></author><author><name>Richard Roe</name></author>"
            "<published>2026-11-02T00:00:00Z</published><updated>2026-11-09T00:00:00Z</updated>"
            "</entry>"
        ),
        (Read("url:https://blog.example/o", "Ours", JANE, "2026-11-02"),),
    ),
    Shape(
        "line breaks, directions and zero-width characters",
        rss(
            "<item><title>  Safe\n\t\u202ebut\u200b odd  </title>"
            "<link>\n  https://blog.example/s\n</link></item>"
        ),
        (Read("url:https://blog.example/s", "Safe but odd"),),
    ),
)

LAUGHS = (
    b'<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">'
    b'<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]><rss version="2.0"><channel><title>&c;</title>'
    b"</channel></rss>"
)
OUTSIDE = (
    b'<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    b'<rss version="2.0"><channel><title>&x;</title></channel></rss>'
)
PAGE = (
    b"<!DOCTYPE html><html><head><title>Blog</title><link rel='alternate' "
    b'type="application/rss+xml" href="/feed.xml"></head><body><p>Hello<br></body></html>'
)
REFUSED = (
    ("a web page", PAGE, "a web page instead of a feed"),
    ("a page of XHTML", b"<html><body/></html>", "a web page instead of a feed"),
    ("billion laughs", LAUGHS, "DOCTYPE"),
    ("a file as an entity", OUTSIDE, "DOCTYPE"),
    ("other XML", b"<svg xmlns='http://www.w3.org/2000/svg'/>", "XML that is no feed"),
    ("JSON", b'{"version": "https://jsonfeed.org/version/1.1"}', "broken XML"),
    ("nothing", b"", "broken XML"),
    ("10 MB", rss(post(1) + "<!--" + "x" * 10_000_000 + "-->"), "more than 8192 KB"),
)
