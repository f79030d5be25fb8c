"""RESIGN YES: gives the seat up. RESIGN alone asks back."""

from collections.abc import Sequence

from service import seats
from service.errors import Invalid
from service.games import policy_of
from service.mail_commands import Did, Speaker, written
from store import games
from store.database import Database

WORD, PATTERN = "RESIGN", "RESIGN"
SUMMARY = "give up your seat; you are asked back, and RESIGN YES does it"
TAKES_MORE, TAKES_LINES, CHANGES, ALONE = True, False, True, True


def run(db: Database, speaker: Speaker, rest: str, lines: Sequence[str]) -> Did:
    yes = written(speaker.game.ruleset, "RESIGN YES")
    answer = rest.rstrip(".!").strip().upper()
    if answer not in ("", "YES"):
        raise Invalid("resign", f"nothing was done. Write {yes} to give up your seat.")
    plays_on = "A bot plays on for you"
    if policy_of(speaker.game).substitute:
        plays_on += ", and the seat is offered to others"
    if not answer:
        return Did(
            [f"RESIGN: do you want to give up your seat? {plays_on}. Write {yes} to do it. Nothing was done yet."]
        )
    with db.transaction() as transaction:
        seats.leave(transaction, speaker.game.id, speaker.player.id)
    with db.session() as session:
        after = games.find(session, speaker.game.id)
    if after and after.status == "over":
        return Did(["RESIGN: your seat is given up. Nobody else was there, so the game is over."], is_changed=True)
    returns = f"Until somebody has taken it over you may return: answer this mail with SUBSTITUTE {speaker.game.id}."
    return Did([f"RESIGN: your seat is given up. {plays_on}.", returns], is_changed=True)
