"""A picker of papers to cite: type to narrow the list, enter accepts.

It draws on stderr, so that the result can be printed into a pipe or an editor.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar, NamedTuple

from rich.text import Text
from textual import on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from papertrack.store.listing import ListedPaper
from papertrack.text import clean, fold

SHOWN = 200
"""The most rows that are shown; typing more narrows the list."""


class _Choice(NamedTuple):
    """A paper with its search text and its label."""

    paper_id: int
    search_text: str
    label: Text


class Picker(App[Sequence[int]]):
    """Returns the ids of the picked papers in the order in which they were marked."""

    CSS = """
    Screen { layout: vertical; }
    Screen:inline { height: 14; }
    Input { border: none; height: 1; padding: 0; }
    OptionList {
        border: none; height: 1fr; padding: 0; text-wrap: nowrap; text-overflow: ellipsis;
    }
    """
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,ctrl+c", "leave", "Pick nothing", priority=True),
        Binding("tab", "mark", "Mark", priority=True),
        Binding("down,ctrl+n", "move(1)", "Next", priority=True),
        Binding("up,ctrl+p", "move(-1)", "Previous", priority=True),
    ]

    def __init__(self, papers: Iterable[ListedPaper]) -> None:
        super().__init__()
        self._choices = [_choice(paper) for paper in papers]
        self._matches: list[_Choice] = []
        self._marked: dict[int, None] = {}

    def compose(self) -> ComposeResult:
        yield Input(placeholder="Type to find; tab marks, enter cites, esc leaves.")
        yield OptionList()

    def on_mount(self) -> None:
        self._show("")
        self.query_one(Input).focus()

    @on(Input.Changed)
    def _narrow(self, event: Input.Changed) -> None:
        self._show(event.value)

    @on(Input.Submitted)
    def _take(self) -> None:
        at = self.query_one(OptionList).highlighted
        highlighted = [self._matches[at].paper_id] if at is not None else []
        self.exit(list(self._marked) or highlighted)

    @on(OptionList.OptionSelected)
    def _take_clicked(self, event: OptionList.OptionSelected) -> None:
        self.exit([*self._marked, self._matches[event.option_index].paper_id])

    def action_leave(self) -> None:
        self.exit([])

    def action_move(self, step: int) -> None:
        options = self.query_one(OptionList)
        if step > 0:
            options.action_cursor_down()
        else:
            options.action_cursor_up()

    def action_mark(self) -> None:
        """Mark or unmark the paper, and go to the next."""
        options = self.query_one(OptionList)
        if options.highlighted is None:
            return
        paper_id = self._matches[options.highlighted].paper_id
        if paper_id in self._marked:
            del self._marked[paper_id]
        else:
            self._marked[paper_id] = None
        at = options.highlighted
        options.replace_option_prompt_at_index(at, self._prompt(self._matches[at]))
        options.action_cursor_down()

    def _show(self, typed: str) -> None:
        words = fold(typed).split()
        matches = [c for c in self._choices if all(word in c.search_text for word in words)]
        self._matches = matches[:SHOWN]
        options = self.query_one(OptionList)
        options.clear_options()
        options.add_options(Option(self._prompt(choice)) for choice in self._matches)
        options.highlighted = 0 if self._matches else None

    def _prompt(self, choice: _Choice) -> Text:
        return Text("✓ " if choice.paper_id in self._marked else "  ").append_text(choice.label)


def _choice(paper: ListedPaper) -> _Choice:
    title = clean(paper.title or "")
    author = clean(paper.first_author or "")
    year = (paper.submitted or "")[:4]
    who = f"{author}{' et al.' if paper.author_count > 1 else ''} {year}".strip()
    label = Text(no_wrap=True, overflow="ellipsis")
    label.append(paper.citekey, style="bold").append(f"  {title}").append(f"  {who}", style="dim")
    return _Choice(paper.id, fold(f"{paper.citekey} {title} {author} {year}"), label)


def pick(papers: Iterable[ListedPaper]) -> Sequence[int]:
    """Let the user pick papers, in a few lines of the terminal; return their ids, or none."""
    return Picker(papers).run(inline=True) or []
