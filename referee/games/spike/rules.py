"""The rules of Spike, in the order in which the rulebook prints them.

Setup          market, contracts, rail cards                            setup.setup
               advanced play: turn contracts over, sealed               setup.Sides
               hands; a card for the player on the right                setup.Gift
               display, routes; advanced play: keep one of two, sealed  setup.Routes
               locomotives                                              setup.Placement
A turn         free movement, if the train is on track; then one of     Turn
               A draw rail cards, one at a time                         Turn, then Drawing; deck.py
               B build to a new city, and score its commodity           Turn; building.py, scoring.py
               C set the train in motion   D boost it                   Turn, then Arrival; movement.py
               E upgrade it                                             Turn
               in a city: load and deliver; at any time: dump           Turn, Drawing, Arrival; cargo.py
The end        the third Time card                                      deck.draw_rail_card
               all track placed and nothing left to deliver             end_turn
               nobody draws, builds, upgrades or delivers               end_turn (SP-R63)
               routes, and who wins                                     scoring.finish
"""

from collections.abc import Iterator

from msgspec import UNSET

from referee.contract import and_list
from referee.errors import IllegalOrder
from referee.games.spike.board import PARTS, Board, Part
from referee.games.spike.building import BuildOffer, Site, tracks_left, why_not_build
from referee.games.spike.cargo import InTown, aboard, best_paid, deliverable, loadable, supplied
from referee.games.spike.deck import draw_rail_card, end_round_if_exhausted, has_deck, refill_display
from referee.games.spike.events import (
    Built,
    DrewCard,
    How,
    LastTurns,
    Moved,
    Passed,
    Standstill,
    TimeCardUp,
    TookCard,
    Upgraded,
)
from referee.games.spike.movement import BOOST, destinations, why_out_of_reach
from referee.games.spike.scoring import finish, has_deliveries_left, score_commodity
from referee.games.spike.state import (
    Boost,
    Build,
    Deliver,
    Done,
    Draw,
    DrawDeck,
    Dump,
    FreeMovement,
    Load,
    Pass,
    Player,
    Position,
    SetInMotion,
    SpikePhase,
    SpikePlay,
    Upgrade,
    note_progress,
)
from referee.options import Move, Offer, OneOf
from referee.piles import add, take


class CardDraws(SpikePhase):
    """A: from the face-up cards and the deck, one at a time, at least one (SP-R16)."""

    def offer_draw(self, position: Position, seat: int) -> Iterator[Offer]:
        if position.display:
            yield Offer(Draw, card=OneOf(*dict.fromkeys(position.display)))

    def why_not_draw(self, position: Position, seat: int, move: Draw) -> IllegalOrder | None:
        if not position.display:
            return IllegalOrder("not_face_up", "No card is face up.", field="card", rule="Rulebook, A; SP-R20")
        there = and_list([rail.id for rail in self.board.rail_types if rail.id in position.display])
        message = f"No {move.card} card is face up; you can draw {there}."
        return IllegalOrder("not_face_up", message, field="card", rule="Rulebook, A")

    def apply_draw(self, play: SpikePlay, seat: int, move: Draw) -> None:
        note_progress(play.position)
        play.position.display.remove(move.card)
        add(play.position.players[seat].hand, [move.card])
        play.emit(TookCard(seat, move.card))
        self.drawn(play, seat)

    def offer_draw_deck(self, position: Position, seat: int) -> Iterator[Offer]:
        if has_deck(position):
            yield Offer(DrawDeck)

    def why_not_draw_deck(self, position: Position, seat: int, move: DrawDeck) -> IllegalOrder | None:
        return IllegalOrder("no_deck", "There is no deck, and no discards to form one.", rule="SP-R20")

    def apply_draw_deck(self, play: SpikePlay, seat: int, move: DrawDeck) -> None:
        note_progress(play.position)
        card = draw_rail_card(self.board, play)
        if card is None:
            return
        add(play.position.players[seat].hand, [card])
        play.emit(DrewCard(seat, card))
        end_round_if_exhausted(self.board, play)
        self.drawn(play, seat)

    def drawn(self, play: SpikePlay, seat: int) -> None:
        """Up to the power of the tender, as long as there are cards."""
        position = play.position
        position.drawn += 1
        power = self.board.levels("power")[position.players[seat].power]
        if position.drawn < power and (position.display or has_deck(position)):
            position.phase = Drawing.name
        else:
            self.end_draw(play)

    def end_draw(self, play: SpikePlay) -> None:
        in_order = self.version != "1"
        refill_display(self.board, play, in_order)
        if not play.position.ending:
            if not in_order:  # version 1 tells of Time cards last
                play.events.sort(key=lambda event: isinstance(event, TimeCardUp))
            end_turn(self.board, play)


