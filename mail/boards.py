"""A text board taken apart for HTML: titles, paragraphs without the line breaks of a narrow page, and tables."""

import re

import msgspec

GAP = re.compile(r" {2,}")
TITLE = re.compile(r"[A-Z][A-Z&]{2,}\b")
CONTINUES = "    "  # how the text boards begin a line that goes on


class Section(msgspec.Struct, frozen=True):
    """A part of a board: lines, or rows of cells where things stand below each other for a reason."""

    title: str
    lines: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()

    @property
    def has_heads(self) -> bool:
        """Whether the first row says what is in the columns."""
        return len(self.rows[0]) > 2 and not any(c.isdigit() for cell in self.rows[0] for c in cell)


def sections(board: str) -> list[Section]:
    return [_section(part.split("\n")) for part in board.split("\n\n") if part.strip()]


def _section(lines: list[str]) -> Section:
    whole: list[str] = []
    for line in lines:
        if line.startswith(CONTINUES) and whole:
            whole[-1] += " " + line.strip()
        else:
            whole.append(line.rstrip())
    title = whole.pop(0) if TITLE.match(whole[0]) else ""
    rows = [tuple(GAP.split(line.strip())) for line in whole]
    widths = {len(row) for row in rows}
    if len(rows) > 1 and len(widths) == 1 and widths != {1}:
        return Section(title, rows=tuple(rows))
    return Section(title, tuple(whole))
