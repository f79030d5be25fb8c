"""One game in progress: the position, the log's head, and the sealed moves that wait for their reveal.

A table holds the position as canonical JSON. Each submission is played on a private copy decoded from it, so a refused
one leaves nothing behind, and the cost of a move does not depend on how long the game has lasted.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, get_args

import msgspec

from referee.chance import Chance, commitment, derive, game_key
from referee.contract import (
    EVERYTHING,
    Decision,
    Event,
    Game,
    Phase,
    Play,
    Position,
    View,
    Viewer,
    Words,
    and_list,
    board_name,
    canonical,
)
from referee.errors import IllegalOrder, InvalidOrder, OrderError
from referee.log import (
    CARRY_OVER,
    ENGINE_EVENTS,
    UNDO,
    CarriedOver,
    Entry,
    Header,
    Order,
    Row,
    Undone,
    enter,
    first_link,
    move_commitment,
    numbered_seats,
    position_digest,
)
from referee.options import Move, Offer, fields_of, nearest, type_name
from referee.orders.menu import in_words
from referee.orders.notation import EMPTY, format_move, parse, pattern_of, patterns

AnyGame = Game[Any, Any, Any]
Listing = list[tuple[Phase[Any, Any], list[Offer]]]  # the offers to a seat, by the phase that makes them

ChooseForTheLate = Callable[["Table", int], tuple[Move, str]]

MOST_ORDERS = 100  # in one submission
NAMED_IN_A_REFUSAL = 20
SHAPES: Mapping[Any, str] = {  # what a field of a move can hold
    int: "a whole number",
    str: "a name",
    tuple[int, ...]: "a list of whole numbers",
    tuple[str, ...]: "a list of names",
}


class Sealed(msgspec.Struct, frozen=True, rename={"sequence": "row"}):
    """A sealed move in its envelope, kept outside the position until the reveal."""

    order: Order
    phase: str
    sequence: int  # of the row in which it will be revealed


class Receipt(msgspec.Struct, frozen=True, rename={"sequence": "row"}):
    """What the player gets for a sealed move. The log publishes the same commitment, with its nonce, at the reveal."""

    seat: int
    phase: str
    sequence: int
    commitment: str


class Outcome(msgspec.Struct, frozen=True):
    """What a submission did: rows played, or a receipt for a sealed move; and how each order was read."""

    game: AnyGame
    moves: tuple[Move, ...]
    entries: tuple[Entry, ...] = ()
    receipt: Receipt | None = None

    @property
    def readings(self) -> tuple[str, ...]:
        """The orders as they would be written; worked out only for those who ask."""
        return tuple(format_move(self.game, move) for move in self.moves)


class Table:
    """One game. Build it with `open_table`, or from what a store kept."""

    def __init__(
        self,
        game: AnyGame,
        header: Header,
        seed: bytes,
        position_json: bytes,
        sequence: int,
        head: str,
        sealed: Mapping[int, Sealed] | None = None,
        names: Sequence[str] | None = None,
    ) -> None:
        self.game = game
        self.header = header
        self.seed = seed
        self.sequence = sequence  # the number of the log's last row
        self.head = head
        self.sealed = dict(sealed or {})
        self.words = Words(game, header.players if names is None else names)
        self.position_json = position_json
        self._key = game_key(seed, header.entropy)
        self._read: Position | None = None
        self._played: Position | None = None  # the same as a move has left it: things may lie in another order
        self.is_revealed = False  # an earlier position of a game that is over by now

    @property
    def position(self) -> Any:
        """The position, to look at: nobody may assign to it."""
        if self._read is None:
            self._read = self._copy()
        return self._read

    @property
    def names(self) -> tuple[str, ...]:
        """How the players are called: as `names` says, or as the header does."""
        return self.words.players

    @property
    def ending(self) -> str:
        """The key of the end condition that was met; empty while the game lasts."""
        return str((self._played or self.position).ending)

    @property
    def is_over(self) -> bool:
        return bool(self.ending)

    def viewer(self, seat: int | None) -> Viewer:
        """A seat's eyes. When the game is over nothing is hidden from anybody."""
        return EVERYTHING if self.is_over or self.is_revealed else Viewer(seat)

    def decisions(self, seat: int | None = None) -> tuple[Decision, ...]:
        """What is being asked, of all or of one seat."""
        asked = self.game.decisions(self.position)
        return tuple(decision for decision in asked if seat is None or decision.seat == seat)

    def awaited(self) -> set[int]:
        """The seats without whose decision the game does not go on."""
        position = self._played or self.position
        return {seat for phase in self.game.open_phases(position) if phase.required for seat in phase.seats(position)}

    def acting(self) -> list[int]:
        """The same without those whose sealed move is in: whom the game waits for."""
        return sorted(self.awaited().difference(self.sealed))

    def offers(self, seat: int) -> list[Offer]:
        """The legal moves of a seat."""
        return [
            offer for phase in _phases(self.game, self.position, seat) for offer in phase.offers(self.position, seat)
        ]

    def view(self, seat: int | None = None) -> View:
        """The game as a seat, or a spectator, may see it."""
        position, viewer = self.position, self.viewer(seat)
        return View(
            game=self.game.key,
            version=self.game.version,
            board=self.header.board,
            settings=self.game.settings,
            players=self.names,
            you=seat,
            sequence=self.sequence,
            phase=position.phase,
            decisions=self.game.decisions(position),
            sealed=tuple(sorted(self.sealed)),
            standings=tuple(self.game.standings(position, viewer)),
            ending=position.ending,
            table=self.game.view(position, viewer),
        )

    def default(self, seat: int) -> Move:
        """What the referee plays for a seat whose time is up."""
        return self._asking(seat).default(self.position, seat)

    def check(self, seat: int, order: dict[str, Any] | str | Move) -> Move:
        """The move an order means, as the log would keep it; raises as `submit` does, and plays nothing."""
        return self._check(self.position, seat, order)[1]

    def submit(self, seat: int, orders: Sequence[dict[str, Any] | str | Move], by: str = "player") -> Outcome:
        """Plays orders of one seat one after another, all or none. An order is a JSON object or a line of text.

        A sealed move comes alone and is put into its envelope, in place of an earlier one.
        """
        if not orders:
            raise InvalidOrder("no_orders", "The submission holds no orders.")
        if len(orders) > MOST_ORDERS:
            raise InvalidOrder("too_many_orders", f"At most {MOST_ORDERS} orders fit in one submission.")
        game, position = self.game, self._copy()
        entries: list[Entry] = []
        moves: list[Move] = []
        for index, order in enumerate(orders):
            try:
                if index and not _is_asked(game.open_phases(position), position, seat):
                    # Always the same words: who moves next, or whether the game is over, may be news.
                    raise IllegalOrder("turn_over", "Your turn ends with the order before this one.")
                phase, move = self._check(position, seat, order)
                if phase.kind == "sealed" and len(orders) > 1:
                    raise IllegalOrder("sealed_alone", "A sealed move is sent alone, not together with other orders.")
                if move.reveals and index < len(orders) - 1:
                    raise self._peek(move, index)
            except OrderError as error:
                error.index = index
                raise
            moves.append(move)
            if phase.kind == "sealed":
                return Outcome(game, tuple(moves), receipt=self._seal(seat, phase, move, by))
            sequence, head = (entries[-1].row.number, entries[-1].hash) if entries else (self.sequence, self.head)
            chance = Chance(self._key, sequence + 1)
            play = Play(position, chance)
            phase.apply(play, seat, move)
            if play.reveals and index < len(orders) - 1:
                raise self._peek(move, index)
            position_json, entry = self._enter(play, sequence + 1, phase.name, (Order(seat, by, move),), head)
            entries.append(entry)
            if index + 1 < len(orders):
                position = decode_position(
                    game, position_json
                )  # a turn in one submission is the same as order by order
        self._advance(position_json, entries[-1], play.position)
        return Outcome(game, tuple(moves), tuple(entries))

    def submit_text(self, seat: int, text: str, by: str = "player") -> Outcome:
        """Plays a whole turn written as text, one order a line; empty lines and lines beginning with # are passed."""
        lines = [line for line in map(str.strip, text.splitlines()) if line and not line.startswith("#")]
        return self.submit(seat, lines, by)

    def sealed_phase(self) -> Phase[Any, Any] | None:
        """The sealed phase that is open now, if one is."""
        return next((phase for phase in self.game.open_phases(self.position) if phase.kind == "sealed"), None)

    def missing(self) -> tuple[int, ...]:
        """The seats whose sealed move has not come in."""
        phase = self.sealed_phase()
        return tuple(seat for seat in phase.seats(self.position) if seat not in self.sealed) if phase else ()

    def reveal(self) -> Entry:
        """Opens all envelopes and plays what is in them together."""
        phase = self.sealed_phase()
        if phase is None or self.missing():
            raise ValueError("there is no complete sealed phase to reveal")
        position, chance = self._copy(), Chance(self._key, self.sequence + 1)
        orders = tuple(self.sealed[seat].order for seat in sorted(self.sealed))
        play = Play(position, chance)
        phase.reveal(play, {order.seat: read_move(self.game, order.move) for order in orders})
        position_json, entry = self._enter(play, self.sequence + 1, phase.name, orders, self.head)
        self._advance(position_json, entry, play.position)
        return entry

    def time_out(self, choose: ChooseForTheLate | None = None) -> tuple[Entry, ...]:
        """What the clock does: the sealed moves that are missing are made and all revealed; else one seat that the game
        waits for plays its turn to the end, or to a decision that has a deadline of its own.

        `choose` says which move, and by whom the log has it; without it that is the default, by the clock.
        """
        choose = choose or (lambda table, seat: (table.default(seat), "clock"))
        if self.sealed_phase():
            for seat in self.missing():
                move, by = choose(self, seat)
                self.submit(seat, [move], by)
            return (self.reveal(),)
        late = min(self.awaited())
        entries: list[Entry] = []
        while late in self.awaited() and not self.sealed_phase() and len(entries) < MOST_ORDERS:
            if entries and self._asking(late).takes_its_time:
                break
            move, by = choose(self, late)
            entries += self.submit(late, [move], by).entries
        return tuple(entries)

    def carry_over(self, game: AnyGame, position_json: bytes) -> Entry:
        """Goes on under the newer rules of `game`, in the position that they make of the log so far; `record` has a
        function of the same name, which works that out."""
        play = Play(decode_position(game, position_json), Chance(self._key, self.sequence + 1))
        play.emit(CarriedOver(self.game.version, game.version))
        position_json, entry = self._enter(play, self.sequence + 1, CARRY_OVER, (), self.head)
        self.game, self.words = game, Words(game, self.names)
        self._advance(position_json, entry, play.position)
        return entry

    def undo(self, position_json: bytes, to: int, seat: int) -> Entry:
        """Goes back to the position after row `to`, by a row of its own: nothing is erased, and as no number of a row
        comes twice, neither does a draw."""
        play = Play(decode_position(self.game, position_json), Chance(self._key, self.sequence + 1))
        play.emit(Undone(to, seat))
        position_json, entry = self._enter(play, self.sequence + 1, UNDO, (), self.head)
        self._advance(position_json, entry, play.position)
        return entry

    def rehearse(self, seat: int, order: dict[str, Any] | Move) -> tuple[Phase[Any, Any], Move, Play[Any]]:
        """Plays an order on a copy, and leaves the table as it is. Of a sealed one nothing comes before the reveal."""
        position = self._copy()
        phase, move = self._check(position, seat, order)
        play = Play(position, Chance(self._key, self.sequence + 1))
        if phase.kind == "open":
            phase.apply(play, seat, move)
        return phase, move, play

    def _asking(self, seat: int) -> Phase[Any, Any]:
        return next(phase for phase in _phases(self.game, self.position, seat) if phase.required)

    def _copy(self) -> Any:
        return decode_position(self.game, self.position_json)

    def _check(self, position: Any, seat: int, order: dict[str, Any] | str | Move) -> tuple[Phase[Any, Any], Move]:
        """The phase and the canonical move of an order, or the reason why there is none."""
        phases = self.game.open_phases(position)
        if not _is_asked(phases, position, seat):
            raise self._not_asked(position, seat)
        if isinstance(order, str):
            return self._check_text(position, seat, order)
        move = read_move(self.game, order)
        for phase in phases:
            if type(move) in phase.moves and seat in phase.seats(position):
                for offer in phase.offers_like(position, seat, move):
                    if offer.accepts(move):
                        return phase, offer.canonical(move)
        raise self._illegal(self._listing(position, seat), position, seat, move)

    def _check_text(self, position: Any, seat: int, line: str) -> tuple[Phase[Any, Any], Move]:
        """The same for a line of text: reading it takes all offers, and the move is checked against that list."""
        listing = self._listing(position, seat)
        move = parse(self.game, (offer for _, offers in listing for offer in offers), line)
        for phase, offers in listing:
            for offer in offers:
                if offer.accepts(move):
                    return phase, offer.canonical(move)
        raise self._illegal(listing, position, seat, move)

    def _listing(self, position: Any, seat: int) -> Listing:
        return [(phase, list(phase.offers(position, seat))) for phase in _phases(self.game, position, seat)]

    def _peek(self, move: Move, index: int) -> IllegalOrder:
        said = format_move(self.game, move)
        message = f"“{said}” shows you something new; send what follows it after you have seen that."
        error = IllegalOrder("reveals", message)
        error.index = index
        return error

    def _not_asked(self, position: Any, seat: int) -> IllegalOrder:
        if position.ending:
            return IllegalOrder("game_over", "The game is over.")
        asked = self.game.decisions(position)
        waiting = [self.words.player(decision.seat) for decision in asked if decision.required]
        return IllegalOrder("not_your_turn", f"It is not your turn; the game waits for {and_list(waiting)}.")

    def _illegal(self, listing: Listing, position: Any, seat: int, move: Move) -> IllegalOrder:
        offers = [offer for _, offered in listing for offer in offered]
        alike = [offer for offer in offers if offer.move is type(move)]
        reasons = (phase.why_not(position, seat, move) for phase, _ in listing)
        error = next(filter(None, reasons), None)
        defaults = [phase.default(position, seat) for phase, _ in listing if phase.required]
        if error is None:
            error = (
                _not_offered(self.game, offers, alike, move) if alike or defaults else self._not_asked(position, seat)
            )
        if error.nearest is None:
            legal = nearest(alike, move) or next(iter(defaults), None)
            error.nearest = msgspec.to_builtins(legal) if legal else None  # nothing that need not be done is proposed
        return error

    def _seal(self, seat: int, phase: Phase[Any, Any], move: Move, by: str) -> Receipt:
        sequence = self.sequence + 1
        move_json = canonical(move)
        nonce = derive(self._key, "nonce", sequence, phase.name, seat, move_json.decode())
        receipt = Receipt(seat, phase.name, sequence, move_commitment(nonce, move_json))
        order = Order(seat, by, msgspec.to_builtins(move), receipt.commitment, nonce)
        self.sealed[seat] = Sealed(order, phase.name, sequence)
        return receipt

    def _enter(
        self, play: Play[Any], number: int, phase: str, orders: tuple[Order, ...], head: str
    ) -> tuple[bytes, Entry]:
        """The position after a step, as canonical JSON, and the row of the log that leads there."""
        position_json = canonical(play.position)
        salt = derive(self._key, "salt", number)
        row = Row(
            number=number,
            phase=phase,
            orders=orders,
            draws=tuple(play.chance.draws),
            events=tuple(play.events),
            salt=salt,
            position=position_digest(salt, position_json),
        )
        return position_json, enter(row, head)

    def _advance(self, position_json: bytes, entry: Entry, played: Position) -> None:
        self.position_json = position_json
        self.sequence, self.head = entry.row.number, entry.hash
        self.sealed = {}
        self._read, self._played = None, played