class Turn(InTown, CardDraws):
    """Free movement if the train is on track, then one action (Rulebook, Playing the game)."""

    asks = "your turn"
    moves = (FreeMovement, Load, Deliver, Dump, Draw, DrawDeck, Build, SetInMotion, Boost, Upgrade, Pass)

    @property
    def exactly(self) -> bool:
        """Whether a train set in motion moves all of its speed (SP-R30, since version 2)."""
        return self.version != "1" and not self.settings.short_starts

    def prompt(self, position: Position, seat: int) -> str:
        """What all can see to be possible; whether a path can be paid for is the player's secret."""
        player = position.players[seat]
        in_city = player.at in self.board.city
        first = "" if in_city or position.moved else "You may move your train first. "
        before = _in_town(self.board, position, seat)
        if before:
            first = f"{' and '.join(before).capitalize()} before your action, which ends the turn (SP-R61). "
        speed = self.board.levels("speed")[player.speed]
        far = f" (by {speed} spaces, or to a city on the way)" if self.exactly and speed > 1 else ""
        possible = {
            "draw rail cards": bool(position.display) or has_deck(position),
            "build": bool(player.hand) and tracks_left(self.board, position, seat) > 0,
            f"set your train in motion{far}": in_city
            and not position.moved
            and bool(destinations(self.board, position, seat, 1)),
            "boost your train": not in_city,
            "upgrade your train": bool(affordable(self.board, player)),
        }
        actions = [action for action, is_possible in possible.items() if is_possible]
        asked = f"One action: {' or '.join(filter(None, (', '.join(actions[:-1]), *actions[-1:])))}."
        return f"{first}{asked if actions else 'You cannot act: pass.'}{standstill_warning(self.board, position)}"

    def default(self, position: Position, seat: int) -> Move:
        """The best paid delivery; then a card. If there is none, a build, or a step of the train; money is spent only
        where nothing else is possible."""
        goods = best_paid(self.board, position.players[seat])
        if goods:
            return Deliver(goods)
        kinds = (Draw, DrawDeck, Build, SetInMotion, Boost, Upgrade, Pass)
        return next(move for kind in kinds for offer in self.offers(position, seat, kind) for move in offer.moves())

    def offer_free_movement(self, position: Position, seat: int) -> Iterator[Offer]:
        """Up to the speed; not to move is to go straight on with the action (SP-R26)."""
        player = position.players[seat]
        if player.at not in self.board.city and not position.moved:
            spaces = destinations(self.board, position, seat, self.board.levels("speed")[player.speed])
            if spaces:
                yield Offer(FreeMovement, space=OneOf(*spaces))

    def why_not_free_movement(self, position: Position, seat: int, move: FreeMovement) -> IllegalOrder | None:
        player = position.players[seat]
        if player.at in self.board.city and not position.moved:
            message = "Your train is in a city; to move it takes the action to set it in motion."
            return IllegalOrder("not_in_motion", message, rule="Rulebook, Free Train Movement")
        if position.moved:
            message = "Your train has had its free movement."
            return IllegalOrder("moved_already", message, rule="Rulebook, Playing the game")
        return why_out_of_reach(self.board, position, seat, move.space, self.board.levels("speed")[player.speed])

    def apply_free_movement(self, play: SpikePlay, seat: int, move: FreeMovement) -> None:
        speed = self.board.levels("speed")[play.position.players[seat].speed]
        move_train(self.board, play, seat, "free movement", move.space, speed)
        play.position.moved = True

    def offer_build(self, position: Position, seat: int) -> Iterator[Offer]:
        """B: a complete path to one new city, paid with matching cards or sets (SP-R06 to SP-R15)."""
        site = Site(self.board, position, seat)
        if site.tracks and any(site.hand):
            offer = BuildOffer(site)
            if not offer.is_empty:
                yield offer

    def why_not_build(self, position: Position, seat: int, move: Build) -> IllegalOrder | None:
        return why_not_build(self.board, position, seat, move)

    def apply_build(self, play: SpikePlay, seat: int, move: Build) -> None:
        """The new city's commodity is scored, whoever else is there (SP-R05); the cards are discarded (SP-R15)."""
        board, position = self.board, play.position
        player = position.players[seat]
        note_progress(position)
        places = (*move.path, move.city)
        segments = [board.exits[a][b] for a, b in zip(move.path, places[1:], strict=True)]
        marks = list(position.tracks)
        for segment in segments:
            marks[board.number[segment.id]] = str(seat)
        position.tracks = "".join(marks)
        take(player.hand, move.cards)
        add(position.discards, move.cards)
        play.emit(Built(seat, move.city, move.path, tuple(segment.rail for segment in segments), move.cards))
        score_commodity(board, play, seat, board.city[move.city].commodity)
        end_turn(board, play)

    def offer_set_in_motion(self, position: Position, seat: int) -> Iterator[Offer]:
        """C: as many spaces as the speed, unless the train has come to its city in this turn (SP-R27, SP-R30)."""
        player = position.players[seat]
        if player.at in self.board.city and not position.moved:
            spaces = destinations(self.board, position, seat, self.board.levels("speed")[player.speed], self.exactly)
            if spaces:
                yield Offer(SetInMotion, space=OneOf(*spaces))

    def why_not_set_in_motion(self, position: Position, seat: int, move: SetInMotion) -> IllegalOrder | None:
        player = position.players[seat]
        if player.at not in self.board.city:
            message = "Your train is in motion already; boost it, or move it at the start of your turn."
            return IllegalOrder("in_motion", message, rule="Rulebook, C")
        if position.moved:
            message = "Your train has come to this city in this turn; it is restarted in a later one."
            return IllegalOrder("just_arrived", message, rule="SP-R27")
        speed = self.board.levels("speed")[player.speed]
        return why_out_of_reach(self.board, position, seat, move.space, speed, self.exactly)

    def apply_set_in_motion(self, play: SpikePlay, seat: int, move: SetInMotion) -> None:
        speed = self.board.levels("speed")[play.position.players[seat].speed]
        move_train(self.board, play, seat, "set in motion", move.space, speed, self.exactly)
        arrive(self.board, play)

    def offer_boost(self, position: Position, seat: int) -> Iterator[Offer]:
        """D: exactly one space, from a track space (SP-R28, SP-R29)."""
        player = position.players[seat]
        if player.at not in self.board.city:
            spaces = destinations(self.board, position, seat, BOOST)
            if spaces:
                yield Offer(Boost, space=OneOf(*spaces))

    def why_not_boost(self, position: Position, seat: int, move: Boost) -> IllegalOrder | None:
        player = position.players[seat]
        if player.at in self.board.city:
            return IllegalOrder("not_in_motion", "Only a train on a track space can be boosted.", rule="SP-R28")
        return why_out_of_reach(self.board, position, seat, move.space, BOOST)

    def apply_boost(self, play: SpikePlay, seat: int, move: Boost) -> None:
        move_train(self.board, play, seat, "boost", move.space, BOOST)
        arrive(self.board, play)

    def offer_upgrade(self, position: Position, seat: int) -> Iterator[Offer]:
        """E: one part by one level, if the money is there (SP-R42 to SP-R44)."""
        parts = affordable(self.board, position.players[seat])
        if parts:
            yield Offer(Upgrade, part=OneOf(*parts))

    def why_not_upgrade(self, position: Position, seat: int, move: Upgrade) -> IllegalOrder | None:
        player = position.players[seat]
        cost = upgrade_cost(self.board, player, move.part)
        if cost is None:
            message = f"Your {move.part} has been upgraded as often as possible."
            return IllegalOrder("fully_upgraded", message, field="part", rule="Rulebook, E")
        message = f"Upgrading your {move.part} costs ${cost}; you have ${player.score}."
        numbers = {"cost": cost, "money": player.score}
        return IllegalOrder("too_expensive", message, field="part", rule="Rulebook, E; SP-R42", numbers=numbers)

    def apply_upgrade(self, play: SpikePlay, seat: int, move: Upgrade) -> None:
        player = play.position.players[seat]
        cost = upgrade_cost(self.board, player, move.part)
        assert cost is not None
        note_progress(play.position)
        player.score -= cost
        level = getattr(player, move.part) + 1
        setattr(player, move.part, level)
        play.emit(Upgraded(seat, move.part, self.board.levels(move.part)[level], cost))
        end_turn(self.board, play)

    def offer_pass(self, position: Position, seat: int) -> Iterator[Offer]:
        """Only where no action is possible (SP-R45)."""
        if not next(self.offers(position, seat, Draw, DrawDeck, Upgrade, SetInMotion, Boost, Build), None):
            yield Offer(Pass)

    def why_not_pass(self, position: Position, seat: int, move: Pass) -> IllegalOrder | None:
        return IllegalOrder("must_act", "You may pass only when you can do nothing else.", rule="SP-R45")

    def apply_pass(self, play: SpikePlay, seat: int, move: Pass) -> None:
        play.emit(Passed(seat))
        end_turn(self.board, play)


