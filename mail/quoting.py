"""What of a reply is new: without the mail that it answers, the lines that introduce it, and signatures.

Three things are known for certain: the marker line that our mails carry, lines that begin with a quotation mark, and
the line `-- ` before a signature. For mail programs that mark nothing, the line or the block with which they introduce
a quotation is known in the languages below; where our marker follows it, it belongs to the quotation.
"""

import re
from collections.abc import Iterable, Iterator

MARKER = "=== Write above this line. What is below it is not read. ==="
# Without its signs: they come back bold, escaped, or not at all.
_MARKER = re.compile(r"\bWrite above this line\b", re.IGNORECASE)

QUOTED = re.compile(r"^ {0,2}(?:[A-Z]{0,3}>|\| |│|＞)")
SIGNATURE = re.compile(r"^ ?-- ?$|^_{5,}$|^—$")
BULLET = re.compile(r"^\s*(?:[-*+•·‣▪◦–—]|\(?\d{1,2}[.)])\s+(?=\S)")


def _any_of(patterns: Iterable[str]) -> re.Pattern[str]:
    return re.compile(rf"^\s*(?:{'|'.join(patterns)})\s*$", re.IGNORECASE)


# "On Tue, 3 Nov 2026 at 18:00, Waybill <…> wrote:", as mail programs say it; it may be broken into two or three lines.
WROTE = _any_of(
    rf"{words} ?[:：]?"
    for words in (
        r"on .*\bwrote",
        r"am .*\bschrieb\b.*",
        r".*\bschrieb am\b.*",
        r"le .*\ba [ée]crit",
        r"el .*\bescribi[óo]",
        r"em .*\bescreveu",
        r"a\(s\) .*\bescreveu",
        r"il .*\bha scritto",
        r"op .*\bschreef\b.*",
        r"den .*\b(?:skrev|skreiv)\b.*",
        r".*\bkirjoitti\b.*",
        r"(?:dnia|w dniu) .*\bnapisa[łl]\b.*",
        r"dne .*\bnapsal\b.*",
        r".*\b[íi]rta",
        r".* tarihinde .*\byazd[ıi]",
        r".*\b(?:написал|написала|пишет|написав)\b.*",
        r"στις .*\bέγραψε",
        r".*(?:写道|寫道|のメール|は書きました|님이 작성).*",
    )
)
# "-----Original Message-----", "Begin forwarded message:": all that follows is quoted.
_ORIGINALS = (
    "original message",
    "forwarded message",
    "original-nachricht",
    "urspr[üu]ngliche nachricht",
    "weitergeleitete nachricht",
    "message d['’]origine",
    "message transf[ée]r[ée]",
    "mensaje original",
    "mensaje reenviado",
    "mensagem original",
    "messaggio originale",
    "oorspronkelijk bericht",
    "oprindelig meddelelse",
    "ursprungligt meddelande",
    "opprinnelig melding",
    "alkuper[äa]inen viesti",
    "wiadomo[śs][ćc] oryginalna",
    "p[ůu]vodn[íi] zpr[áa]va",
    "исходное сообщение",
    "原始邮件",
    "元のメッセージ",
)
ORIGINAL = _any_of(
    [
        *(rf"-{{2,}} ?{words} ?-{{2,}}.*" for words in _ORIGINALS),
        r"begin forwarded message ?:.*",
        r"anfang der weitergeleiteten nachricht ?:.*",
        r"d[ée]but du message r[ée]exp[ée]di[ée] ?:.*",
    ]
)
# A block of headers, as Outlook writes it before what it quotes: a sender, and at least two of the others.
FROM = _any_of(
    rf"\*?{word}\*? ?[:：]\*? ?\S.*"
    for word in (
        "from", "von", "de", "da", "van", "fra", "fr[åa]n", "l[äa]hett[äa]j[äa]", "od", "felad[óo]", "kimden", "от",
        "від", "από", "de la", "发件人", "寄件者", "差出人", "보낸 사람",
    )
)  # fmt: skip
HEADER = _any_of(
    rf"\*?{word}\*? ?[:：].*"
    for word in (
        "sent", "date", "to", "subject", "cc", "gesendet", "datum", "an", "betreff", "envoy[ée]", "[àa]", "objet",
        "enviado(?: el| em)?", "fecha", "data", "para", "asunto", "assunto", "inviato", "oggetto", "verzonden", "aan",
        "onderwerp", "sendt", "til", "emne", "skickat", "till", "[äa]mne", "l[äa]hetetty", "vastaanottaja", "aihe",
        "wys[łl]ano", "do", "temat", "odesl[áa]no", "komu", "p[řr]edm[ěe]t", "отправлено", "дата", "кому", "тема",
        "elk[üu]ldve", "c[íi]mzett", "t[áa]rgy", "g[öo]nderildi", "g[öo]nderilme tarihi", "tarih", "kime", "konu",
        "надіслано", "στάλθηκε", "ημερομηνία", "προς", "θέμα", "trimis", "c[ăa]tre", "subiect",
        "发送时间", "收件人", "主题", "傳送時間", "寄件日期", "收件者", "主旨", "送信日時", "宛先", "件名",
        "보낸 날짜", "받는 사람", "제목",
    )
)  # fmt: skip
# What phones and programs add below a mail.
SENT_FROM = _any_of(
    (
        r"sent (?:from|with|via|using) .*",
        r"(?:von meinem|gesendet (?:von|mit)|diese nachricht wurde von) .*",
        r"envoy[ée] (?:de|depuis|avec|à partir) .*",
        r"enviado (?:desde|do|a partir|de|com|con) .*",
        r"inviato (?:da|dal|con) .*",
        r"(?:verzonden|verstuurd) (?:vanaf|met|via) .*",
        r"(?:sendt|skickat|skickades) (?:fra|fr[åa]n|med) .*",
        r"l[äa]hetetty .*(?:puhelimesta|iphonesta|laitteesta).*",
        r"wys[łl]ano z .*",
        r"odesl[áa]no z .*",
        r".*(?:iphone|telefon)['’]?(?:umdan|dan) g[öo]nderildi.*",
        r"отправлено (?:с|из) .*",
        r"get (?:outlook|bluemail) for .*",
        r"(?:iphone|ipad)から送信.*",
        r"发自我的.*",
        r"나의 .*에서 보냄",
    )
)
SOMEBODY = re.compile(r"@|\d{1,2}[:.h]\d\d|\d{4}")
SHORTEST_INTRODUCTION = 6  # letters
LONGEST_INTRODUCTION = 3  # lines
LONGEST_LINE = 400  # letters, of a line that a mail program wrote


