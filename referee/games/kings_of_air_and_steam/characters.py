"""The Actions that only one character has: Aurelia Bayley, Eva Blane, Eli Diamond."""

from collections.abc import Iterator

from referee.games.kings_of_air_and_steam.board import SHARP_BEND
from referee.games.kings_of_air_and_steam.events import CardPlayed, LinkConstructed, TokenSpent, Transmogrified
from referee.games.kings_of_air_and_steam.flight import Flight, flight_ends, sharpest_turn
from referee.games.kings_of_air_and_steam.hexes import bend
from referee.games.kings_of_air_and_steam.links import Rails
from referee.games.kings_of_air_and_steam.load_unload import Cargo
from referee.games.kings_of_air_and_steam.play_area import Link, PlayArea, assemble
from referee.games.kings_of_air_and_steam.state import (
    HOLD,
    Construct,
    PlayCard,
    Position,
    Transmogrify,
    airship_level,
    exposed_diamonds,
    has_ability,
    room,
)
from referee.games.kings_of_air_and_steam.steps import KASPlay, Step, next_up
from referee.options import Offer, OneOf, Rng, Way
from referee.piles import add, take

Track = tuple[str, ...]

TRANSMOGRIFIED = 2  # Goods that one Good becomes
TILE_COST = 1  # dollars for a Track tile


class CharacterActions(Step):
    # Transmogrify: one Good into two of another type, in the same place (KAS-R42)

    def offer_transmogrify(self, position: Position, seat: int) -> Iterator[Offer]:
        player = position.players[seat]
        if not has_ability(self.board, player, "transmogrify") or not player.tokens:
            return
        places = {space: list(goods) for space, goods in player.depots.items()}
        if room(self.board, player):
            places[HOLD] = sorted(set(player.hold))
        for place, goods in places.items():
            for good in goods:
                others = [other for other in self.board.goods if other != good]
                yield Offer(Transmogrify, good=good, into=OneOf(*others), place=place)

    def apply_transmogrify(self, play: KASPlay, seat: int, move: Transmogrify) -> None:
        position, player = play.position, play.position.players[seat]
        spend_token(play, seat)
        made = [move.into] * TRANSMOGRIFIED
        if move.place == HOLD:
            player.hold.remove(move.good)
            player.hold += made
        else:
            take(player.depots[move.place], [move.good])
            add(player.depots[move.place], made)
        position.stock[move.good] += 1
        position.stock[move.into] -= TRANSMOGRIFIED
        play.emit(Transmogrified(seat, move.good, move.into, move.place))

    # New Construction: a Link of Track tiles between two Cities, with a Depot on it (KAS-R43)

    def offer_construct(self, position: Position, seat: int) -> Iterator[Offer]:
        player = position.players[seat]
        if not has_ability(self.board, player, "new_construction") or not player.supply:
            return
        area, rails = assemble(self.board, position.layout), Rails(self.board, position)
        longest = min(player.tokens, player.cash // TILE_COST)
        by_ends: dict[tuple[str, str, int], list[Track]] = {}
        for start in sorted(position.cities):
            for track, end in tracks(area, rails, start, longest):
                by_ends.setdefault((start, end, len(track)), []).append(track)
        for (start, end, length), found in by_ends.items():
            yield Offer(Construct, start=start, end=end, track=_any_of(found, end), depot=_places(length))

    def apply_construct(self, play: KASPlay, seat: int, move: Construct) -> None:
        position, player = play.position, play.position.players[seat]
        cost = TILE_COST * len(move.track)
        link = Link(f"new{len(position.built) + 1}", (move.start, move.end), move.track)
        depot = move.track[move.depot - 1]
        player.cash -= cost
        player.tokens -= len(move.track)
        player.supply -= 1
        player.depots[depot] = {}
        position.built.append(link)
        play.emit(LinkConstructed(seat, link.id, link.ends, link.spaces, depot, cost))

    # Expert Mechanic: a second flight with a card of the deck that the Diamond Rating allows (KAS-R52)

    def offer_play_card(self, position: Position, seat: int) -> Iterator[Offer]:
        player = position.players[seat]
        if not has_ability(self.board, player, "expert_mechanic"):
            return
        left = airship_level(self.board, player).diamonds - exposed_diamonds(self.board, player)
        cards = [card for card in dict.fromkeys(sorted(player.deck)) if self.board.card[card].diamonds <= left]
        if player.at not in assemble(self.board, position.layout).landing:  # KAS-R03: the turn has to end elsewhere
            cards = [card for card in cards if self.leads_away(position, seat, card)]
        if cards:
            yield Offer(PlayCard, card=OneOf(*cards))

    def leads_away(self, position: Position, seat: int, card: str) -> bool:
        """Whether a flight with this card can end the turn where the Airship may stay."""
        player, flown = position.players[seat], self.board.card[card]
        area, most = assemble(self.board, position.layout), sharpest_turn(self.board, player, flown)
        return any(flight_ends(area, player.at, value, most, {}, area.landing) for value in flown.values if value)

    def apply_play_card(self, play: KASPlay, seat: int, move: PlayCard) -> None:
        position, player = play.position, play.position.players[seat]
        player.deck.remove(move.card)
        if move.card in player.returned:
            player.returned.remove(move.card)
        player.shown.append(move.card)
        position.flying = move.card
        play.emit(CardPlayed(seat, move.card))
        next_up(position, *[Flight.name, Cargo.name] * self.board.card[move.card].flights)


def tracks(area: PlayArea, rails: Rails, start: str, longest: int) -> Iterator[tuple[Track, str]]:
    """Every track of plain spaces from a city to another city, straight or in wide curves."""
    used = {*area.city_at, *area.factory_at, *area.stubs, *rails.link_of}
    waiting: list[tuple[str, str, Track]] = [(area.place_of_city[start], "", ())]
    while waiting:
        space, came, track = waiting.pop()
        for way, there in area.neighbours[space].items():
            if came and bend(came, way) >= SHARP_BEND:
                continue
            city = area.city_at.get(there)
            if city is not None and city != start and track:
                yield track, city
            if there in area.full and there not in used and there not in track and len(track) < longest:
                waiting.append((there, way, (*track, there)))


def _any_of(found: list[Track], end: str) -> Way:
    def walk(rng: Rng) -> Track:
        return found[rng.randrange(len(found))]

    spaces = sorted({space for track in found for space in track})
    return Way(spaces, len(found[0]), lambda track: track in found, walk, lambda: {end: found[0]})


def _places(length: int) -> OneOf:
    return OneOf(*range(1, length + 1))


def spend_token(play: KASPlay, seat: int) -> None:
    player = play.position.players[seat]
    player.tokens -= 1
    play.emit(TokenSpent(seat, player.character, player.tokens))
