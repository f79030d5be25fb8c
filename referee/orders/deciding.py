"""What standing orders make of a decision: the first that applies answers it, on the seat's own view, never against the
rules. `answer_all` lets several seats answer until nobody has anything to say."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

import msgspec

from referee.contract import Phase
from referee.errors import OrderError
from referee.log import Entry
from referee.options import Bag, Domain, Move, Offer, OneOf, Pick, Range, fields_of
from referee.orders.notation import format_move
from referee.orders.standing import (
    DEFAULT,
    OWN_ORDERS,
    WAIT,
    Action,
    AllOf,
    Amount,
    AnyOf,
    Anything,
    Bound,
    Can,
    Clause,
    Compare,
    Condition,
    Everything,
    Holds,
    Is,
    Kept,
    Not,
    Progress,
    Ranked,
    StandingOrder,
    seconds_of,
)
from referee.seat_facts import Look, Value
from referee.table import AnyGame, Table

BY = "standing"  # by whom the log says a move is
MOST_COMBINED = 300  # moves of an offer that are looked at where `any` is said of some fields
MOST_ROWS = 100  # that standing orders answer one after another, until a person or a bot has moved again

COMPARED: Mapping[str, Callable[[int, int], bool]] = {
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    "=": lambda left, right: left == right,
    "!=": lambda left, right: left != right,
    ">=": lambda left, right: left >= right,
    ">": lambda left, right: left > right,
}


class Outlook:
    """What a seat knows when it is asked: facts and offers, each worked out when somebody wants it."""

    def __init__(self, table: Table, seat: int) -> None:
        self.table, self.seat = table, seat
        self.game: AnyGame = table.game
        position = table.position
        self.phases = [phase for phase in self.game.open_phases(position) if seat in phase.seats(position)]
        self.is_awaited = any(phase.required for phase in self.phases)
        self._facts: dict[str, Value] = {}
        self._by_name = self.game.standing.by_name
        self._look: Look | None = None

    def fact(self, name: str) -> Value:
        if name not in self._facts:
            if self._look is None:
                self._look = Look(self.table.view(self.seat), self.game.board, self.seat)
            self._facts[name] = self._by_name[name].value(self._look)
        return self._facts[name]

    def facts(self) -> dict[str, Value]:
        return {name: self.fact(name) for name in self._by_name}

    def amount(self, amount: Amount) -> int | None:
        """A sum; None if a fact in it has no value now."""
        total = amount.number
        for name in amount.plus:
            value = self.fact(name)
            if not isinstance(value, int):
                return None
            total += value
        for name in amount.minus:
            value = self.fact(name)
            if not isinstance(value, int):
                return None
            total -= value
        return total

    def holds(self, condition: Condition | None) -> bool:
        """Whether a condition holds; what compares a fact that has no value now does not."""
        match condition:
            case None:
                return True
            case Compare(left, op, right):
                one, other = self.amount(left), self.amount(right)
                return one is not None and other is not None and COMPARED[op](one, other)
            case Is(fact, any_of, same_as):
                value = self.fact(fact)
                found = set(value) if isinstance(value, tuple) else {value}
                wanted: Any = self.fact(same_as) if same_as else any_of
                return value is not None and not found.isdisjoint(wanted if isinstance(wanted, tuple) else (wanted,))
            case Holds(fact):
                return bool(self.fact(fact))
            case Can(order):
                kind = self.game.moves_by_name[order]
                return any(True for phase in self.phases for _ in self.offers(phase, kind))
            case Not(inner):
                return not self.holds(inner)
            case AllOf(conditions):
                return all(map(self.holds, conditions))
            case AnyOf(conditions):
                return any(map(self.holds, conditions))

    def offers(self, phase: Phase[Any, Any], kind: type[Move]) -> Iterator[Offer]:
        return phase.offers(self.table.position, self.seat, kind) if kind in phase.moves else iter(())

    def move(self, action: Action, phases: Sequence[Phase[Any, Any]]) -> Move | None:
        """A legal move that an action means, if there is one."""
        if action.order == DEFAULT:
            return self._default(phases)
        kind = self.game.moves_by_name[action.order]
        for phase in phases:
            if kind not in phase.moves:
                continue
            for offer in self._like(phase, kind, action):
                move = self._of_offer(offer, action)
                if move is not None:
                    return move
        return None

    def _default(self, phases: Sequence[Phase[Any, Any]]) -> Move | None:
        for phase in phases:
            if phase.required or type(phase).default is not Phase.default:
                return phase.default(self.table.position, self.seat)
        return None

    def _like(self, phase: Phase[Any, Any], kind: type[Move], action: Action) -> Iterator[Offer]:
        """The offers that could fit: of an order that says everything few have to be looked at."""
        if all(isinstance(choice, int | str | tuple) for choice in action.fields.values()):
            return phase.offers_like(self.table.position, self.seat, kind(**action.fields))
        return phase.offers(self.table.position, self.seat, kind)

    def _of_offer(self, offer: Offer, action: Action) -> Move | None:
        values: dict[str, Any] = {}
        for field in fields_of(offer.move):
            wanted = action.fields.get(field.name, field.default)
            if isinstance(wanted, Anything) and field.name in self.game.standing.fills:
                wanted = self.fact(self.game.standing.fills[field.name])
            found = self._choose(offer.domains[field.name], wanted)
            if found is None:
                return None
            values[field.name] = found
        move = offer.move(**values)
        if offer.accepts(move):
            return offer.canonical(move)
        said = {name: value for name, value in values.items() if not isinstance(action.fields.get(name), Anything)}
        if len(said) == len(values):
            return None
        some = islice(offer.moves(), MOST_COMBINED)  # fields that hang together: the first that has what was said
        return next((one for one in some if all(getattr(one, name) == said[name] for name in said)), None)

    def _choose(self, domain: Domain, wanted: Any) -> Any:
        """The value of a domain that a choice means; None if there is none."""
        match wanted:
            case Anything():
                return next(domain.values(), None)
            case Everything():
                return most_of(domain)
            case Bound(pick, at_least, up_to):
                return self._number(domain, pick, at_least, up_to)
            case Ranked(values):
                return ranked_of(domain, values)
        return wanted if domain.accepts(wanted) else None

    def _number(self, domain: Domain, pick: str, at_least: Amount | None, up_to: Amount | None) -> int | None:
        low = self.amount(at_least) if at_least else None
        high = self.amount(up_to) if up_to else None
        if (at_least and low is None) or (up_to and high is None):
            return None
        if isinstance(domain, Range):
            first = domain.low if low is None else max(domain.low, low)
            last = domain.high if high is None else min(domain.high, high)
            return None if first > last else first if pick == "least" else last
        numbers = [value for value in domain.values() if isinstance(value, int)] if isinstance(domain, OneOf) else []
        fitting = [n for n in numbers if (low is None or n >= low) and (high is None or n <= high)]
        return None if not fitting else min(fitting) if pick == "least" else max(fitting)


def most_of(domain: Domain) -> Any:
    """All that a domain has to give; None where that cannot be said."""
    match domain:
        case Range():
            return domain.high
        case OneOf():
            numbers = [value for value in domain.choices if isinstance(value, int)]
            return max(numbers) if len(numbers) == len(domain.choices) else None
        case Pick():
            return domain.choices if len(domain.choices) <= domain.high else None
        case Bag():
            items = tuple(item for item, limit in sorted(domain.limits.items()) for _ in range(limit))
            return items if len(items) <= domain.high or len(domain.limits) == 1 else None
    return None


def ranked_of(domain: Domain, ranked: Sequence[str]) -> Any:
    """Of a ranking what is there, as much as may be; None if that is too little."""
    match domain:
        case OneOf():
            return next((value for value in ranked if domain.accepts(value)), None)
        case Pick():
            found = [value for value in dict.fromkeys(ranked) if value in domain.choices][: domain.high]
            return tuple(found) if len(found) >= domain.low else None
        case Bag():
            items = [item for item in dict.fromkeys(ranked) for _ in range(domain.limits.get(item, 0))][: domain.high]
            return domain.canonical(tuple(items)) if len(items) >= domain.low else None
    return None


class Dropped(NamedTuple):
    """A standing order that is given up, and why."""

    kept: Kept
    reason: str


class Failed(NamedTuple):
    """Why an order does not apply; empty where there is nothing to tell. `is_impossible` if it was to be done."""

    reason: str = ""
    is_impossible: bool = False


class Decided(NamedTuple):
    """What the standing orders of a seat make of a decision.

    `move` is to be played, by the order `number` and its clause and step, not before `at` if that is set. Without a
    move the player is asked; `reasons` say why no order applied. `dropped` are orders that have turned out impossible.
    """

    move: Move | None = None
    number: int = 0
    progress: Progress = Progress()
    is_done: bool = False  # nothing of the order is left
    at: int | None = None  # in seconds since 1970, as is every moment here
    reasons: tuple[str, ...] = ()
    dropped: tuple[Dropped, ...] = ()


def decide(
    table: Table, seat: int, orders: Sequence[Kept], now: int | None = None, asked_at: int | None = None
) -> Decided:
    """The answer of a seat that has these standing orders, in their order. Nothing is played."""
    outlook = Outlook(table, seat)
    reasons: list[str] = []
    dropped: list[Dropped] = []
    has_queued = False
    if not outlook.phases or seat in table.sealed:
        return Decided()
    for kept in orders:
        if is_over(outlook, kept, now):
            continue
        order = kept.order
        if order.when == "next":
            if has_queued or not outlook.is_awaited:
                continue
            has_queued = True  # one queued turn after another, and a turn ends when somebody else has moved
            if not kept.progress.step and kept.progress.row == table.sequence:
                continue
        phases = _asked_in(outlook, order)
        found = _apply(outlook, kept, phases) if phases else Failed()
        if isinstance(found, Decided):
            if found.move and order.after and now is not None and not kept.progress.step:
                at = (now if asked_at is None else asked_at) + order.after
                found = found._replace(at=at if at > now else None)
            return found._replace(reasons=(*reasons, *found.reasons), dropped=tuple(dropped))
        if found.is_impossible and not order.is_kept:
            dropped.append(Dropped(kept, found.reason))
        if found.reason:
            reasons.append(f"{kept.text}: {found.reason}")
    return Decided(reasons=tuple(reasons), dropped=tuple(dropped))


def is_over(outlook: Outlook, kept: Kept, now: int | None) -> bool:
    """Whether one of its limits has ended an order."""
    order, progress = kept.order, kept.progress
    if order.until_row is not None and outlook.table.sequence >= order.until_row:
        return True
    if order.until is not None and now is not None and now >= seconds_of(order.until):
        return True
    if order.until_round is not None:
        current = outlook.fact("round")
        if isinstance(current, int) and current > order.until_round:
            return True
    most = most_times(order)
    return most is not None and progress.used >= most


def _asked_in(outlook: Outlook, order: StandingOrder) -> list[Phase[Any, Any]]:
    """The phases in which the seat is asked now, as far as the order is for them."""
    phases = outlook.phases
    if order.when == "next":
        phases = [phase for phase in phases if phase.required]
    if order.phases:
        names = phase_names(outlook.game, order.phases)
        phases = [phase for phase in phases if phase.name in names]
    return phases


def phase_names(game: AnyGame, named: Sequence[str]) -> set[str]:
    """The phases of the sequence of play that some names mean."""
    known = {phase.name: phase.phases for phase in game.standing.phases}
    return {name for phase in named for name in known.get(phase, (phase.replace(" ", "_"),))}


def _apply(outlook: Outlook, kept: Kept, phases: Sequence[Phase[Any, Any]]) -> Decided | Failed:
    """What one order makes of the decision, or why it does not apply."""
    order, progress = kept.order, kept.progress
    if progress.step:
        clause = order.do[progress.clause]
        found = _step(outlook, kept, phases, clause, progress.step)
        return found if isinstance(found, Decided) else Failed(found, outlook.is_awaited)
    if not any(_is_for(outlook, clause, phases) for clause in order.do):
        return Failed()
    if not outlook.holds(order.only_while) or not outlook.holds(order.condition):
        return Failed("its condition does not hold.", order.when == "next")
    why: list[str] = []
    for clause in order.do:
        if _is_for(outlook, clause, phases) and outlook.holds(clause.condition):
            found = _step(outlook, kept, phases, clause, 0)
            if isinstance(found, Decided):
                return found
            why.append(found)
    reason = " ".join(dict.fromkeys(why)) or "none of its conditions holds."
    return Failed(reason, bool(why) or order.when == "next")


def _is_for(outlook: Outlook, clause: Clause, phases: Sequence[Phase[Any, Any]]) -> bool:
    """Whether a clause can be an answer to what is asked at all."""
    kinds = outlook.game.moves_by_name
    return any(
        action.order in OWN_ORDERS or any(kinds[action.order] in phase.moves for phase in phases)
        for action in clause.do[0]
    )


def _step(outlook: Outlook, kept: Kept, phases: Sequence[Phase[Any, Any]], clause: Clause, step: int) -> Decided | str:
    """The first alternative of a step that is possible; or why none is."""
    for action in clause.do[step]:
        if action.order == WAIT:
            return Decided(number=kept.number, progress=kept.progress, reasons=(f"{kept.text}: waits for you.",))
        move = outlook.move(action, phases)
        if move is not None:
            is_last = step + 1 == len(clause.do)
            used = kept.progress.used + is_last
            row = outlook.table.sequence + (phases[0].kind == "open")  # a sealed move has its row with the reveal
            progress = Progress(used, kept.order.do.index(clause), 0 if is_last else step + 1, row)
            most = most_times(kept.order)
            return Decided(move, kept.number, progress, is_last and most is not None and used >= most)
    return " ".join(dict.fromkeys(_why_not(outlook, action, phases) for action in clause.do[step]))


def most_times(order: StandingOrder) -> int | None:
    return 1 if order.when != "always" else order.times


def _why_not(outlook: Outlook, action: Action, phases: Sequence[Phase[Any, Any]]) -> str:
    """The rules' reason why an order is not possible, where it says enough to have one."""
    if action.order == DEFAULT:
        return "there is nothing that the referee would play."
    kind = outlook.game.moves_by_name[action.order]
    is_exact = all(isinstance(choice, int | str | tuple) for choice in action.fields.values())
    if is_exact and any(kind in phase.moves for phase in phases):
        try:
            outlook.table.check(outlook.seat, kind(**action.fields))
        except OrderError as error:
            return f"“{format_move(outlook.game, kind(**action.fields))}” is not possible: {error.message}"
    return f"“{action.order.replace('_', ' ')}” is not possible now."


