"""The abstract beside the list, drawn line by line: a new text moves nothing else on the screen."""

from __future__ import annotations

from textual.content import Content
from textual.strip import Strip
from textual.visual import Visual
from textual.widget import Widget

from papertrack.tui.glyphs import MUTED


class Preview(Widget):
    """Text that is paged. Static inside a scroll view would lay out the whole screen each time."""

    def __init__(self) -> None:
        super().__init__(id="preview")
        self._content = Content("")
        self._strips: list[Strip] | None = None
        self._blank = Strip([])
        self._top = 0

    def show(self, content: Content) -> None:
        """Show a text from its beginning."""
        self._content, self._strips, self._top = content, None, 0
        self.refresh()

    def page(self) -> bool:
        """Go a page on; return whether there was more to see."""
        rest = len(self._lines()) - self._top - self.size.height
        if rest <= 0:
            return False
        self._move(max(self.size.height - 1, 1))
        return True

    def on_mouse_scroll_down(self) -> None:
        self._move(2)

    def on_mouse_scroll_up(self) -> None:
        self._move(-2)

    def _move(self, by: int) -> None:
        most = max(len(self._lines()) - self.size.height, 0)
        self._top = max(0, min(self._top + by, most))
        self.refresh()

    def _lines(self) -> list[Strip]:
        if self._strips is None:
            width, style = self.size.width, self.visual_style
            self._strips = Visual.to_strips(self, self._content, width, None, style, pad=True)
            # Looking a style up costs more than drawing a line with it.
            self._blank = Strip.blank(width, self.rich_style)
        return self._strips

    def on_resize(self) -> None:
        self._strips = None

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._strips = None

    def render_line(self, y: int) -> Strip:
        lines = self._lines()
        more = len(lines) - self._top - self.size.height
        if y == self.size.height - 1 and more > 0:
            text = Content.styled(f"… {more + 1} more lines", MUTED)
            return Visual.to_strips(self, text, self.size.width, 1, self.visual_style, pad=True)[0]
        at = self._top + y
        return lines[at] if at < len(lines) else self._blank