def _in_town(board: Board, position: Position, seat: int) -> list[str]:
    """What a train can do in its city besides an action; all can see it."""
    load = "load" if loadable(board, position, seat) else "dump something to load"
    player = position.players[seat]
    return ["deliver"] * bool(deliverable(board, player)) + [load] * bool(supplied(board, position, seat))


def upgrade_cost(board: Board, player: Player, part: Part) -> int | None:
    """What the next level costs; None at the last."""
    done = getattr(player, part)
    return board.train.upgrade_costs[done] if done < len(board.train.upgrade_costs) else None


def affordable(board: Board, player: Player) -> list[Part]:
    """The parts that can be upgraded with the money there is."""
    return [part for part in PARTS if (cost := upgrade_cost(board, player, part)) and cost <= player.score]


def move_train(
    board: Board, play: SpikePlay, seat: int, how: How, space: str, spaces: int, exactly: bool = False
) -> None:
    player = play.position.players[seat]
    skipped = destinations(board, play.position, seat, spaces, exactly)[space]
    play.emit(Moved(seat, how, player.at, space, skipped))
    player.at = space


class Drawing(InTown, CardDraws):
    """The rest of a draw: one card at a time, and the player may stop (SP-R16). The turn goes on, so a train in a city
    may load and deliver (SP-R36, SP-R37)."""

    asks = "your rail card"
    moves = (Draw, DrawDeck, Load, Deliver, Dump, Done)

    def prompt(self, position: Position, seat: int) -> str:
        left = self.board.levels("power")[position.players[seat].power] - position.drawn
        return f"Draw another rail card (at most {left} more), or be done."

    def default(self, position: Position, seat: int) -> Move:
        """The best paid delivery; then what lies face up, as far as the power goes."""
        goods = best_paid(self.board, position.players[seat])
        if goods:
            return Deliver(goods)
        return Draw(position.display[0]) if position.display else Done()

    def offer_done(self, position: Position, seat: int) -> Iterator[Offer]:
        yield Offer(Done)

    def apply_done(self, play: SpikePlay, seat: int, move: Done) -> None:
        self.end_draw(play)