class Answer(NamedTuple):
    """A move that a standing order has made: the rows of it, none for a sealed one."""

    seat: int
    number: int  # of the order
    move: Move
    entries: tuple[Entry, ...]
    was_awaited: bool
    progress: Progress
    is_done: bool


class Answered(NamedTuple):
    """What the standing orders of a table have done: the answers, what each seat has left, what was given up, why none
    applied where a seat is asked now, and when there is something to do next."""

    answers: tuple[Answer, ...]
    orders: dict[int, tuple[Kept, ...]]
    dropped: tuple[tuple[int, Dropped], ...]
    reasons: dict[int, tuple[str, ...]]
    later: dict[int, int]
    is_bounded: bool  # stopped, because they would perhaps never end


def answer_all(
    table: Table,
    orders: Mapping[int, Sequence[Kept]],
    now: int | None = None,
    asked_at: Mapping[int, int] = {},
    most: int = MOST_ROWS,
) -> Answered:
    """Plays for all seats that have standing orders, until none of them applies. What nobody has to answer comes first:
    a claim must be made before the turn goes on. After a sealed phase is complete nothing more is done: its reveal is
    not the players' affair."""
    left = {seat: list(some) for seat, some in orders.items()}
    answers: list[Answer] = []
    dropped: list[tuple[int, Dropped]] = []
    reasons: dict[int, tuple[str, ...]] = {}
    later: dict[int, int] = {}
    while len(answers) < most and not table.is_over:
        for seat in _in_turn(table, left):
            found = decide(table, seat, left[seat], now, now if answers else asked_at.get(seat, now))
            for given_up in found.dropped:
                dropped.append((seat, given_up))
                left[seat] = [kept for kept in left[seat] if kept.number != given_up.kept.number]
            later.pop(seat, None)
            reasons[seat] = found.reasons
            if found.move is None:
                continue
            if found.at is not None:
                later[seat] = found.at
                continue
            answers.append(_play(table, seat, found))
            left[seat] = after(left[seat], found)
            reasons.pop(seat)
            break
        else:
            break
    asked = {seat for phase in table.game.open_phases(table.position) for seat in phase.seats(table.position)}
    return Answered(
        tuple(answers),
        {seat: tuple(_unfinished(table, seat, some, now)) for seat, some in left.items()},
        tuple(dropped),
        {seat: why for seat, why in reasons.items() if seat in asked},
        {seat: at for seat, at in later.items() if seat in asked},
        len(answers) >= most,
    )


