"""Titles and names in two spellings or scripts; the titles are facts, the rest is made up."""

from __future__ import annotations

from tests.matching.entries import Entry, Pair

Spelled = tuple[str, str, str, str]
"""A title and an author, and both as somebody else spells them."""

LATIN: tuple[Spelled, ...] = (
    ("Über die Größe der Bäume", "Müller, Jörg", "Ueber die Groesse der Baeume", "Mueller, Joerg"),
    ("Über die Größe der Bäume", "Müller, Jörg", "Uber die Grosse der Baume", "Muller, Jorg"),
    ("Fußgänger in Städten", "Weiß, Käthe", "Fussgaenger in Staedten", "Weiss, Kaethe"),
    ("Om ødelagte broer", "Møller, Åse", "Om oedelagte broer", "Moeller, Aase"),
    ("Århundredets skove på Fyn", "Kjær, Søren", "Aarhundredets skove paa Fyn", "Kjaer, Soeren"),
    ("Färöarnas språk", "Öberg, Ake", "Faeroearnas spraak", "Oeberg, Aake"),
    ("O teoriji skupova", "Đorđević, Ana", "O teoriji skupova", "Djordjevic, Ana"),
)
CYRILLIC: tuple[Spelled, ...] = (
    ("Теория графов и её приложения", "Иванов, Пётр",
     "Teoriya grafov i ee prilozheniya", "Ivanov, Petr"),
    ("Теория графов и её приложения", "Иванов, Пётр",
     "Teoriâ grafov i eë priloženiâ", "Ivanov, P."),
    ("Теория графов и её приложения", "Иванов, Пётр",
     "Teoriia grafov i eë prilozheniia", "Ivanov, Pyotr"),
    ("Методы оптимизации в логистике", "Щукина, Юлия",
     "Metody optimizacii v logistike", "Ščukina, Julija"),
    ("Статистика случайных процессов", "Ширяев, Альберт",
     "Statistika sluchajnykh protsessov", "Shiryaev, Albert"),
    ("Статистика случайных процессов", "Ширяев, Альберт",
     "Statistika slučajnych processov", "Širjaev, A."),
    ("Введение в теорию чисел", "Бухштаб, Александр",
     "Vvedenie v teoriyu chisel", "Bukhshtab, Aleksandr"),
    ("Введение в теорию чисел", "Бухштаб, Александр", "Wwedenije w teoriju tschisel",
     "Buchschtab, A."),
    ("Разностные схемы газовой динамики", "Самарский, Александр",
     "Raznostnye skhemy gazovoi dinamiki", "Samarskii, Aleksandr"),
    ("Объектный подход, часть II", "Яковлев, Евгений",
     "Ob'ektnyy podkhod, chast' II", "Yakovlev, Yevgeny"),
    ("Історія України та її джерела", "Грушевський, Михайло",
     "Istoriia Ukrainy ta yii dzherela", "Hrushevskyi, Mykhailo"),
    ("Теорија скупова и њена примена", "Ђорђевић, Ана",
     "Teorija skupova i njena primena", "Đorđević, Ana"),
)  # fmt: skip
GREEK: tuple[Spelled, ...] = (
    ("Θεωρία πιθανοτήτων", "Παπαδόπουλος, Γιώργος",
     "Theoria pithanotiton", "Papadopoulos, Giorgos"),
    ("Θεωρία πιθανοτήτων", "Παπαδόπουλος, Γιώργος",
     "Theōria pithanotētōn", "Papadopoulos, Yorgos"),
    ("Εισαγωγή στην ψυχολογία", "Χατζής, Νίκος", "Eisagogi stin psychologia", "Chatzis, Nikos"),
    ("Ευρωπαϊκή ιστορία του χρόνου", "Φωτίου, Ελένη",
     "Evropaiki istoria tou chronou", "Fotiou, Eleni"),
)  # fmt: skip
PLAIN: tuple[Spelled, ...] = (
    ("Raznostnye skhemy gazovoi dinamiki", "Samarskii, Aleksandr",
     "Raznostnye skhemy gazovoy dinamiki", "Samarskij, A."),
    ("Teoriya grafov i ee prilozheniya", "Zhukovskaya, A.",
     "Teoriia grafov i ee prilozheniia", "Zhukovskaia, Anna"),
)  # fmt: skip
APART: tuple[Spelled, ...] = (
    ("深度学习在图像识别中的应用研究", "王, 伟",
     "Applications of Deep Learning in Image Recognition", "Wang, Wei"),
    ("量子计算的数学基础", "李, 娜", "The Mathematics of Quantum Computing", "Li, Na"),
    ("木構造の耐震性", "田中, 一郎", "Earthquake Resistance of Timber Frames", "Tanaka, Ichiro"),
    ("그래프 이론의 응용", "김, 철수", "Applications of Graph Theory", "Kim, Cheol-Su"),
    ("Теория графов и её приложения", "Иванов, Пётр",
     "Graph theory and its applications", "Ivanov, Petr"),
    ("نظرية البيان وتطبيقاتها", "حسن, علي", "Graph Theory and Its Uses", "Hassan, Ali"),
)  # fmt: skip
"""Titles and translations, with a DOI in common."""


def _entry(number: int, title: str, author: str, **more: str) -> Entry:
    said = {"title": title, "author": author, "year": str(1990 + number), "journal": "Zbornik"}
    return Entry("article", {**said, **more})


def _doi(number: int) -> dict[str, str]:
    return {"doi": f"10.1070/rm{number}"}


def in_two_spellings() -> list[Pair]:
    """Pairs of one work: with a DOI in common, and without where letters tell."""
    made = []
    for number, (title, author, other, name) in enumerate((*LATIN, *CYRILLIC, *GREEK, *PLAIN)):
        pair = _entry(number, title, author), _entry(number, other, name)
        made.append(Pair("without a DOI", *pair, is_one_work=True))
        doi = _doi(number)
        made.append(Pair("with a DOI", pair[0].but(**doi), pair[1].but(**doi), is_one_work=True))
    for number, (title, author, other, name) in enumerate(APART, start=30):
        doi = _doi(number)
        pair = _entry(number, title, author, **doi), _entry(number, other, name, **doi)
        made.append(Pair("translated", *pair, is_one_work=True))
    return made


def of_two_works() -> list[Pair]:
    """Pairs of two works: the next title with a copied DOI, another author, another part."""
    made = []
    for family in (LATIN, CYRILLIC, GREEK, APART):
        for number, (title, author, _, _) in enumerate(family):
            _, _, other, name = family[number - 3]
            one, two = _entry(number, title, author), _entry(number, other, name)
            if title == family[number - 3][0]:
                continue
            doi = _doi(number)
            made += [
                Pair("another title", one, two, is_one_work=False),
                Pair("a copied DOI", one.but(**doi), two.but(**doi), is_one_work=False),
            ]
    for number, (title, author, other, name) in enumerate((*LATIN, *CYRILLIC, *GREEK)):
        one, two = _entry(number, title, author), _entry(number, other, name)
        parts = one.but(title=f"{title}, I"), two.but(title=f"{other}, II")
        made += [
            Pair("another author", one, two.but(author="Roe, Ann"), is_one_work=False),
            Pair("a part", *parts, is_one_work=False),
            Pair("the next year", one, two.but(year=str(1999 + number)), is_one_work=False),
        ]
        if number > len(LATIN):
            stranger = two.but(author=name.replace(name.split(",")[0], "Orlov"), **_doi(number))
            made.append(Pair("a stranger", one.but(title=title[::-1]), stranger, is_one_work=False))
    return made
