"""A page of Markdown in a mail: as plain text of 72 columns, and as HTML with its styles inside."""

import re
from textwrap import wrap

from referee.page import html

COLUMNS = 72
GAP = 2  # spaces between columns
PICTURE = re.compile(r"!\[([^\]]*)\]\([^)]*\)")
LINK = re.compile(r"\[([^\]]+)\]\(([^)]*)\)")
ITEM = re.compile(r"^(\s*)(?:[-*]|\d+\.) ")
COMMANDS = re.compile(r"^```\w*\n\./waybill.*?^```\n", re.MULTILINE | re.DOTALL)
CELLS = re.compile(r"(?<!\\)\|")

STYLES = {
    "h1": "margin:0 0 8px;font-size:20px;line-height:1.3",
    "h2": "margin:20px 0 6px;font-size:17px;line-height:1.3",
    "h3": "margin:14px 0 4px;font-size:15px;line-height:1.3",
    "p": "margin:0 0 8px",
    "ul": "margin:0 0 8px;padding-left:20px",
    "ol": "margin:0 0 8px;padding-left:24px",
    "table": "border-collapse:collapse;font-size:14px;line-height:1.35;margin:0 0 8px",
    "td": "padding:4px 8px 4px 0;vertical-align:top;overflow-wrap:normal",
    "th": "padding:4px 8px 4px 0;vertical-align:top;overflow-wrap:normal;text-align:left",
    "code": "font-size:14px",
    "pre": "white-space:pre-wrap;font-size:13px",
}


def without_pictures(markdown: str) -> str:
    """A picture is what it shows, in words: a mail of rules needs none. Commands are for who sits at the machine."""
    markdown = COMMANDS.sub("", markdown)
    return PICTURE.sub(lambda found: f"*Picture: {found[1]}*" if found[1] else "", markdown)


def page_html(markdown: str) -> str:
    body = html(LINK.sub(_without_place, without_pictures(markdown))).body
    body = re.sub(r' id="[^"]*"| tabindex="0"| class="(?:rule|wide)"', "", body)  # our own classes mean other things
    return re.sub(
        r"<(h1|h2|h3|p|ul|ol|table|td|th|code|pre)(?=[ >])",
        lambda tag: f'<{tag[1]} style="{STYLES[tag[1]]}"' + (' class="rule"' if tag[1] in ("td", "th") else ""),
        body,
    )


def page_text(markdown: str) -> str:
    blocks = re.split(r"\n{2,}", without_pictures(markdown).strip())
    return "\n\n".join(filter(None, map(_block, blocks)))


def _block(block: str) -> str:
    lines = block.split("\n")
    if lines[0].startswith("#"):
        title = _inline(lines[0].lstrip("# ")).upper()
        rest = _block("\n".join(lines[1:])) if len(lines) > 1 else ""
        return f"{title}\n{rest}" if rest else title
    if lines[0].startswith("|"):
        return _table([_cells(line) for line in lines if not re.fullmatch(r"[|\s:-]+", line)])
    if lines[0].startswith("```"):
        return "\n".join(f"  {line}" for line in lines if not line.startswith("```"))
    return "\n".join(_paragraph(part) for part in _items(lines))


def _items(lines: list[str]) -> list[str]:
    """A list taken apart; or the one paragraph that it is."""
    parts: list[str] = []
    for line in lines:
        if ITEM.match(line) or not parts:
            parts.append(line.rstrip())
        else:
            parts[-1] += " " + line.strip()
    return parts


def _paragraph(text: str) -> str:
    indent = "  " if ITEM.match(text) else ""
    return "\n".join(
        wrap(
            _inline(text.strip()), COLUMNS, initial_indent=indent[:0], subsequent_indent=indent, break_on_hyphens=False
        )
    )


def _inline(text: str) -> str:
    text = LINK.sub(lambda found: found[1], text)
    text = re.sub(r"\*\*(.+?)\*\*", r"\1", text)
    return re.sub(r"(?<!\w)\*(.+?)\*(?!\w)", r"\1", text).replace("`", "").replace("\\|", "|")


def _without_place(found: re.Match[str]) -> str:
    """Links inside of a page, or to other files, lead nowhere in a mail."""
    return found[0] if found[2].startswith(("http:", "https:", "mailto:")) else found[1]


def _cells(line: str) -> list[str]:
    return [_inline(cell.strip()) for cell in CELLS.split(line.strip().strip("|"))]


def _table(rows: list[list[str]]) -> str:
    """Columns, if they fit beside each other; else each row as the first cell and below it the others."""
    number = max(map(len, rows))
    rows = [row + [""] * (number - len(row)) for row in rows]
    widths = [max(len(row[column]) for row in rows) for column in range(number)]
    if sum(widths) + GAP * (number - 1) <= COLUMNS - GAP:
        return "\n".join(
            ("  " + (" " * GAP).join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))).rstrip()
            for row in rows
        )
    heads, *rest = rows
    said = []
    for row in rest:
        others = [
            cell if number < 3 else f"{head}: {cell}" for head, cell in zip(heads[1:], row[1:], strict=True) if cell
        ]
        said.append("  " + row[0])
        said += wrap("; ".join(others), COLUMNS, initial_indent="    ", subsequent_indent="    ")
    return "\n".join(said)