def _unfinished(table: Table, seat: int, orders: Sequence[Kept], now: int | None) -> list[Kept]:
    outlook = Outlook(table, seat)
    return [kept for kept in orders if not is_over(outlook, kept, now)]


def _in_turn(table: Table, orders: Mapping[int, Sequence[Kept]]) -> list[int]:
    """Seats with standing orders that are asked, those that need not answer first."""
    position = table.position
    asked = {
        seat: phase.required
        for phase in sorted(table.game.open_phases(position), key=lambda phase: not phase.required)
        for seat in phase.seats(position)
    }
    return sorted((seat for seat in asked if orders.get(seat)), key=lambda seat: (asked[seat], seat))


def _play(table: Table, seat: int, found: Decided) -> Answer:
    assert found.move is not None
    was_awaited = seat in table.awaited()
    outcome = table.submit(seat, [found.move], BY)
    return Answer(seat, found.number, found.move, outcome.entries, was_awaited, found.progress, found.is_done)


def after(orders: Sequence[Kept], found: Decided) -> list[Kept]:
    """The orders of a seat after a move; the queued turns behind one that is done wait for the next turn."""
    mine = next(kept for kept in orders if kept.number == found.number)
    ends_turn = found.is_done and mine.order.when == "next"
    left: list[Kept] = []
    for kept in orders:
        progress = kept.progress
        if kept is mine:
            if found.is_done:
                continue
            progress = found.progress
        elif ends_turn and kept.order.when == "next":
            progress = msgspec.structs.replace(progress, row=found.progress.row)
        left.append(msgspec.structs.replace(kept, progress=progress))
    return left