def new_lines(text: str) -> Iterator[str]:
    """The lines that the sender wrote, each without its bullet; empty ones are left out."""
    lines = text.split("\n")
    marked = next((place for place, line in enumerate(lines) if _MARKER.search(line) and not QUOTED.match(line)), None)
    if marked is not None:
        lines = lines[: _begin_of_quotation(lines, marked)]
    is_signature = False  # which ends where a quotation begins: below an answer written above it
    place = 0
    while place < len(lines):
        line = lines[place]
        if QUOTED.match(line):
            is_signature = False
            place += 1
        elif introduced := _introduction(lines, place):
            if introduced.is_all:
                return
            is_signature = False
            place += introduced.length
        else:
            is_signature = is_signature or bool(
                SIGNATURE.match(line) or (len(line) <= LONGEST_LINE and SENT_FROM.match(line))
            )
            if not is_signature and (said := BULLET.sub("", line).strip()):
                yield said
            place += 1


def introduces(lines: list[str], place: int) -> bool:
    """Whether a quotation is introduced at a place: a sender's line that ends with a space does not flow into it."""
    return len(lines[place]) >= SHORTEST_INTRODUCTION and _introduction(lines, place) is not None


class _Introduced:
    def __init__(self, length: int, is_all: bool = False) -> None:
        self.length = length
        self.is_all = is_all  # nothing after it is marked as quoted, and all of it is


def _introduction(lines: list[str], place: int) -> _Introduced | None:
    """Lines at a place with which a mail program introduces what it quotes."""
    if len(lines[place]) > LONGEST_LINE:
        return None
    if ORIGINAL.match(lines[place]) or _is_header_block(lines, place):
        return _Introduced(1, is_all=True)
    for length in range(1, LONGEST_INTRODUCTION + 1):
        if place + length > len(lines) or not lines[place + length - 1]:
            return None
        joined = _joined(lines, place, length)
        if len(joined) > LONGEST_LINE:
            return None
        if not WROTE.match(joined) and not _is_dated(joined):
            continue
        if any(_names_somebody(_joined(lines, place + skip, length - skip)) for skip in range(1, length)):
            return None  # it begins further down, and this line is the sender's own
        following = next((line for line in lines[place + length :] if line.strip()), "")
        is_marked = bool(QUOTED.match(following))
        # "Am Montag schrieb ich:" is a sentence; an introduction names an address or a time, or precedes quotes.
        if is_marked or SOMEBODY.search(joined):
            return _Introduced(length, is_all=not is_marked)
    return None


def _joined(lines: list[str], place: int, length: int) -> str:
    return " ".join(line.strip() for line in lines[place : place + length])


def _is_dated(line: str) -> bool:
    """Whether a line introduces a quotation in a language that nobody listed: a year, a time, an address, a colon."""
    return line.endswith((":", "：")) and all(re.search(sign, line) for sign in (r"\d{4}", r"\d{1,2}[:.h]\d\d", "@"))


def _names_somebody(line: str) -> bool:
    return bool((WROTE.match(line) and SOMEBODY.search(line)) or _is_dated(line))


def _is_header_block(lines: list[str], place: int) -> bool:
    if not FROM.match(lines[place]):
        return False
    block = [line for line in lines[place + 1 : place + 8] if line.strip()][:5]
    return sum(bool(HEADER.match(line[:LONGEST_LINE])) for line in block) >= 2


def _begin_of_quotation(lines: list[str], marked: int) -> int:
    """Where the quotation that holds our marker begins: at the marker, or at what introduces it."""
    for place in range(max(0, marked - 40), marked):
        if not QUOTED.match(lines[place]) and _introduction(lines, place):
            return place
    return marked
