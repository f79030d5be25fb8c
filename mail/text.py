"""Text as people sent it, made plain: HTML without its tags, letters without what cannot be seen."""

import re
import unicodedata
from html.parser import HTMLParser

# Elements that begin a line of their own.
BLOCKS = frozenset({
    "address", "article", "aside", "blockquote", "body", "center", "dd", "div", "dl", "dt", "fieldset", "footer",
    "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "html", "li", "main", "nav", "ol", "p", "pre",
    "section", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
})  # fmt: skip
UNSEEN = frozenset({"head", "script", "style", "template", "title", "noscript", "svg", "math"})
VOID = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"})
# What mail programs put around the mail that is answered.
QUOTES = re.compile(
    r"\b(?:gmail_quote|gmail_extra|moz-cite-prefix|\w*yahoo_quoted|protonmail_quote|tutanota_quote|zmail_extra|appendonsend"
    r"|divRplyFwdMsg|mail-editor-reference-message-container|OLK_SRC_BODY_SECTION)\b"
)
DEEPEST = 200  # elements inside each other; what lies deeper is read as if it did not

SPACES = re.compile(r"[^\S\n]+")
# Bidirectional marks, joiners, soft hyphens, variation selectors: nothing that anybody wrote on purpose.
INVISIBLE = re.compile("[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]")


def plain(text: str) -> str:
    """The text with one kind of line end and of space, and without what cannot be seen."""
    text = unicodedata.normalize("NFC", INVISIBLE.sub("", text))
    text = "\n".join(re.split(r"\r\n|[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]", text))
    text = "".join(c if c == "\n" or c.isprintable() or c.isspace() else "" for c in text)
    return "\n".join(SPACES.sub(" ", line).rstrip() for line in text.split("\n"))


def of_html(html: str) -> str:
    """What somebody reads in an HTML mail, line by line; what it quotes begins with `> `."""
    reader = _Html()
    reader.feed(html)
    reader.close()
    return "\n".join(reader.lines)


class _Html(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines = [""]
        self.open: list[tuple[str, bool]] = []  # elements, and whether each is a quotation
        self.unseen = 0
        self.quoted = 0

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag in BLOCKS or tag == "br":
            self.new_line()
        if tag in VOID or len(self.open) >= DEEPEST:
            return
        names = " ".join(value or "" for name, value in attributes if name in ("class", "id"))
        is_quote = tag == "blockquote" or bool(QUOTES.search(names))
        self.open.append((tag, is_quote))
        self.unseen += tag in UNSEEN
        self.quoted += is_quote

    def handle_endtag(self, tag: str) -> None:
        if not any(name == tag for name, _ in self.open):
            return
        while self.open:
            name, is_quote = self.open.pop()
            self.unseen -= name in UNSEEN
            self.quoted -= is_quote
            if name == tag:
                break
        if tag in BLOCKS:
            self.new_line()

    def handle_data(self, data: str) -> None:
        if self.unseen:
            return
        if "\n" in data and any(tag == "pre" for tag, _ in self.open):
            for number, line in enumerate(data.split("\n")):
                if number:
                    self.lines.append("")
                self.add(line)
        else:
            self.add(data)

    def add(self, data: str) -> None:
        words = " ".join(data.split())
        if not words:
            if data and self.lines[-1] and not self.lines[-1].endswith(" "):
                self.lines[-1] += " "
            return
        if not self.lines[-1] and self.quoted:
            self.lines[-1] = "> "
        lead = " " if data[0].isspace() and self.lines[-1].strip("> ") else ""
        self.lines[-1] += lead + words + (" " if data[-1].isspace() else "")

    def new_line(self) -> None:
        is_gap = not self.lines[-1] and len(self.lines) > 1 and self.lines[-2]
        if is_gap or self.lines[-1].strip("> "):
            self.lines.append("")
