"""Plays any game against bots, and knows no rules: python random_bot.py [ruleset] [address of the service]"""

import secrets
import sys

from waybill_client import Client, Move, Options, verify

ruleset = sys.argv[1] if len(sys.argv) > 1 else "airlines-europe"
url = sys.argv[2] if len(sys.argv) > 2 else "http://127.0.0.1:8000"


def choose(options: Options) -> Move:
    """Any legal move. This is the line to make cleverer."""
    return options.sample()


with Client(url) as me:
    me.sign_up(f"bot {secrets.token_hex(4)}")
    fewest = next(min(one.seats) for one in me.rulesets() if one.key == ruleset)
    game = me.open_game(ruleset, ["me"] + ["bot"] * (fewest - 1)).game
    print(f"Game {game.id} at {url}/v1/games/{game.id}/board.svg")
    over = me.play(game.id, choose)
    found = verify(me.record(game.id), commitment=game.commitment)
    print(f"{ruleset}: {over.ending} after {found.rows} rows, all of them verified")
    for standing in found.standings:
        print(f"{standing.place}. {over.seats[standing.seat].name}: {standing.score}")
