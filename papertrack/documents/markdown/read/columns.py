"""Tables: rows split into cells with exact offsets, and what headers say that columns are for.

What a column holds is decided by ``grammar.columns``, to which the header is one hint. A check
mark means *read* only in a column whose header says so, or in one without any header that holds
nothing but check marks: ``已录制`` (a video was recorded) does not.
"""

from __future__ import annotations

import re
from itertools import pairwise

from papertrack.documents.markdown.marks.levels import Level, level_of
from papertrack.documents.markdown.marks.registry import is_only_marks
from papertrack.documents.markdown.values import Span, stripped

_WORDS = {
    "title": "title, paper title, name, paper name, article, work, blog, post, project, 标题, "
    "题目, 论文题目, 论文标题, 论文名称, 名字, 名称, 文章",
    "paper": "paper, papers, arxiv, pdf, link, links, url, doi, preprint, 论文, 链接, 论文链接, "
    "原文, 地址",
    "date": "date, publish date, published, publication date, year, month, time, submitted, "
    "release date, released, 日期, 时间, 年份, 发表时间, 年",
    "code": "code, github, repo, repository, codes, repos, 代码, 开源, 开源代码",
    "note": "note, notes, my notes, reading notes, 笔记, 备注, 阅读笔记",
    "rating": "rec, rating, stars, score, recommend, recommendation, my rating, 推荐, 推荐度, "
    "评分, 推荐指数, 星级",
    "passes": "read, read?, is read, reading, reading status, status, pass, passes, progress, "
    "done, finished, state, read date, date read, read on, 是否已读, 已读, 阅读, 状态, 阅读状态, "
    "进度, 阅读进度, 阅读日期, 读完",
    "author": "author, authors, author/organization, by, 作者, blogger, speaker",
    "description": "about, summary, intro, introduction, description, abstract, tl;dr, tldr, "
    "comment, comments, remark, remarks, features, key features, idea, key idea, key ideas, "
    "main idea, core idea, contribution, contributions, key contribution, key contributions, "
    "main contribution, main contributions, highlight, highlights, key points, key insight, "
    "简介, 介绍, 描述, 摘要, 说明, 核心思想, 核心贡献, 主要贡献, 贡献, 亮点, 要点, 创新点, 特点",
    "venue": "venue, conference, journal, publisher, published in, publication, 会议, 期刊, 发表, "
    "会议/期刊, 出处",
    "tags": "category, categories, tag, tags, keyword, keywords, topic, topics, type, 类别, 分类, "
    "标签, 关键词, 方向",
    "project": "project page, website, homepage, page, web, 主页, 项目主页",
    "video": "video, videos, youtube, 视频, 视频（播放数）, talk",
    "slides": "slides, slide, ppt",
    "data": "data, dataset, datasets, 数据集, 数据",
    "model": "model, models, weights, 模型",
    "demo": "demo, 演示",
    "post": "blog post, blogs, 解读, 博客",
    "name": "acronym, abbreviation, abbr, abbr., alias, short name, nickname, 简称, 缩写",
    "number": "#, no, no., id, index, nr, 序号, 编号",
}
"""Header words by role. ``other`` is the role of everything else: it is left alone."""
ROLES = (*_WORDS, "other")
_ROLE_OF_WORD = {word: role for role, words in _WORDS.items() for word in words.split(", ")}
_PIPE = re.compile(r"(?<!\\)\|")
_EDGES = re.compile(r"^[\W_]+|[\W_]+$")


def split_row(text: str, start: int, end: int) -> tuple[Span, ...]:
    """Return the span of each cell of a row, padding included, without the outer pipes.

    As GFM has it, ``\\|`` never ends a cell, not even within a code span, and any other pipe does,
    even within one. ``start`` is where the row starts, behind a quote's or list item's marks.
    """
    start = end - len(text[start:end].lstrip(" \t>"))
    if not text.startswith("|", start, end):
        start -= 1  # The edge before the first cell, as a pipe is.
    edges = [start, *(match.start() for match in _PIPE.finditer(text, start + 1, end))]
    cells = [(edge + 1, pipe) for edge, pipe in pairwise(edges)]
    if text[edges[-1] + 1 : end].strip():
        cells.append((edges[-1] + 1, end))
    return tuple(cells)


def content_span(text: str, cell: Span) -> Span:
    """Return a cell's span without its padding; an empty cell gives an empty span inside it."""
    return stripped(text, cell, " \t")


def role_of_header(word: str, header: str) -> str:
    """Return what a header says that its column holds; ``word`` is the header folded."""
    role = _ROLE_OF_WORD.get(word) or _ROLE_OF_WORD.get(_EDGES.sub("", word))
    # "Gelesen" says the same above a column as in it.
    if role is None and (is_only_marks(header) or level_of(header) is Level.READ):
        return "passes"
    return role or "other"


def is_headless(header: str) -> bool:
    """Return whether a header has no word."""
    return not _EDGES.sub("", header)
