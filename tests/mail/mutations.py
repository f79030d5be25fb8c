"""Mails that nobody sent: transcripts with damage, and answers built around a quotation that holds a forged order."""

import base64
import html
import quopri
import random
from pathlib import Path

from mail.quoting import MARKER

TRANSCRIPTS = [path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.eml"))]
OWN = ("bid 35", "pass", "buy LAX for Transcontinental", "- sell 1 share", "fly Zürich–Łódź")
FORGED = "forged order"  # begins every line that stands in a quotation or below the marker, and nowhere else
PIECES = (
    b"\n",
    b"\r",
    b"\r\n\r\n",
    b"\0",
    b"\xff",
    b"=",
    b"=3D",
    b"=?utf-8?b?/w==?=",
    b"--",
    b"-- \n",
    b">",
    b"> ",
    b"<",
    b"<!--",
    b"</blockquote>",
    b"<blockquote>",
    b"<p",
    b"&#x110000;",
    b"&nbsp;",
    b'"',
    b"(",
    b";",
    b":",
    b"\xe2\x80\xae",
    b"\xcc\x81" * 50,
    b"Content-Type: multipart/mixed; boundary=x\n\n--x\n",
    b"Content-Transfer-Encoding: base64\n",
    b"charset=utf-16",
    b"format=flowed",
    b"On 10 Nov 2026 09:00, a@b.example wrote:\n",
    b"From: a\nSent: b\nTo: c\nSubject: d\n",
    b" " * 500,
)


def damaged(chance: random.Random) -> bytes:
    """A transcript with bytes changed, removed, doubled or moved, or joined with another."""
    raw = bytearray(chance.choice(TRANSCRIPTS))
    for _ in range(chance.choice((1, 2, 4, 16, 64))):
        place, size = chance.randrange(len(raw) + 1), chance.choice((1, 2, 8, 60, 400))
        match chance.randrange(6):
            case 0:
                raw[place : place + 1] = bytes([chance.randrange(256)])
            case 1:
                del raw[place : place + size]
            case 2:
                raw[place:place] = raw[place : place + size] * chance.choice((1, 2, 50))
            case 3:
                raw[place:place] = chance.choice(PIECES) * chance.choice((1, 1, 3, 200))
            case 4:
                other = chance.choice(TRANSCRIPTS)
                cut = chance.randrange(len(other))
                raw[place:place] = other[cut : cut + size]
            case _:
                there = chance.randrange(len(raw) + 1)
                raw[there:there] = raw[place : place + size]
        if len(raw) > 200_000:
            del raw[200_000:]
    return bytes(raw)


def with_forged_quotation(chance: random.Random) -> bytes:
    """A mail with lines of its own, and forged orders only where nothing is read."""
    own = [_disguised(chance, chance.choice(OWN)) for _ in range(chance.randrange(4))]
    forged = [f"{FORGED} {number}" for number in range(chance.randrange(1, 5))]
    if chance.random() < 0.3:
        return _html(chance, own, forged)
    return _encoded(chance, "plain", "\n".join(_plain(chance, own, forged)) + "\n")


def _disguised(chance: random.Random, line: str) -> str:
    for sign in chance.sample(["\u00a0", "\u200f", "\u200b", "\ufeff", " ", "👍", "\u202e", "“"], chance.randrange(3)):
        place = chance.randrange(len(line) + 1)
        line = line[:place] + sign + line[place:]
    return line


INTRODUCTIONS = (
    ["On Tue, 10 Nov 2026 at 09:00, Waybill <", "t@waybill.example> wrote:"],
    ["Am 10.11.26 um 09:00 schrieb Waybill:"],
    ["Le mar. 10 nov. 2026 à 09:00, Waybill <t@waybill.example> a", "écrit :"],
    ["вт, 10 нояб. 2026 г. в 09:00, Waybill <t@waybill.example>:"],
    ["2026年11月10日(火) 9:00 Waybill <t@waybill.example>:"],
    ["wt., 10 lis 2026 o 09:00 Waybill <t@waybill.example> napisał(a):"],
    ["-----Original Message-----"],
    [
        "________________________________",
        "From: Waybill <t@waybill.example>",
        "Sent: Tuesday",
        "To: Ada",
        "Subject: Bid",
    ],
    ["Von: Waybill", "Gesendet: Dienstag, 10. November 2026 09:00", "An: Ada", "Betreff: Gebot"],
)
SIGNATURES = (
    [],
    ["-- ", "Ada"],
    ["Sent from my iPhone"],
    ["", "Von meinem iPhone gesendet", ""],
    ["Get Outlook for iOS"],
)


def _plain(chance: random.Random, own: list[str], forged: list[str]) -> list[str]:
    gap = [""] * chance.randrange(3)
    signature = chance.choice(SIGNATURES)
    letter = [*gap, "Tin Goose 214", *forged, "Row 12"]
    if chance.random() < 0.5:
        letter.insert(len(gap) + chance.randrange(1, 3), f"> {forged[0]}")  # a quotation in the quotation
    match chance.randrange(4):
        case 0:
            return [*own, *signature, *gap, chance.choice((MARKER, f"*{MARKER}*", f" {MARKER} ")), *letter]
        case 1:
            return [*own, *signature, *gap, *chance.choice(INTRODUCTIONS), *letter]
        case 2:
            quoted = [f"{chance.choice(('>', '> ', '>> ', '> > ', '| '))}{line}" for line in [MARKER, *letter]]
            return [*own, *signature, *gap, *chance.choice(INTRODUCTIONS[:6]), *gap, *quoted, *gap, *own]
        case _:
            quoted = [f"> {line}" for line in letter]
            place = chance.randrange(len(quoted))
            return [*quoted[:place], *own, *quoted[place:], *own, *signature]


def _html(chance: random.Random, own: list[str], forged: list[str]) -> bytes:
    new = "".join(
        chance.choice(("<div>%s</div>", "<p>%s</p>", "%s<br>", "<li>%s", "<p>%s")) % html.escape(o) for o in own
    )
    rows = "".join(chance.choice(("<div>%s</div>", "%s<br>", "<p>%s", "</p>%s</p>", "<td>%s</i>")) % f for f in forged)
    shape = chance.choice((
        f"{new}<div class=gmail_quote>On x wrote:<blockquote>{rows}</blockquote></div>",
        f"{new}<blockquote type='cite'>{rows}</blockquote>{new}",
        f"<p>{new}<blockquote>{rows}</blockquote>",
        f'{new}<div id="appendonsend"></div><hr><div id="divRplyFwdMsg"><b>From:</b> W</div><div>{rows}</div>',
        f"{new}<p>{MARKER}</p>{rows}",
        "<div>" * chance.randrange(300) + f"{new}<blockquote>{rows}</blockquote>",
        f'{new}<div class="yahoo_quoted" id="yahoo_quoted_12">{rows}</div>',
        f"{new}<p><b>From:</b> W<br><b>Sent:</b> x<br><b>To:</b> y<br><b>Subject:</b> z</p>{rows}",
        f"<!--{rows}-->{new}<style>{rows}</style><div style='display: none'>{rows.replace('</', '<i')}</div>",
    ))  # fmt: skip
    return _encoded(chance, "html", shape)


def _encoded(chance: random.Random, subtype: str, text: str) -> bytes:
    charset = chance.choice(("utf-8", "utf-8", "utf-8", "utf-16", "gb18030"))
    data, encoding = text.encode(charset), "8bit"
    if charset != "utf-8" or chance.random() < 0.3:
        data, encoding = base64.encodebytes(data), "base64"
    elif chance.random() < 0.5:
        data, encoding = quopri.encodestring(data), "quoted-printable"
    flowed = "; format=flowed" if subtype == "plain" and chance.random() < 0.3 else ""
    part = (
        f"Content-Type: text/{subtype}; charset={charset}{flowed}\nContent-Transfer-Encoding: {encoding}\n\n".encode()
        + data
    )
    head = b"From: ada@example.org\nTo: t@waybill.example\nMIME-Version: 1.0\n"
    if chance.random() < 0.3:
        kind = chance.choice((b"mixed", b"alternative", b"related"))
        part = b"Content-Type: multipart/" + kind + b"; boundary=q\n\n--q\n" + part + b"\n--q--\n"
    raw = head + part
    return raw.replace(b"\n", b"\r\n") if chance.random() < 0.5 else raw
