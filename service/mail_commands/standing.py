"""STANDING [ADD order | REMOVE number | REMOVE ALL]: orders that are tried whenever one is asked."""

from collections.abc import Sequence

from referee.orders.standing import Kept
from service import standing
from service.errors import Invalid
from service.mail_commands import Did, Speaker
from store.database import Database

WORD, PATTERN = "STANDING", "STANDING [ADD order, REMOVE number or REMOVE ALL]"
SUMMARY = "show your standing orders, give another, or take one back; they are played for you when you are asked"
TAKES_MORE, TAKES_LINES, CHANGES, ALONE = True, False, True, True

HOW = (
    "STANDING ADD and an order behind it gives one, such as STANDING ADD in auction: bid one more up to 12; else pass."
    " STANDING REMOVE 1 takes the first back, STANDING REMOVE ALL all of them."
)


def run(db: Database, speaker: Speaker, rest: str, lines: Sequence[str]) -> Did:
    word, _, what = rest.partition(" ")
    what = what.strip()
    match word.upper().rstrip(":"):
        case "" | "SHOW":
            return Did([*_told(db, speaker), HOW])
        case "ADD" if what:
            wanted = [*(kept.text for kept in _kept(db, speaker)), what]
        case "REMOVE" if what.upper().rstrip(".") == "ALL":
            wanted = []
        case "REMOVE":
            wanted = _without(db, speaker, what)
        case _:
            raise Invalid("standing", f"after it comes ADD, REMOVE or nothing. {HOW}")
    done = standing.put(db, speaker.game.id, speaker.seat, speaker.player.id, wanted, speaker.key(WORD, rest))
    return Did(_told(db, speaker), is_changed=True, work=done.made)


def _kept(db: Database, speaker: Speaker) -> Sequence[Kept]:
    with db.session() as session:
        return standing.of_seat(session, speaker.game.id, speaker.seat, speaker.player.id)


def _without(db: Database, speaker: Speaker, what: str) -> list[str]:
    kept = _kept(db, speaker)
    numbers = [str(order.number) for order in kept]
    if what.rstrip(".") not in numbers:
        have = f"you have {', '.join(numbers)}" if numbers else "you have none"
        raise Invalid("standing", f"there is no standing order {what[:40]!r}: {have}.")
    return [order.text for order in kept if str(order.number) != what.rstrip(".")]


def _told(db: Database, speaker: Speaker) -> list[str]:
    """Each as it was read, and what they would do now."""
    found = standing.listed(db, speaker.game.id, speaker.seat, speaker.player.id)
    if not found.orders:
        return ["STANDING: you have no standing orders in this game."]
    said = ["STANDING: they are tried in this order whenever you are asked."]
    said += [f"  {order.number}. {order.reading}" for order in found.orders]
    parts = ["\n".join(said)]
    if found.now.plays:
        parts.append(f"What they play now: {found.now.plays}.")
    elif found.now.asked:
        parts.append(
            "\n".join(["You are asked now, and none of them plays.", *(f"  {why}" for why in found.now.reasons)])
        )
    return parts
