"""One game in progress: the position, the log's head, and the sealed moves that wait for their reveal.

A table holds the position as canonical JSON. Each submission is played on a private copy decoded from it, so a refused
one leaves nothing behind, and the cost of a move does not depend on how long the game has lasted.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from referee.chance import Chance, commitment, derive, game_key
from referee.contract import (
    EVERYTHING,
    Decision,
    Game,
    Phase,
    Play,
    Position,
    View,
    Viewer,
    Words,
    board_name,
    canonical,
)
from referee.errors import IllegalOrder, InvalidOrder, OrderError
from referee.legality import asking, check, is_asked
from referee.log import (
    CARRY_OVER,
    FORK,
    UNDO,
    CarriedOver,
    Entry,
    Forked,
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
from referee.moves import read_move
from referee.options import Hints, Move, Offer
from referee.orders.notation import format_move, parse

AnyGame = Game[Any, Any, Any]

ChooseForTheLate = Callable[["Table", int], tuple[Move, str]]

MOST_ORDERS = 100  # in one submission
BLIND = re.compile(r"\s*blind\s*(?::|\n)", re.IGNORECASE)  # before the orders of one who does not want to look


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
    refused: OrderError | None = None  # what stopped a blind submission: the orders before it stand
    has_seen: bool = False  # its player has been shown something new

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
    def game(self) -> AnyGame:
        """The rules: those by which the table speaks, too."""
        return self.words.game

    @game.setter
    def game(self, game: AnyGame) -> None:
        self.words = Words(game, self.names)

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
        asked = self._named(self.game.decisions(self.position))
        return tuple(decision for decision in asked if seat is None or decision.seat == seat)

    def _named(self, decisions: tuple[Decision, ...]) -> tuple[Decision, ...]:
        return tuple(
            msgspec.structs.replace(decision, prompt=self.words.named(decision.prompt))
            if "{" in decision.prompt
            else decision
            for decision in decisions
        )

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
            offer for phase in asking(self.game, self.position, seat) for offer in phase.offers(self.position, seat)
        ]

    def hints(self, seat: int) -> Callable[[Offer], Hints]:
        """What each offer to a seat means, from what that seat may see."""
        view = self.view(seat)
        return lambda offer: self.game.hints(view, offer)

    def view(self, seat: int | None = None) -> View:
        """The game as a seat, or a spectator, may see it."""
        return self.view_of(self.viewer(seat), seat)

    def view_of(self, viewer: Viewer, seat: int | None) -> View:
        """The game as a viewer sees it who may have been shown more than the seat."""
        position = self.position
        return View(
            game=self.game.key,
            version=self.game.version,
            board=self.header.board,
            settings=self.game.settings,
            players=self.names,
            you=seat,
            sequence=self.sequence,
            phase=position.phase,
            decisions=self._named(self.game.decisions(position)),
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
        return check(self.words, self.position, seat, order)[1]

    def submit(
        self,
        seat: int,
        orders: Sequence[dict[str, Any] | str | Move],
        by: str = "player",
        *,
        blind: bool = False,
        dry_run: bool = False,
    ) -> Outcome:
        """Plays orders of one seat one after another, all or none. An order is a JSON object or a line of text.

        A sealed move comes alone and is put into its envelope, in place of an earlier one. A move that shows something
        new must be the last, unless the player goes on `blind`: then what has been shown cannot be taken back, and an
        order that turns out impossible after it is left out, with all that follow. A dry run, on a table that is thrown
        away, goes no further than the first look.
        """
        if not orders:
            raise InvalidOrder("no_orders", "The submission holds no orders.")
        if len(orders) > MOST_ORDERS:
            raise InvalidOrder("too_many_orders", f"At most {MOST_ORDERS} orders fit in one submission.")
        game, position = self.game, self._copy()
        entries: list[Entry] = []
        moves: list[Move] = []
        refused: OrderError | None = None
        has_seen = False  # something new: what was played up to here stands
        for index, order in enumerate(orders):
            try:
                if index == len(orders) - 1 and index and self._has_ended(position, seat) and self._only_closes(order):
                    break
                if index and not is_asked(game.open_phases(position), position, seat):
                    # Always the same words: who moves next, or whether the game is over, may be news.
                    raise IllegalOrder("turn_over", "Your turn ends with the order before this one.")
                phase, move = check(self.words, position, seat, order)
                if phase.kind == "sealed" and len(orders) > 1:
                    raise IllegalOrder("sealed_alone", "A sealed move is sent alone, not together with other orders.")
                if move.reveals and index < len(orders) - 1 and not blind:
                    raise self._peek(move, index)
            except OrderError as error:
                error.index = index
                if not has_seen:
                    raise
                refused = error
                break
            moves.append(move)
            if phase.kind == "sealed":
                return Outcome(game, tuple(moves), receipt=self._seal(seat, phase, move, by))
            sequence, head = (entries[-1].row.number, entries[-1].hash) if entries else (self.sequence, self.head)
            chance = Chance(self._key, sequence + 1)
            play = Play(position, chance)
            phase.apply(play, seat, move)
            if play.reveals and index < len(orders) - 1 and not blind:
                raise self._peek(move, index)
            has_seen = has_seen or move.reveals or play.reveals
            position_json, entry = self._enter(play, sequence + 1, phase.name, (Order(seat, by, move),), head)
            entries.append(entry)
            if has_seen and dry_run:
                break
            if index + 1 < len(orders):
                position = decode_position(
                    game, position_json
                )  # a turn in one submission is the same as order by order
        self._advance(position_json, entries[-1], play.position)
        return Outcome(game, tuple(moves), tuple(entries), refused=refused, has_seen=has_seen)

    def submit_text(
        self, seat: int, text: str, by: str = "player", *, blind: bool = False, dry_run: bool = False
    ) -> Outcome:
        """Plays a whole turn written as text, one order a line; empty lines and lines beginning with # are passed.
        `blind:` before the first order says that the player does not want to look in between."""
        found = BLIND.match(text)
        lines = [line.strip() for line in (text[found.end() :] if found else text).splitlines()]
        orders = [line for line in lines if line and not line.startswith("#")]
        return self.submit(seat, orders, by, blind=blind or bool(found), dry_run=dry_run)

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
        self.game = game
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
        phase, move = check(self.words, position, seat, order)
        play = Play(position, Chance(self._key, self.sequence + 1))
        if phase.kind == "open":
            phase.apply(play, seat, move)
        return phase, move, play

    def _asking(self, seat: int) -> Phase[Any, Any]:
        return next(phase for phase in asking(self.game, self.position, seat) if phase.required)

    def _copy(self) -> Any:
        return decode_position(self.game, self.position_json)

    def _has_ended(self, position: Any, seat: int) -> bool:
        """Whether the game waits for nothing of a seat, which may still do something beside the turn."""
        return not any(phase.required and seat in phase.seats(position) for phase in self.game.open_phases(position))

    def _only_closes(self, order: dict[str, Any] | str | Move) -> bool:
        """Whether an order says nothing but that its player has finished."""
        try:
            move = parse(self.game, (), order) if isinstance(order, str) else read_move(self.game, order)
        except OrderError:
            return False
        return move.closes

    def _peek(self, move: Move, index: int) -> IllegalOrder:
        said = format_move(self.game, move)
        message = (
            f"“{said}” shows you something new; send what follows it after you have seen that, "
            "or write “blind:” before your orders to go on without looking."
        )
        error = IllegalOrder("reveals", message)
        error.index = index
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
    game: AnyGame,
    names: Sequence[str],
    seed: bytes,
    entropy: Sequence[str] = (),
    board_data: Any = None,
    start: Forked | None = None,
) -> tuple[Table, Entry]:
    """A new game, set up, or going on from a start: the table and the first row of its log. The names stand beside the
    log, not in it."""
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
    return deal(game, header, seed, names, start)


def deal(
    game: AnyGame, header: Header, seed: bytes, names: Sequence[str] | None = None, start: Forked | None = None
) -> tuple[Table, Entry]:
    """The table of a header and its seed after the setup, or after the fork in its place."""
    chance = Chance(game_key(seed, header.entropy), 0)
    play = _go_on(game, start, chance) if start else game.setup(chance)
    table = Table(game, header, seed, canonical(play.position), 0, first_link(header), names=names)
    _, entry = table._enter(play, 0, FORK if start else "setup", (), table.head)
    table.head = entry.hash
    return table, entry


def _go_on(game: AnyGame, start: Forked, chance: Chance) -> Play[Any]:
    """The start is told as the rules read it: what means nothing to them has no place in it."""
    position = decode_position(game, canonical(start.position))
    play = Play(position, chance)
    play.emit(msgspec.structs.replace(start, position=msgspec.json.decode(canonical(position))))
    return play


def decode_position(game: AnyGame, position_json: bytes) -> Any:
    return game.position_decoder.decode(position_json)