def open_table(
    game: AnyGame, names: Sequence[str], seed: bytes, entropy: Sequence[str] = (), board_data: Any = None
) -> tuple[Table, Entry]:
    """A new game, set up: the table and the first row of its log. The names stand beside the log, not in it."""
    if len(names) != game.seats:
        raise ValueError(f"{game.seats} seats need as many players, not {len(names)}")
    header = Header(
        game=game.key,
        version=game.version,
        board=board_name(game.board),
        board_data=board_data,
        settings=msgspec.to_builtins(game.settings),
        players=numbered_seats(game.seats),
        commitment=commitment(seed),
        entropy=tuple(entropy) or ("",) * game.seats,
    )
    return deal(game, header, seed, names)


def deal(game: AnyGame, header: Header, seed: bytes, names: Sequence[str] | None = None) -> tuple[Table, Entry]:
    """The table of a header and its seed after the setup."""
    play = game.setup(Chance(game_key(seed, header.entropy), 0))
    table = Table(game, header, seed, canonical(play.position), 0, first_link(header), names=names)
    _, entry = table._enter(play, 0, "setup", (), table.head)
    table.head = entry.hash
    return table, entry


def decode_position(game: AnyGame, position_json: bytes) -> Any:
    return game.position_decoder.decode(position_json)


