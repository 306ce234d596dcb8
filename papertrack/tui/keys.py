"""Every key of the UI, defined once for screens, footer, help and settings.

An id is what ``[tui.keys]`` in the settings changes: ``save = "f"``. The same letter means the same
on every screen.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping

from textual.binding import Binding
from textual.keys import KEY_NAME_REPLACEMENTS, Keys, key_to_character

from papertrack.text import shorten

_MODIFIERS = frozenset({"ctrl", "shift", "alt", "super", "hyper", "meta"})
_NAMED_KEYS = {key.value.rpartition("+")[2] for key in Keys} | {*KEY_NAME_REPLACEMENTS.values()}


_ARGUMENTS: dict[str, dict[str, str | int]] = {
    "decide": {"save": "saved", "discard": "discarded", "inbox": "inbox"},
    "toggle_pass": {"first-pass": 1, "second-pass": 2, "third-pass": 3},
    "open_link": {"open-abs": "abs", "open-pdf": "pdf", "open-html": "html", "open-code": "code"},
    "wish": {"more-like-this": "more", "fewer-like-this": "less"},
    "half_page": {"half-down": 1, "half-up": -1},
    "line": {"line-down": 1, "line-up": -1},
    "row": {"next-row": 1, "previous-row": -1},
    "page_of_rows": {"page-down": 1, "page-up": -1},
    "paper": {"next-paper": 1, "previous-paper": -1},
    "undecided": {"next-undecided": 1, "previous-undecided": -1},
    "view": {"next-view": 1, "previous-view": -1},
}
"""Actions, with the ids of their keys and the argument of each."""


def _key(id: str, keys: str, label: str, tooltip: str) -> Binding:
    # The id is also the action's name, so that each has only one.
    actions = (f"{name}({ids[id]!r})" for name, ids in _ARGUMENTS.items() if id in ids)
    action = next(actions, id.replace("-", "_"))
    return Binding(keys, action, label, show=False, tooltip=tooltip, id=id)


LIST_KEYS = [
    _key("next-row", "j,down", "Next", "The next paper"),
    _key("previous-row", "k,up", "Previous", "The previous paper"),
    _key("first-row", "g,home", "First", "The first paper"),
    _key("last-row", "G,end", "Last", "The last paper"),
    _key("page-down", "pagedown,ctrl+f", "Page down", "A page of papers down"),
    _key("page-up", "pageup,ctrl+b", "Page up", "A page of papers up"),
    _key("switch-lines", "l", "Lines", "One line for each paper, or two"),
]

VERB_KEYS = [
    _key("save", "s", "Save", "Save for the next pass and move on"),
    _key("discard", "d", "Discard", "Discard and move on"),
    _key("discard-because", "x", "Discard why", "Discard with a reason and move on"),
    _key("first-pass", "1", "1st pass", "Record the first pass; again takes it back"),
    _key("second-pass", "2", "2nd", "Record the second pass; again takes it back"),
    _key("third-pass", "3", "3rd", "Record the third pass; again takes it back"),
    _key("inbox", "0", "Inbox", "Put back in the inbox; passes stay"),
    _key("undo", "u,z", "Undo", "Undo the last change, bulk changes too"),
    _key("redo", "U,ctrl+r", "Redo", "Redo what was undone last"),
    _key("labels", "t", "Labels", "Categories and tags"),
    _key("rate", "r", "Rate", "Rate with one to five stars, or none"),
    _key("note", "e", "Note", "Write the note, with the five Cs, in $EDITOR"),
    _key("in-hand", "i", "Read now", "Add it to what you read now, or take it off"),
    _key("timer", "m", "Timer", "Start or stop this paper's reading timer"),
    _key("open-abs", "o", "Abstract page", "Open the abstract page in the browser"),
    _key("open-pdf", "O", "PDF", "Open the PDF in the browser"),
    _key("open-html", "h", "HTML", "Open the HTML version in the browser"),
    _key("open-code", "c", "Code", "Open the code repository in the browser"),
    _key("copy-link", "y", "Copy link", "Copy the link of the paper"),
    _key("copy-bibtex", "Y", "Copy BibTeX", "Copy the BibTeX entry"),
    _key("copy-citekey", "b", "Copy citekey", "Copy the citekey"),
    _key("tex", "dollar_sign", "TeX", "Show math as its TeX source, or readable"),
    _key("page-back", "backspace", "Page back", "A page back in the text"),
    _key("half-down", "ctrl+d", "Half page down", "Half a page down in the text"),
    _key("half-up", "ctrl+u", "Half page up", "Half a page up in the text"),
]

DEED_KEYS = [
    _key("add", "A", "Add", "Add papers by id, DOI or address"),
    _key("edit-field", "E", "Edit", "Edit title, venue, ids and other fields"),
    _key("merge", "M", "Merge", "Merge it with the marked paper, or one you name"),
    _key("remove", "delete", "Remove", "Remove from the library; asks, and undo brings it back"),
    _key("suggestions", "equals_sign", "Suggestions", "Accept or reject suggested metadata"),
    _key("fetch-pdf", "P", "Fetch PDF", "Fetch the PDF from arXiv, in the background"),
    _key("log", "L", "Log", "The history of the paper"),
    _key("related", "N", "Related", "Similar papers, and by which words"),
    _key("why", "W", "Why", "Why it ranks where it does"),
    _key("more-like-this", "plus", "More", "Rank papers like it higher"),
    _key("fewer-like-this", "minus", "Fewer", "Rank papers like it lower"),
    _key("forget-word", "F", "Forget", "Ignore a word or an author in the ranking"),
    _key("due", "I", "Due", "Papers that have waited too long"),
    _key("snooze", "Z", "Snooze", "Snooze until a date; saves it"),
    _key("queries", "Q", "Queries", "Your saved queries (setting tui.queries)"),
    _key("topics", "T", "Topics", "Topics: see, try, pause, edit, add"),
]

LIBRARY_KEYS = [
    _key("open", "enter", "Open", "Open the paper"),
    _key("page", "space", "Read on", "Show the whole abstract, page it, then the next paper"),
    _key("read", "a", "Read", "Show only the abstract, or only the list"),
    _key("next-undecided", "n", "Next undecided", "The next paper without a decision"),
    _key("previous-undecided", "p", "Previous undecided", "The previous one without a decision"),
    _key("next-view", "right_square_bracket,tab", "Next view", "The next tab"),
    _key("previous-view", "left_square_bracket,shift+tab", "Previous view", "The previous tab"),
    _key("filter", "slash", "Filter", "Narrow the list while you type; Esc clears"),
    _key("clear", "escape", "Clear filter", "Clear the marks, then the filter"),
    _key("mark", "v", "Mark", "Mark the paper; keys then act on all marked"),
    _key("mark-all", "V", "Mark all", "Mark all papers of the list, or none"),
    _key("discard-rest", "D", "Discard rest", "Discard all undecided papers; asks once"),
    _key("sort", "S", "Sort", "Choose the order of the list"),
    _key("jump", "colon", "Jump", "Go to a paper by citekey, id or title"),
    _key("fetch", "R", "Fetch", "Refresh, and look for new announcements"),
    _key("refresh", "f5", "Refresh", "Refresh; decided papers leave the view"),
    _key("statistics", "w", "Statistics", "Passes by week, backlog, categories"),
    _key("back", "q", "Quit", "Close papertrack"),
]

PAPER_KEYS = [
    _key("next-paper", "J", "Next", "The next paper of the list"),
    _key("previous-paper", "K", "Previous", "The previous paper of the list"),
    _key("scroll-on", "space", "Page", "Page down, then the next paper"),
    _key("line-down", "j,down", "Down", "One line down"),
    _key("line-up", "k,up", "Up", "One line up"),
    _key("close", "q,escape", "Back", "Back to the list"),
]

PAGE_KEYS = [
    _key("line-down", "j,down", "Down", "One line down"),
    _key("line-up", "k,up", "Up", "One line up"),
    _key("scroll-on", "space", "Page", "A page on"),
    _key("page-back", "backspace", "Page back", "A page back"),
    _key("half-down", "ctrl+d", "Half page on", "Half a page down"),
    _key("half-up", "ctrl+u", "Half page back", "Half a page up"),
    _key("first-row", "g,home", "First", "The beginning"),
    _key("last-row", "G,end", "Last", "The end"),
]
"""The keys of other screens that show a page of text."""

APP_KEYS = [
    _key("help", "question_mark", "Help", "All keys of this screen"),
    _key("cancel-jobs", "X", "Cancel", "Cancel what runs in the background"),
    _key("suspend-process", "ctrl+z", "Suspend", "Go to the shell; `fg` returns"),
]

ALL_KEYS = (*LIST_KEYS, *VERB_KEYS, *DEED_KEYS, *LIBRARY_KEYS, *PAPER_KEYS, *APP_KEYS)

KEY_GROUPS = {
    "Decide": "save discard discard-because discard-rest inbox undo redo mark mark-all",
    "Read": "open page page-back half-down half-up read first-pass second-pass third-pass in-hand "
    "timer note tex scroll-on line-down line-up next-paper previous-paper close",
    "Open and copy": "open-abs open-pdf open-html open-code fetch-pdf copy-link copy-bibtex "
    "copy-citekey",
    "Find": "filter clear jump sort next-view previous-view next-undecided previous-undecided "
    "queries due related log",
    "Organise": "add labels rate edit-field snooze suggestions merge remove",
    "arXiv and ranking": "topics fetch why more-like-this fewer-like-this forget-word",
    "Move and look": "next-row previous-row first-row last-row page-down page-up switch-lines "
    "refresh statistics help cancel-jobs suspend-process back",
}
"""The ids of the keys by task, as help shows them."""


TAUGHT = {
    "inbox": "save discard discard-because page first-pass undo filter fetch why labels",
    "first": "open first-pass timer open-pdf in-hand note discard undo filter",
    "second": "open second-pass timer open-pdf in-hand note discard undo filter",
    "third": "open third-pass timer open-pdf in-hand note discard undo filter",
    "done": "open rate note copy-bibtex related undo filter statistics",
    "all": "open save discard filter jump sort labels add undo statistics",
    "nothing": "next-view add fetch queries topics statistics undo",
}
"""Views, with the ids of the keys to use next there, the likeliest first.

