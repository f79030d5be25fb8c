"""What the text boards and pictures of all games say in the same words."""

from collections.abc import Callable, Iterator, Sequence
from textwrap import wrap

from referee.contract import View, and_list

COLUMNS = 72  # of a phone, or of a mail
NO_BREAK = "\N{NO-BREAK SPACE}"


def player_name(view: View, seat: int) -> str:
    """A name in one line, without anything that a terminal would obey."""
    return "".join(c if c.isprintable() else "�" for c in view.players[seat])


def asked(view: View) -> str:
    """Who is asked what; of sealed moves, how many have come in."""
    prompts = dict.fromkeys(decision.prompt for decision in view.decisions if decision.required)
    return " ".join(_question(view, prompt) for prompt in prompts)


def _question(view: View, prompt: str) -> str:
    seats = [decision.seat for decision in view.decisions if decision.required and decision.prompt == prompt]
    waiting = [seat for seat in seats if seat not in view.sealed]
    names = and_list([player_name(view, seat) for seat in waiting]) or "Nobody"
    ready = len(seats) - len(waiting)
    return f"{names}: {prompt}" + (f" (Sealed: {ready} of {len(seats)} have come in.)" if ready else "")


def winners(view: View) -> str:
    """Who has won, without a full stop: "Ann wins", "Ann and Bob share the victory"."""
    best = [player_name(view, standing.seat) for standing in view.standings if standing.place == 1]
    return f"{and_list(best)} {'wins' if len(best) == 1 else 'share the victory'}"


def headline(view: View, score: Callable[[int], str] = str) -> str:
    """Who is asked what, or who has won with which score: `headline(view, "{} points".format)`."""
    if view.ending:
        return f"Game over: {winners(view)} with {score(view.standings[0].score or 0)}."
    return asked(view)


def final_standings(view: View, score: Callable[[int], str] = str) -> list[str]:
    """Places, names, scores and what breaks ties, best first."""
    return [
        ", ".join(
            part
            for part in (
                f"{standing.place}. {player_name(view, standing.seat)}",
                score(standing.score or 0),
                standing.note,
            )
            if part
        )
        for standing in view.standings
    ]


def results(view: View, score: Callable[[int], str] = str) -> str:
    """Places, names and scores in one line; nothing while the game lasts."""
    if not view.ending:
        return ""
    return "; ".join(
        f"{standing.place}. {player_name(view, standing.seat)} {score(standing.score or 0)}"
        for standing in view.standings
    )


def seat_notes(view: View, seat: int, sealed: str = "sealed move is in") -> Iterator[str]:
    """What stands beside a player's name: that it is the reader, and that the game waits for it or has its answer."""
    if seat == view.you:
        yield "you"
    if any(decision.seat == seat and decision.required for decision in view.decisions):
        yield sealed if seat in view.sealed else "to move"


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


def sections(*parts: Sequence[str]) -> str:
    """The text board: parts of some lines with an empty line between them; an empty part is left out."""
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"
