"""WAIT: the sealed orders of this phase are opened at the deadline and no sooner."""

from collections.abc import Sequence

from mail.letters import when
from service import phases
from service.games import act_once
from service.mail_commands import Did, Speaker, written
from store.database import Database

WORD, PATTERN, SUMMARY = "WAIT", "WAIT", "have the envelopes opened at the deadline and no sooner"
TAKES_MORE, TAKES_LINES, CHANGES = False, False, True


def run(db: Database, speaker: Speaker, rest: str, lines: Sequence[str]) -> Did:
    done = act_once(
        db,
        speaker.game.id,
        lambda transaction, game_id: phases.set_wait(transaction, game_id, speaker.player.id, True),
        speaker.key(WORD),
    )
    due = f" ({when(done.made.due_at, speaker.zone)})" if done.made.due_at else ""
    takes_back = written(speaker.game.ruleset, "CANCEL WAIT")
    said = f"WAIT: the envelopes are opened at the deadline{due} and no sooner. {takes_back} takes that back."
    return Did([said], is_changed=True)