class Arrival(InTown):
    """The action has brought the train into a city: deliver and load, then the turn ends (SP-R37, SP-R61)."""

    asks = "your arrival"
    moves = (Deliver, Load, Dump, Done)

    def prompt(self, position: Position, seat: int) -> str:
        city = self.board.city[position.players[seat].at].name
        return f"You have arrived in {city}: {', '.join(_in_town(self.board, position, seat))}, or be done."

    def default(self, position: Position, seat: int) -> Move:
        goods = best_paid(self.board, position.players[seat])
        return Deliver(goods) if goods else Done()

    def offer_done(self, position: Position, seat: int) -> Iterator[Offer]:
        yield Offer(Done)

    def apply_done(self, play: SpikePlay, seat: int, move: Done) -> None:
        end_turn(self.board, play)

    def after(self, play: SpikePlay, seat: int) -> None:
        arrive(self.board, play)


def arrive(board: Board, play: SpikePlay) -> None:
    """The turn ends by itself unless the train stands in a city with something to load or deliver, or a load to make
    room for (SP-R61)."""
    position = play.position
    player = position.players[position.active]
    if player.at in board.city and (supplied(board, position, position.active) or deliverable(board, player)):
        position.phase = Arrival.name
    else:
        end_turn(board, play)


# The end of a turn, and of the game


