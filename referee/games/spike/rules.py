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
               routes, and who wins                                     scoring.finish
"""

from collections.abc import Iterator

from referee.contract import and_list
from referee.errors import IllegalOrder
from referee.games.spike.board import PARTS, Board, Part
from referee.games.spike.building import BuildOffer, Site, tracks_left, why_not_build
from referee.games.spike.cargo import InTown, deliverable
from referee.games.spike.deck import draw_rail_card, end_round_if_exhausted, has_deck, refill_display
from referee.games.spike.events import Built, DrewCard, How, LastTurns, Moved, Passed, TimeCardUp, TookCard, Upgraded
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
            end_draw(self.board, play)


class Turn(InTown, CardDraws):
    """Free movement if the train is on track, then one action (Rulebook, Playing the game)."""

    moves = (FreeMovement, Load, Deliver, Dump, Draw, DrawDeck, Build, SetInMotion, Boost, Upgrade, Pass)

    def prompt(self, position: Position, seat: int) -> str:
        player = position.players[seat]
        free = "" if player.at in self.board.city or position.moved else "You may move your train first. "
        return f"{free}One action: draw rail cards, build, set your train in motion, boost it, or upgrade it."

    def default(self, position: Position, seat: int) -> Move:
        """A card. If there is none, a build: its cards form a new deck (SP-R20), so that a game which only the clock
        plays still ends."""
        actions = self.offers(position, seat, Draw, DrawDeck, Build, Upgrade, SetInMotion, Boost, Pass)
        return next(next(actions).moves())

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
        """C: one space to as many as the speed, unless the train has come to its city in this turn (SP-R27, SP-R30)."""
        player = position.players[seat]
        if player.at in self.board.city and not position.moved:
            spaces = destinations(self.board, position, seat, self.board.levels("speed")[player.speed])
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
        return why_out_of_reach(self.board, position, seat, move.space, self.board.levels("speed")[player.speed])

    def apply_set_in_motion(self, play: SpikePlay, seat: int, move: SetInMotion) -> None:
        speed = self.board.levels("speed")[play.position.players[seat].speed]
        move_train(self.board, play, seat, "set in motion", move.space, speed)
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
        player = position.players[seat]
        parts = [part for part in PARTS if (cost := upgrade_cost(self.board, player, part)) and cost <= player.score]
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


def upgrade_cost(board: Board, player: Player, part: Part) -> int | None:
    """What the next level costs; None at the last."""
    done = getattr(player, part)
    return board.train.upgrade_costs[done] if done < len(board.train.upgrade_costs) else None


def move_train(board: Board, play: SpikePlay, seat: int, how: How, space: str, spaces: int) -> None:
    player = play.position.players[seat]
    skipped = destinations(board, play.position, seat, spaces)[space]
    play.emit(Moved(seat, how, player.at, space, skipped))
    player.at = space


class Drawing(InTown, CardDraws):
    """The rest of a draw: one card at a time, and the player may stop (SP-R16). The turn goes on, so a train in a city
    may load and deliver (SP-R36, SP-R37)."""

    moves = (Draw, DrawDeck, Load, Deliver, Dump, Done)

    def prompt(self, position: Position, seat: int) -> str:
        left = self.board.levels("power")[position.players[seat].power] - position.drawn
        return f"Draw another rail card (at most {left} more), or be done."

    def default(self, position: Position, seat: int) -> Done:
        return Done()

    def offer_done(self, position: Position, seat: int) -> Iterator[Offer]:
        yield Offer(Done)

    def apply_done(self, play: SpikePlay, seat: int, move: Done) -> None:
        end_draw(self.board, play)


def end_draw(board: Board, play: SpikePlay) -> None:
    refill_display(board, play)
    if not play.position.ending:
        # Whether a Time card came up in the draw or in the refill cannot be seen later, so the log must not show it.
        play.events.sort(key=lambda event: isinstance(event, TimeCardUp))
        end_turn(board, play)


class Arrival(InTown):
    """The action has brought the train into a city: deliver and load, then the turn ends (SP-R37, SP-R61)."""

    moves = (Deliver, Load, Dump, Done)

    def prompt(self, position: Position, seat: int) -> str:
        city = self.board.city[position.players[seat].at].name
        return f"You have arrived in {city}: deliver, load, or be done."

    def default(self, position: Position, seat: int) -> Move:
        goods = deliverable(self.board, position.players[seat])
        return Deliver(goods[0]) if goods else Done()

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
    if player.at in board.city and (can_load_here(board, player) or deliverable(board, player)):
        position.phase = Arrival.name
    else:
        end_turn(board, play)


def can_load_here(board: Board, player: Player) -> bool:
    """Whether the city supplies an open contract, if need be after dumping other cargo."""
    contract = player.contracts.get(board.city[player.at].commodity)
    return contract is not None and not contract.aboard and not contract.delivered


# The end of a turn, and of the game


def end_turn(board: Board, play: SpikePlay) -> None:
    """Rulebook, Special ending condition: with all track placed and no delivery left, each other player has one more
    turn (SP-R52, SP-R53)."""
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
