"""The one query language: what ``list``, the filter of the terminal UI and topics understand.

::

    title:"speculative decoding" author:leviathan category:LLM pass:<2 year:2024- tag:moe
    is:inbox has:code added:<30d NOT survey (moe OR "mixture of experts")

- Parts side by side must all hold (AND may be written); ``OR`` joins less tightly, ``NOT`` and a
  leading ``-`` apply to the next part only. The three words count in capitals only, parentheses
  group, and a field may be before a group: ``title:(moe OR experts)``.
- ``"…"`` is a phrase, in which ``\\"`` and ``\\\\`` stand for themselves; quotes also take the
  meaning from ``AND``, ``-`` and ``:``. ``specul*`` is every word that begins so.
- Numbers and dates compare: ``<2``, ``>=3``, ``2020-2024``, ``2024-``, ``-2020``; dates also
  ``2024-03..2024-06``. An age (``d``, ``w``, ``m``, ``y``) counts back from today: ``<30d`` is
  younger than 30 days, ``1y`` at most a year old.

``parse_query`` gives a tree of ``And``, ``Or``, ``Not`` and ``Term``, at most ``MAX_DEPTH`` deep,
so that walking it by recursion is safe. The store compiles it to SQL, the topic matcher applies it
to announcements. ``FIELDS`` says what there is. Pure: it knows neither clock nor library.
"""
