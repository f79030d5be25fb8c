"""A bot that sleeps until it is told: webhook_bot.py [ruleset] [service] [port] [address of this bot]

The service must reach it: at https://… on the internet, or on this machine if WAYBILL_WEBHOOK_LOOPBACK=1 is set.
"""

import secrets
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

from waybill_client import BadSignature, Client, Stale, verified

ruleset = sys.argv[1] if len(sys.argv) > 1 else "airlines-europe"
url = sys.argv[2] if len(sys.argv) > 2 else "http://127.0.0.1:8000"
port = int(sys.argv[3]) if len(sys.argv) > 3 else 8080
here = sys.argv[4] if len(sys.argv) > 4 else f"http://127.0.0.1:{port}/"
over: list[str] = []


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            told = verified(webhook.secret, dict(self.headers), body)
        except BadSignature as error:
            self.send_error(400, str(error))
            return
        self.send_response(204)  # first say that it came, then think: nobody waits longer than ten seconds
        self.end_headers()
        self.wfile.flush()
        if told.type in ("your_turn", "phase_opened", "reminder"):
            play(told.notice.game_id)
        elif told.type == "game_over":
            over.append(told.notice.game_id)


def play(game_id: str) -> None:
    """Moves as long as the game waits for us. What is told twice finds that it does not."""
    while me.game(game_id).waits_for_me:
        options = me.options(game_id)
        try:
            me.send_moves(game_id, options.sample(), sequence=options.sequence)
        except Stale:
            continue


with Client(url) as me, HTTPServer(("127.0.0.1", port), Handler) as server:
    me.sign_up(f"bot {secrets.token_hex(4)}")
    webhook = me.create_webhook(here, ["your_turn", "phase_opened", "reminder", "game_over"])
    fewest = next(min(one.seats) for one in me.rulesets() if one.key == ruleset)
    game = me.open_game(ruleset, ["me"] + ["bot"] * (fewest - 1)).game
    print(f"Game {game.id}: waiting to be told")
    while game.id not in over:
        server.handle_request()
    print(f"Game {game.id} is over: {me.game(game.id).ending}")
    me.delete_webhook(webhook.id)
