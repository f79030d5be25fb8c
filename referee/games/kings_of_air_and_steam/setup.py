"""Setting up: the boards, and in the Normal game teams and characters; the first Depots and the Airships."""

from collections.abc import Iterator, Mapping

from referee.chance import Chance
from referee.contract import Play
from referee.errors import IllegalOrder
from referee.games.kings_of_air_and_steam.board import Board
from referee.games.kings_of_air_and_steam.events import BoardsLaid, CharacterChosen, DepotPlaced, FirstPlayer, TeamTaken
from referee.games.kings_of_air_and_steam.hexes import SIDES, distance
from referee.games.kings_of_air_and_steam.links import Rails
from referee.games.kings_of_air_and_steam.play_area import Placed, assemble
from referee.games.kings_of_air_and_steam.state import (
    ChooseCharacter,
    ChooseTeam,
    City,
    Place,
    Player,
    Position,
    Settings,
    has_ability,
    tie_order,
)
from referee.games.kings_of_air_and_steam.steps import KASPlay, Step, link_name, next_up, not_on_a_link, procedure
from referee.options import Offer, OneOf

PRICE_MARKERS = 1  # cubes of each good that lie in the market's drawers


def lay_boards(board: Board, seats: int, settings: Settings, chance: Chance) -> tuple[Placed, ...]:
    """The chart's boards, in random places, each turned at random (KAS-F11, KAS-R38)."""
    arrangement = board.arrangement_for(seats, settings.cutthroat)
    sets = arrangement.board_sets
    letters = settings.boards if settings.boards in sets else sets[chance.below("board set", len(sets))]
    return tuple(Placed(letter, chance.below(f"turn {letter}", SIDES)) for letter in chance.shuffle("boards", letters))


def lay_table(board: Board, seats: int, settings: Settings, chance: Chance, agenda: list[str]) -> KASPlay:
    """Rulebook, Setup: boards, Goods, money and Market tiles. The agenda says what follows."""
    constants, market = board.constants, board.market
    layout = lay_boards(board, seats, settings, chance)
    area = assemble(board, layout)
    tiles = market.tiles_of_each_good if settings.uncertainty else market.tiles_of_each_good_in_play
    stock = dict.fromkeys(board.goods, board.components.cubes_of_each_good - PRICE_MARKERS)
    for good in area.factory_at.values():
        stock[good] -= constants.factory_start
    position = Position(
        phase="",
        layout=layout,
        players=[Player(constants.start_money, constants.depots, board.deck()) for _ in range(seats)],
        factories=dict.fromkeys(area.factory_at, constants.factory_start),
        cities={city: City(board.city[city].good, constants.city_slots) for city in area.city_at.values()},
        stock=stock,
        drawers=dict.fromkeys(board.goods, 0),
        tiles=sorted(good for good in board.goods for _ in range(tiles)),
        agenda=agenda,
    )
    play = Play(position, chance)
    play.emit(BoardsLaid(layout))
    return play


@procedure
def first_player_marker(board: Board, play: KASPlay) -> None:
    play.position.first = play.chance.below("first player", len(play.position.players))
    play.emit(FirstPlayer(play.position.first))


@procedure
def teams_by_lot(board: Board, play: KASPlay) -> None:
    teams = play.chance.shuffle("teams", [team.id for team in board.teams])
    for seat in range(len(play.position.players)):
        take_team(board, play, seat, teams[seat], dealt=True)


@procedure
def teams_by_choice(board: Board, play: KASPlay) -> None:
    position = play.position
    position.order = list(range(len(position.players)))
    next_up(position, *[Teams.name] * len(position.players))


class Teams(Step):
    """Each team plays once; the seats choose in turn (KAS-R39, KAS-R57)."""

    asks = "your team"
    moves = (ChooseTeam,)

    def comes_up(self, play: KASPlay) -> bool:
        """Who is left with the last team is not asked (KAS-R60), which was not so in version 1."""
        free = self.free(play.position)
        if len(free) > 1 or self.version == "1":
            return True
        take_team(self.board, play, play.position.order.pop(0), free[0], dealt=False)
        return False

    def seats(self, position: Position) -> tuple[int, ...]:
        return tuple(position.order[:1])

    def prompt(self, position: Position, seat: int) -> str:
        return "Choose your team."

    def free(self, position: Position) -> list[str]:
        taken = {player.team for player in position.players}
        return [team.id for team in self.board.teams if team.id not in taken]

    def default(self, position: Position, seat: int) -> ChooseTeam:
        return ChooseTeam(self.free(position)[0])

    def offer_choose_team(self, position: Position, seat: int) -> Iterator[Offer]:
        yield Offer(ChooseTeam, team=OneOf(*self.free(position)))

    def why_not_choose_team(self, position: Position, seat: int, move: ChooseTeam) -> IllegalOrder | None:
        taken = move.team in self.board.team
        message = f"{self.board.team[move.team].name} is taken." if taken else f"There is no team {move.team}."
        return IllegalOrder("team_taken" if taken else "no_such_team", message, field="team", rule="KAS-R39")

    def apply_choose_team(self, play: KASPlay, seat: int, move: ChooseTeam) -> None:
        play.position.order.pop(0)
        take_team(self.board, play, seat, move.team, dealt=False)


