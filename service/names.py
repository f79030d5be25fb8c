"""Names that people can tell apart: what a name may hold, and the key that look-alikes share.

The key is worked out here, so that it does not depend on the locale of a database. It is a skeleton as Unicode has them
(UTS 39): letters of its list of confusables, and more that look alike in common fonts, are taken for the same one.
"""

import unicodedata
from collections.abc import Iterator

from confusable_homoglyphs.confusables import confusables_data

from service.errors import Invalid

# Printable by Unicode's own categories, and yet nothing is seen of them.
INVISIBLE = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
    + "".join(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
)
# Scripts that are written together; all others keep to themselves.
TOGETHER = (
    frozenset({"LATIN", "CJK", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "CJK", "BOPOMOFO"}),
    frozenset({"LATIN", "CJK", "HANGUL"}),
)
# After case folding: what each of these looks like, beyond Unicode's list, or otherwise than there, where a capital
# looks like another letter than its small one. Several letters may look like one, and one like several.
LOOK_ALIKES = {
    "a": "аαɑᴀ",
    "b": "ьвβʙƅ",
    "c": "сϲᴄⅽ",
    "d": "ԁɗժᴅ",
    "e": "еεҽєℯᴇ",
    "f": "ғϝƒꜰ",
    "g": "ɡցɢǥ",
    "h": "һհнʜ",
    "j": "јϳᴊ",
    "k": "кκᴋƙ",
    "l": "1iіιıɩӏǀ|ɪⅼ",
    "m": "мᴍⅿ",
    "n": "пηռɴ",
    "o": "0оοօσᴏøө",
    "p": "рρᴘϸ",
    "q": "ԛգզ",
    "r": "гʀᴦɾ",
    "s": "ѕꜱƽʂ",
    "t": "тτᴛŧ",
    "u": "υսʋᴜ",
    "v": "ѵνᴠⅴ",
    "w": "ԝωѡᴡա",
    "x": "хχⅹ×",
    "y": "уүγʏყ",
    "z": "ᴢʐƶ",
    "3": "зʒӡ",
    "6": "б",
    "ae": "æӕ",
    "oe": "œ",
    "'": "’‘ʼʹ′`´ʻ",
    "-": "‐‑‒–—−ー一",
}
OURS = {ord(letter): looks for looks, letters in LOOK_ALIKES.items() for letter in letters.casefold()}


def _confusables() -> Iterator[tuple[int, str]]:
    """The letters of Unicode's list that look like a Latin letter or a digit, and like which; small letters last."""
    for letter in sorted(confusables_data, key=str.islower):
        looks = [other["c"] for other in confusables_data[letter] if other["c"].isascii() and other["c"].isalnum()]
        folded_letter = letter.casefold()
        if looks and len(folded_letter) == 1 and not folded_letter.isascii():  # ſ looks like f, and is an s
            yield ord(folded_letter), looks[0].casefold().translate(OURS)


SAME = dict(_confusables()) | OURS
PAIRS = (("rn", "m"), ("vv", "w"))  # that are taken for one letter


def check_name(name: str) -> None:
    """Refuses a name that does not show what it is."""
    plain = unicodedata.normalize("NFKC", name)
    if not plain.isprintable() or any(letter in INVISIBLE for letter in name):
        raise Invalid("name", "A name holds only what can be seen: no invisible letters.")
    if "  " in plain or plain != plain.strip():
        raise Invalid("name", "Between the words of a name there is one space, and none at its ends.")
    if not any(letter.isalnum() for letter in plain):
        raise Invalid("name", "A name holds a letter or a digit at least.")
    if _has_heap_of_marks(plain):
        raise Invalid("name", "A letter of a name has two accents at most.")
    scripts = {script for letter in plain if letter.isalpha() and (script := _script(letter))}
    if len(scripts) > 1 and not any(scripts <= group for group in TOGETHER):
        raise Invalid(
            "name", f"A name keeps to one script; this mixes {' and '.join(sorted(map(str.title, scripts)))}."
        )


def folded(name: str) -> str:
    """The name without regard to case and to ways of encoding the same letters."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def name_key(name: str) -> str:
    """What names that look alike have in common. Accents count, for they are seen."""
    text = unicodedata.normalize("NFD", folded(name).translate(SAME)).translate(SAME)
    for pair, letter in PAIRS:
        text = text.replace(pair, letter)
    return " ".join(text.split())


def _script(letter: str) -> str:
    """The first word of a letter's name, which is its script; empty for those that belong to all."""
    words = unicodedata.name(letter, "").split()
    return "" if not words or words[0] in ("MODIFIER", "FULLWIDTH", "MASCULINE", "FEMININE", "MICRO") else words[0]


def _has_heap_of_marks(text: str) -> bool:
    run = 0
    for letter in unicodedata.normalize("NFD", text):
        run = run + 1 if unicodedata.combining(letter) else 0
        if run > 2:
            return True
    return False
