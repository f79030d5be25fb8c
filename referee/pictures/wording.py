"""What the text boards and pictures of all games say in the same words."""

from collections.abc import Sequence
from textwrap import wrap

from referee.contract import View, and_list

COLUMNS = 96
NO_BREAK = "\N{NO-BREAK SPACE}"


def player_name(view: View, seat: int) -> str:
    """A name in one line, without anything that a terminal would obey."""
    return "".join(c if c.isprintable() else "�" for c in view.players[seat])


def asked(view: View) -> str:
    """Who is asked what; of sealed moves, how many have come in."""
    prompts = dict.fromkeys(one.prompt for one in view.decisions if one.required)
    return " ".join(_question(view, prompt) for prompt in prompts)


def _question(view: View, prompt: str) -> str:
    seats = [one.seat for one in view.decisions if one.required and one.prompt == prompt]
    waiting = [seat for seat in seats if seat not in view.sealed]
    names = and_list([player_name(view, seat) for seat in waiting]) or "Nobody"
    ready = len(seats) - len(waiting)
    return f"{names}: {prompt}" + (f" (Sealed: {ready} of {len(seats)} have come in.)" if ready else "")


def winners(view: View) -> str:
    """Who has won, without a full stop: "Ann wins", "Ann and Bob share the victory"."""
    best = [player_name(view, one.seat) for one in view.standings if one.place == 1]
    return f"{and_list(best)} {'wins' if len(best) == 1 else 'share the victory'}"


def fidelity_line(view: View) -> str:
    published = view.board.fidelity == "rulebook"
    return f"Board {view.board.name}: {'as published' if published else 'not the published board'}."


def several(words: Sequence[str], between: str = ", ") -> str:
    """Words in a row, each kept in one piece when the row is folded."""
    return between.join(word.replace(" ", NO_BREAK) for word in words) or "none"


def folded(words: str, indent: str = "") -> list[str]:
    """Lines of at most so many columns."""
    lines = wrap(words, COLUMNS, initial_indent=indent, subsequent_indent="    ", break_on_hyphens=False)
    return [line.replace(NO_BREAK, " ") for line in lines]
