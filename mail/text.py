"""Text as people sent it, made plain: HTML without its tags, letters without what cannot be seen."""

import re
import unicodedata
from html import unescape
from typing import NamedTuple

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
    r"\b(?:gmail_quote|gmail_extra|moz-cite-prefix|\w*yahoo_quoted\w*|protonmail_quote|tutanota_quote|zmail_extra"
    r"|mail-editor-reference-message-container|OLK_SRC_BODY_SECTION)\b"
)
# What they put before it, without an end: all that follows is quoted.
QUOTED_FROM_HERE = re.compile(r"\b(?:appendonsend|divRplyFwdMsg|stopSpelling)\b")
HIDDEN = re.compile(r"display\s*:\s*none", re.IGNORECASE)
DEEPEST = 100  # elements inside each other; what lies deeper is read as if it did not

# The standard library's parser takes minutes for 100 KB of tags that do not end; here no letter is looked at thrice.
TOKEN = re.compile(
    r"""<!--.*?(?:-->|\Z)
    | <[!?][^<>]*+>?
    | <(?P<end>/?)(?P<tag>[a-z][a-z0-9:-]*+)(?P<attributes>(?:[^<>"']++|"[^"<]*+"|'[^'<]*+')*+)>
    | <(?P<end_>/?)(?P<tag_>[a-z][a-z0-9:-]*+)(?P<attributes_>[^<>]*+)>
    | (?P<text>[^<]++|<)""",
    re.DOTALL | re.IGNORECASE | re.VERBOSE,
)
ATTRIBUTE = re.compile(r"""\b(class|id|style)\s*=\s*(?:"([^"]*+)"|'([^']*+)'|([^\s"'>]++))""", re.IGNORECASE)

MOST_LINES = 20_000
MOST_MARKS = 8  # on one letter: putting thousands of them in order takes seconds

SPACES = re.compile(r"[^\S\n]+")
# Bidirectional marks, joiners, soft hyphens, variation selectors: nothing that anybody wrote on purpose.
INVISIBLE = re.compile("[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]")


def plain(text: str) -> str:
    """The text with one kind of line end and of space, and without what cannot be seen."""
    text = unicodedata.normalize("NFC", _without_heaps(INVISIBLE.sub("", text)))
    text = "\n".join(re.split(r"\r\n|[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]", text))
    text = "".join(c if c == "\n" or c.isprintable() or c.isspace() else "" for c in text)
    return "\n".join(SPACES.sub(" ", line).rstrip() for line in text.split("\n"))


def _without_heaps(text: str) -> str:
    if text.isascii():
        return text
    kept, marks = [], 0
    for letter in text:
        marks = marks + 1 if unicodedata.combining(letter) else 0
        if marks <= MOST_MARKS:
            kept.append(letter)
    return "".join(kept)


def of_html(html: str) -> str:
    """What somebody reads in an HTML mail, line by line; what it quotes begins with `> `."""
    reader = _Html()
    for token in TOKEN.finditer(html):
        if len(reader.lines) > MOST_LINES:
            break
        if written := token["text"]:
            reader.read_text(unescape(written))
        elif tag := token["tag"] or token["tag_"]:
            if token["end"] or token["end_"]:
                reader.read_end(tag.lower())
            else:
                reader.read_start(tag.lower(), token["attributes"] or token["attributes_"] or "")
    return "\n".join("".join(line) for line in reader.lines)


class _Element(NamedTuple):
    tag: str
    is_quote: bool
    is_unseen: bool


class _Html:
    def __init__(self) -> None:
        self.lines: list[list[str]] = [[]]  # each in pieces
        self.open: list[_Element] = []
        self.unseen = 0
        self.quoted = 0
        self.pre = 0

    def read_start(self, tag: str, attributes: str) -> None:
        if tag in BLOCKS or tag == "br":
            self.new_line()
        if tag in VOID:
            return
        found = {name.lower(): a or b or c for name, a, b, c in ATTRIBUTE.findall(attributes)}
        names = f"{found.get('class', '')} {found.get('id', '')}"
        if QUOTED_FROM_HERE.search(names):
            self.quoted += 1
        is_quote = tag == "blockquote" or bool(QUOTES.search(names))
        is_unseen = tag in UNSEEN or bool(HIDDEN.search(found.get("style", "")))
        self.unseen += is_unseen
        self.quoted += is_quote
        if len(self.open) >= DEEPEST:
            return  # where it ends, nobody will know: a quotation that begins here goes on to the end
        self.open.append(_Element(tag, is_quote, is_unseen))
        self.pre += tag == "pre"

    def read_end(self, tag: str) -> None:
        """Ends an element and those left open in it; a quotation, or what is not seen, by its own tag alone."""
        for place in range(len(self.open) - 1, -1, -1):
            if self.open[place].tag == tag:
                break
            if self.open[place].is_quote or self.open[place].is_unseen:
                return
        else:
            return
        for element in self.open[place:]:
            self.unseen -= element.is_unseen
            self.quoted -= element.is_quote
            self.pre -= element.tag == "pre"
        del self.open[place:]
        if tag in BLOCKS:
            self.new_line()

    def read_text(self, data: str) -> None:
        if self.unseen:
            return
        if self.pre and "\n" in data:
            for number, line in enumerate(data.split("\n", MOST_LINES)):
                if number:
                    self.lines.append([])
                self.add(line)
        else:
            self.add(data)

    def add(self, data: str) -> None:
        words = " ".join(data.split())
        line = self.lines[-1]
        if not words:
            if data and line:
                line.append(" ")
            return
        if not line and self.quoted:
            line.append("> ")
        lead = " " if data[0].isspace() and line else ""
        line.append(lead + words + (" " if data[-1].isspace() else ""))

    def new_line(self) -> None:
        """Begins a line; at most one empty line stands between two."""
        if self.lines[-1] or (len(self.lines) > 1 and self.lines[-2]):
            self.lines.append([])