def read_move(game: AnyGame, order: Any) -> Move:
    """A move from plain data; whatever is not of a known shape is an InvalidOrder."""
    if isinstance(order, Move):
        return order
    if not isinstance(order, dict):
        raise InvalidOrder("not_an_object", "A move is an object with its type and its fields.")
    kinds = game.moves_by_name
    kind = kinds.get(order["type"]) if isinstance(order.get("type"), str) else None
    if kind is None:
        written = "; ".join(map(pattern_of, game.move_types))
        raise InvalidOrder("unknown_type", f"There is no move of this type. The moves are: {written}.", field="type")
    try:
        return msgspec.convert(order, kind)
    except msgspec.ValidationError:
        pass
    order = {name: _whole(value) for name, value in order.items()}
    try:
        return msgspec.convert(order, kind)
    except msgspec.ValidationError:
        raise _wrong_shape(kind, order) from None


def _wrong_shape(kind: type[Move], order: dict[str, Any]) -> InvalidOrder:
    """Which field of a move cannot be read, and what belongs there."""
    written = pattern_of(kind)
    for field in fields_of(kind):
        if field.name not in order:
            if field.required:
                message = f"“{written}” needs its {field.name.upper()}: {_shape(field.type)}."
                return InvalidOrder("wrong_shape", message, field=field.name)
            continue
        try:
            msgspec.convert(order[field.name], field.type)
        except msgspec.ValidationError:
            message = f"The {field.name.upper()} of “{written}” must be {_shape(field.type)}."
            return InvalidOrder("wrong_shape", message, field=field.name)
    names = [field.name.upper() for field in fields_of(kind)]
    message = f"“{written}” has {f'the fields {and_list(names)}' if names else 'no fields'}, and nothing else."
    return InvalidOrder("wrong_shape", message)