The footer shows as many as fit, and the key for help.
"""


def check_keymap(keymap: Mapping[str, str]) -> list[str]:
    """Return the errors in the user's keymap, one sentence each."""
    by_id = {binding.id: binding for binding in ALL_KEYS if binding.id}
    faults = []
    for id in keymap:
        if id not in by_id:
            similar = difflib.get_close_matches(id, by_id, n=1)
            hint = f"did you mean {similar[0]}?" if similar else "? lists the keys."
            faults.append(f"tui.keys.{id} is not an action that has keys; {hint}")
            continue
        faults += [
            f"tui.keys.{id}: {shorten(key)!r} is not a key. Write keys like f, F, f5, ctrl+s or "
            "left."
            for key in keymap[id].split(",")
            if not _is_key(key.strip())
        ]
    for group in (
        (*LIST_KEYS, *VERB_KEYS, *DEED_KEYS, *LIBRARY_KEYS, *APP_KEYS),
        (*VERB_KEYS, *DEED_KEYS, *PAPER_KEYS, *APP_KEYS),
    ):
        faults += _clashes(group, keymap)
    return list(dict.fromkeys(faults))


def _is_key(name: str) -> bool:
    """Return whether a terminal can send a key of this name, as Textual spells it."""
    *modifiers, key = name.split("+") if name != "+" else [name]
    is_valid = len(key) == 1 or key in _NAMED_KEYS or key_to_character(key) is not None
    return is_valid and set(modifiers) <= _MODIFIERS


def _clashes(group: Iterable[Binding], keymap: Mapping[str, str]) -> list[str]:
    """Return errors for keys that the keymap gives to two actions of one screen."""
    owners: dict[str, str] = {}
    faults = []
    for binding in group:
        assert binding.id is not None
        for key in keymap.get(binding.id, binding.key).split(","):
            owner = owners.setdefault(key.strip(), binding.id)
            if owner != binding.id:
                faults.append(
                    f"tui.keys: {key.strip()} is for both {owner} and {binding.id}. "
                    "Give one of them another key."
                )
    return faults