def take_team(board: Board, play: KASPlay, seat: int, team: str, dealt: bool) -> None:
    """The team's special card joins the player's deck, which only the Normal game has."""
    player = play.position.players[seat]
    player.team, player.deck = team, board.deck(team)
    play.emit(TeamTaken(seat, team, dealt))


class Characters(Step):
    """Each secretly chooses one of the team's two characters; revealed together, for the whole game (KAS-R39)."""

    asks = "your character"
    kind = "sealed"
    moves = (ChooseCharacter,)

    def seats(self, position: Position) -> tuple[int, ...]:
        return tuple(range(len(position.players)))

    def prompt(self, position: Position, seat: int) -> str:
        return f"Choose a character of {self.board.team[position.players[seat].team].name}."

    def default(self, position: Position, seat: int) -> ChooseCharacter:
        return ChooseCharacter(self.board.team[position.players[seat].team].characters[0].id)

    def offer_choose_character(self, position: Position, seat: int) -> Iterator[Offer]:
        team = self.board.team[position.players[seat].team]
        yield Offer(ChooseCharacter, character=OneOf(*(character.id for character in team.characters)))

    def reveal(self, play: KASPlay, moves: Mapping[int, ChooseCharacter]) -> None:
        for seat, move in sorted(moves.items()):
            player, chosen = play.position.players[seat], self.board.character[move.character]
            player.character, player.tokens = chosen.id, chosen.tokens
            player.cash = chosen.start_money or player.cash
            play.emit(CharacterChosen(seat, chosen.id))
        self.proceed(play)


@procedure
def starting_depots(board: Board, play: KASPlay) -> None:
    """Last in turn order places first (KAS-F14, KAS-F42); Harvey Golding first of all and again last (KAS-R36)."""
    position = play.position
    order = tie_order(board, position)[::-1]
    for seat, player in enumerate(position.players):
        if has_ability(board, player, "old_empire"):
            order = [seat, *(other for other in order if other != seat), seat]
    position.order = order
    next_up(position, *[Placement.name] * len(order))


class Placement(Step):
    """A Depot on any space of a Link nobody has a Depot on, and the Airship with it (KAS-F14)."""

    asks = "your Depot"
    moves = (Place,)

    def seats(self, position: Position) -> tuple[int, ...]:
        return tuple(position.order[:1])

    def prompt(self, position: Position, seat: int) -> str:
        what = "second Depot" if position.players[seat].at else "first Depot, with your Airship,"
        return f"Place your {what} on a railway space of an unoccupied Link."

    def default(self, position: Position, seat: int) -> Place:
        """Near a Factory, on a complete Link if there is one (KAS-R61); in version 1 the first space by name."""
        area, spaces = assemble(self.board, position.layout), self.spaces(position)
        if self.version == "1":
            return Place(min(spaces))

        def from_a_factory(space: str) -> int:
            return min((distance(area.place[space], area.place[there]) for there in area.factory_at), default=0)

        return Place(min(spaces, key=lambda space: (space in area.stub_of, from_a_factory(space))))

    def spaces(self, position: Position) -> list[str]:
        rails = Rails(self.board, position)
        free = [space for space, link in self.railway_spaces(position, rails).items() if link not in rails.depots]
        return assemble(self.board, position.layout).in_map_order(free)

    def offer_place(self, position: Position, seat: int) -> Iterator[Offer]:
        yield Offer(Place, space=OneOf(*self.spaces(position)))

    def why_not_place(self, position: Position, seat: int, move: Place) -> IllegalOrder | None:
        rails = Rails(self.board, position)
        link = self.railway_spaces(position, rails).get(move.space)
        if link in rails.depots:
            message = f"There is a Depot on the Link {link} of {move.space}; the first Depots need a Link of their own."
            return IllegalOrder("link_occupied", message, field="space", rule="Rulebook, Setup D; KAS-R36")
        if move.space in rails.links:
            free = " or ".join(rails.links[move.space].spaces)
            occupied = move.space in rails.depots
            where = "there is a Depot already" if occupied else f"name one of its spaces, {free}"
            message = f"On {link_name(self.board, rails.links[move.space])} {where}."
            return IllegalOrder("name_a_space", message, field="space", rule="KAS-F14")
        message = not_on_a_link(self.board, position, move.space, self.has_stub_depots)
        return IllegalOrder("not_on_a_link", message, field="space", rule="KAS-F14; KAS-R17")

    def apply_place(self, play: KASPlay, seat: int, move: Place) -> None:
        player = play.position.players[seat]
        play.position.order.pop(0)
        player.supply -= 1
        player.depots[move.space] = {}
        play.emit(DepotPlaced(seat, move.space, airship=not player.at))
        player.at = player.at or move.space