def _shape(kind: Any) -> str:
    """What a field holds, for people; a field with few values may name them in its type."""
    return SHAPES.get(kind) or f"one of {and_list(get_args(kind))}"


def read_event(game: AnyGame, data: Any) -> Event:
    """An event from the log, typed again."""
    kinds: tuple[type[Event], ...] = (*game.event_types, *ENGINE_EVENTS)
    kind = next(kind for kind in kinds if type_name(kind) == data["type"])
    return msgspec.convert(data, kind)


def _phases(game: AnyGame, position: Any, seat: int) -> list[Phase[Any, Any]]:
    return [phase for phase in game.open_phases(position) if seat in phase.seats(position)]


def _is_asked(phases: Iterable[Phase[Any, Any]], position: Any, seat: int) -> bool:
    for phase in phases:  # noqa: SIM110 (half the time of any(), for every move)
        if seat in phase.seats(position):
            return True
    return False


def _not_offered(game: AnyGame, offers: list[Offer], alike: list[Offer], move: Move) -> IllegalOrder:
    """The reason when the game has no better one: which field is not on offer, and what is."""
    written = pattern_of(type(move))
    if not alike:
        message = f"“{written}” is not possible now. You can write: {patterns(offers)}."
        return IllegalOrder("not_now", message, field="type")
    best = min(alike, key=lambda offer: len(offer.wrong_fields(move)))
    field = best.wrong_fields(move)[0]
    possible = in_words(game, field, best.domains[field], NAMED_IN_A_REFUSAL) or EMPTY
    message = f"This {field.upper()} is not possible in “{written}”; possible: {possible}."
    return IllegalOrder("not_on_offer", message, field=field)


def _whole(value: Any) -> Any:
    """JSON has one kind of number: 3.0 is 3."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return [_whole(item) if isinstance(item, float) else item for item in value] if isinstance(value, list) else value