def end_turn(board: Board, play: SpikePlay) -> None:
    """The next player's turn. Who can do nothing passes without being asked; when nobody can, the game ends (SP-R45,
    SP-R63)."""
    position = play.position
    for _ in position.players:
        close_turn(board, play)
        if position.ending or position.idle is UNSET or has_choice(board, position, position.active):
            return
        play.emit(Passed(position.active))
    play.emit(Standstill(0))
    finish(board, play, "standstill")


def close_turn(board: Board, play: SpikePlay) -> None:
    """Rulebook, Special ending condition: with all track placed and no delivery left, each other player has one more
    turn (SP-R52, SP-R53). And a game in which nothing happens any more ends (SP-R63)."""
    position = play.position
    position.moved, position.drawn = False, 0
    seat = position.active
    is_out = not tracks_left(board, position, seat) and not has_deliveries_left(board, position, seat)
    if is_out and position.out is None:
        position.out = seat
        play.emit(LastTurns(seat))
    position.active = (seat + 1) % len(position.players)
    position.phase = Turn.name
    if position.active == position.out:
        finish(board, play, "special")
    elif position.idle is not UNSET:
        position.idle += 1
        position.dumped = []
        if position.idle >= idle_turns(board) * len(position.players):
            play.emit(Standstill(idle_turns(board)))
            finish(board, play, "standstill")


def standstill_warning(board: Board, position: Position) -> str:
    """In the second half of the way to a standstill all are told (SP-R63)."""
    rounds = max(position.idle, 0) // len(position.players) if position.idle is not UNSET else 0
    most = idle_turns(board)
    if 2 * rounds < most:
        return ""
    return (
        f" Nobody has drawn, built, upgraded or delivered for {rounds} turns each: after {most} the game ends (SP-R63)."
    )


def idle_turns(board: Board) -> int:
    """So many turns of each player in a row without progress end the game: enough for a train of speed 1, with a boost
    in every turn, to pass over all the tracks that a player can have, with one more to load and one to deliver."""
    return board.components.tracks // (1 + BOOST) + 3


def has_choice(board: Board, position: Position, seat: int) -> bool:
    """Whether a player whose turn begins can do anything but pass. On track a train can always be boosted."""
    player = position.players[seat]
    if position.display or has_deck(position) or player.at not in board.city or affordable(board, player):
        return True
    if aboard(player) or loadable(board, position, seat) or destinations(board, position, seat, 1):
        return True
    site = Site(board, position, seat)
    return bool(site.tracks and any(site.hand) and not BuildOffer(site).is_empty)
