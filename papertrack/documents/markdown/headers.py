"""The meaning of column headers and line labels, in the languages of our users.

One table is for headers (``Autores | Año``) and labels (``- 会议: ICML``). Headers that name passes
(``1st pass``, ``第一遍``, ``2回目``) are recognized by ``marks.kinds``.
"""

from __future__ import annotations

from collections.abc import Sequence

from papertrack.documents.markdown.marks.kinds import is_only_marks, pass_named, passes_counted
from papertrack.documents.markdown.marks.vocabulary import Level, level_of
from papertrack.documents.markdown.roles import without_link_word
from papertrack.text import fold, without_edges

_TITLES = (
    "title, paper title, full title, titles, 标题, 题目, 论文题目, 论文标题, 英文标题, 论文名称, "
    "名称, 論文名, タイトル, 論文タイトル, 題名, 題目, 제목, 논문 제목, 논문명, título, titulo, "
    "titre, titel, titolo, название, заголовок, başlık"
)
"""Words for a title in both headers and labels. Other words for titles count only in headers."""
_WORDS = {
    "title": f"{_TITLES}, name, paper name, article, work, blog, post, project, 名字, 文章, 論文, "
    "논문, artículo, articolo, artigo, статья, makale",
    "paper": "paper, papers, arxiv, pdf, link, links, url, doi, preprint, 论文, 链接, 原文, 地址, "
    "リンク, 링크, enlace, enlaces, lien, liens, quelle, collegamento, fonte, ссылка, bağlantı, "
    "adres",
    "date": "date, publish date, published, publication date, year, month, time, "
    "submitted, release date, released, 日期, 时间, 年份, 发表时间, 年, 発表年, 出版年, "
    "日付, 年月, 연도, 년도, 날짜, 발표일, año, fecha, année, an, jahr, datum, anno, "
    "data di pubblicazione, ano, год, дата, yıl, tarih",
    "code": "code, source code, github, repo, repository, codes, repos, 代码, 开源, 开源代码, "
    "源码, コード, 구현, 코드, código, codice, код, kod",
    "note": "note, notes, my notes, reading notes, 笔记, 备注, 阅读笔记, メモ, ノート, "
    "노트, 메모, 정리, 정리 자료, nota, notas, notizen, notiz, appunti, заметки, notlar",
    "rating": "rec, rating, stars, score, recommend, recommendation, my rating, 推荐, "
    "推荐度, 评分, 推荐指数, 星级, 評価, 평점, 평가, valoración, puntuación, bewertung, "
    "évaluation, valutazione, avaliação, оценка, puan",
    "passes": "read, read?, is read, reading, reading status, status, pass, passes, "
    "progress, done, finished, state, read date, date read, read on, 是否已读, 已读, "
    "阅读, 状态, 阅读状态, 进度, 阅读进度, 阅读日期, 读完, 既読, 状態, 読書状況, 進捗, "
    "상태, 진행, 읽음, estado, statut, état, stato, lettura, leitura, статус, прочитано, "
    "состояние, durum, okundu",
    "author": "author, authors, author/organization, by, 作者, blogger, 著者, 저자, "
    "autor, autores, autora, auteur, auteurs, autoren, autore, autori, автор, авторы, "
    "yazar, yazarlar",
    "speaker": "speaker, presenter, presented by, discussion lead, 主讲, 主讲人, 报告人, "
    "演讲者, 発表者, 担当, 担当者, 발표자, ponente, presentador, orateur, referent, "
    "vortragender, relatore, докладчик, sunucu, reviewer, recommended by",
    "description": "about, summary, intro, introduction, description, abstract, tl;dr, "
    "tldr, comment, comments, remark, remarks, features, key features, idea, key idea, "
    "key ideas, main idea, core idea, contribution, contributions, key contribution, "
    "key contributions, main contribution, main contributions, highlight, highlights, "
    "key points, key insight, 简介, 介绍, 描述, 摘要, 说明, 核心思想, 核心贡献, "
    "主要贡献, 贡献, 亮点, 要点, 创新点, 特点, 概要, 要約, コメント, 内容, 요약, 설명, "
    "소개, resumen, comentario, comentarios, descripción, résumé, commentaire, "
    "beschreibung, zusammenfassung, kommentar, riassunto, commento, descrizione, resumo, "
    "comentário, описание, комментарий, аннотация, özet, açıklama",
    "venue": "venue, conference, journal, publisher, published in, publication, conf, "
    "conf., 会议, 期刊, 发表, 会议/期刊, 出处, 收录, 発表, 会議, 学会, 掲載, 学会/雑誌, "
    "학회, 게재, 학술지, publicación, conferencia, revista, conférence, revue, "
    "konferenz, konferenz/journal, zeitschrift, conferenza, rivista, conferência, "
    "periódico, конференция, журнал, конференция/журнал, konferans, dergi",
    "tags": "category, categories, tag, tags, keyword, keywords, key words, key, topic, "
    "topics, type, 类别, 分类, 标签, 关键词, 方向, キーワード, 分野, タグ, 키워드, 분야, "
    "태그, 주제, palabras clave, tema, temas, mots-clés, mots clés, thème, schlagwörter, "
    "stichwörter, thema, parole chiave, argomento, palavras-chave, ключевые слова, тема, "
    "теги, anahtar kelimeler, konu",
    "project": "project page, website, homepage, page, web, 主页, 项目主页",
    "video": "video, videos, youtube, 视频, 视频（播放数）, talk, 動画, 영상",
    "slides": "slides, slide, ppt",
    "data": "data, dataset, datasets, 数据集, 数据",
    "model": "model, models, weights, 模型",
    "demo": "demo, 演示",
    "post": "blog post, blogs, 解读, 博客, 讲解",
    "name": "acronym, abbreviation, abbr, abbr., alias, short name, nickname, 简称, 缩写",
    "affiliation": "institution, institutions, institute, institutes, affiliation, "
    "affiliations, organization, company, 作者单位, 单位, 机构, 所属, 소속, institución, "
    "institution(s), institut, istituzione, учреждение",
    "number": "#, no, no., id, index, nr, nr., 序号, 编号, 番号, 번호, nº, n°",
}
"""Maps roles to header words. All other headers have the role ``other`` and are not edited."""
PASS_ROLES = ("pass1", "pass2", "pass3")
"""The roles of the columns for single passes, in a table with one column per pass."""
ROLES = (*_WORDS, *PASS_ROLES, "other")
_ROLE_OF_WORD = {
    fold(word.strip()): role
    for role, words in reversed(_WORDS.items())
    for word in words.split(",")
}
_TITLE_LABELS = frozenset(fold(word) for word in _TITLES.split(", "))
_DONE = (Level.SKIMMED, Level.READ, Level.DEEP)


def role_of_header(word: str, header: str) -> str:
    """Return the role of a column by its header. ``word`` is the folded header."""
    words = (word, without_edges(word), without_link_word(word))
    role = next(filter(None, map(_ROLE_OF_WORD.get, words)), None)
    # "Gelesen" can be a header as well as a mark.
    if role is None and (is_only_marks(header) or level_of(header) is Level.READ):
        return "passes"
    return role or "other"


def is_title_label(words: str) -> bool:
    """Return whether a label introduces a title: ``Title:``."""
    return fold(words) in _TITLE_LABELS


def pass_columns(headers: Sequence[str]) -> dict[int, int]:
    """Map each pass to its column, if a table has columns for at least two passes.

    Headers name passes by number, ``1st | 2nd``, or by level, ``Skimmed | Read``.
    """
    numbers = [(pass_named(text) or passes_counted(text), at) for at, text in enumerate(headers)]
    numbers.reverse()
    by_number = {number: at for number, at in numbers if number}
    if len(by_number) > 1:
        return by_number
    levels = {level: at for at, name in enumerate(headers) if (level := level_of(name)) in _DONE}
    ordered = sorted(levels) if len(levels) > 1 else ()
    return {number: levels[level] for number, level in enumerate(ordered, start=1)}
