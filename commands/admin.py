"""Look after players and games.

examples:
  ./waybill admin games --status running                 games, newest first; --player Ann: hers
  ./waybill admin players ann                            players with this in their name or address
  ./waybill admin player Ann --email ann@example.org     make a player and print a token
  ./waybill admin token Ann --label laptop               one more token for a player
  ./waybill admin tokens Ann                             list a player's tokens
  ./waybill admin revoke Ann 12                          revoke one of them
  ./waybill admin rename Ann Anna                        give a player another name, in every game too
  ./waybill admin ban Ann --reason "sent threats"        none of her tokens work any more; --lift: they do again
  ./waybill admin end k3mzq8w2hp4x                       end a game without a result
  ./waybill admin check k3mzq8w2hp4x                     replay a game's log and compare with what is stored
  ./waybill admin carry-over --dry-run                   which games can go on under newer rules, and which stay behind
  ./waybill admin push-key                               a key for WAYBILL_VAPID_KEY: browsers are told then
"""

import argparse
from collections.abc import Iterator
from datetime import datetime

from rich import box
from rich.console import Console
from rich.progress import track
from rich.table import Table

from commands._service import database, plain_errors
from referee.errors import RecordError
from runtime.web_push import new_key
from service import carry_over, games, players, replays
from service.carry_over import Result
from service.errors import NotFound
from service.players import Player
from store import overview
from store.database import Database, Session

CARRY_OVER = """\
Take running and paused games over to the newest version of their rules.

A game is carried over if the newer rules can play its whole log again: every move is legal, and nobody would have been
told anything else. A row of the log says so. All others stay under their own rules and can be finished under them.
Games in which sealed moves wait can be carried over after the reveal: run it again then.

examples:
  ./waybill admin carry-over --dry-run     which games can go on under newer rules, and which stay behind
  ./waybill admin carry-over               take them over
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    listed = actions.add_parser("games", help="list games")
    listed.add_argument("--status", choices=["open", "running", "paused", "over"])
    listed.add_argument("--player", help="only those with a seat of this player")
    listed.add_argument("--limit", type=int, default=50)
    found = actions.add_parser("players", help="list players")
    found.add_argument("text", nargs="?", default="", help="a part of the name or the address")
    found.add_argument("--limit", type=int, default=50)
    rename = actions.add_parser("rename", help="give a player another name")
    rename.add_argument("name")
    rename.add_argument("new_name")
    ban = actions.add_parser("ban", help="shut a player out, or let him in again")
    ban.add_argument("name")
    ban.add_argument("--reason", default="", help="what the player is told")
    ban.add_argument("--lift", action="store_true", help="let the player in again")
    make = actions.add_parser("player", help="make a player and print a token")
    make.add_argument("name")
    make.add_argument("--email")
    issue = actions.add_parser("token", help="make one more token for a player")
    issue.add_argument("name")
    issue.add_argument("--label", default="admin")
    actions.add_parser("tokens", help="list a player's tokens").add_argument("name")
    revoke = actions.add_parser("revoke", help="revoke a token")
    revoke.add_argument("name")
    revoke.add_argument("token", type=int, help="its number in the list of tokens")
    actions.add_parser("end", help="end a game without a result").add_argument("game")
    actions.add_parser("check", help="replay a game's log and compare").add_argument("game")
    carry = actions.add_parser(
        "carry-over",
        help="take games in play over to the newest rules",
        description=CARRY_OVER,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    carry.add_argument("--dry-run", action="store_true", help="only tell what would become of each game")
    actions.add_parser("push-key", help="make a key for messages to browsers")


def run(args: argparse.Namespace) -> int:
    if args.action == "push-key":
        print(f"WAYBILL_VAPID_KEY={new_key()}")
        return 0
    with plain_errors(), database() as db:
        return ACTIONS[args.action](db, args)


def list_games(db: Database, args: argparse.Namespace) -> int:
    with db.session() as session:
        player = named(session, args.player).id if args.player else None
        lines = overview.games(session, args.status, player, args.limit)
    show(
        ("game", "ruleset", "status", "row", "players", "waits for", "due", "last move"),
        [
            (
                line.id,
                line.ruleset,
                line.status,
                str(line.sequence),
                line.players,
                line.waits_for or "-",
                moment(line.due_at),
                moment(line.moved_at),
            )
            for line in lines
        ],
    )
    return 0


def list_players(db: Database, args: argparse.Namespace) -> int:
    with db.session() as session:
        lines = overview.players(session, args.text, args.limit)
    show(
        ("player", "name", "address", "tokens", "in play", "since", "banned"),
        [
            (
                str(line.id),
                line.name,
                line.email or "-",
                str(line.tokens),
                str(line.in_play),
                f"{line.created_at:%Y-%m-%d}",
                "-" if line.ban is None else f"banned {line.ban}".rstrip(),
            )
            for line in lines
        ],
    )
    return 0


def show(headings: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    """A table on a terminal; elsewhere a line for each row, for other programs to read."""
    console = Console(highlight=False, markup=False, emoji=False)
    if console.is_terminal:
        table = Table(*headings, box=box.SIMPLE)
        for row in rows:
            table.add_row(*row)
        console.print(table)
    else:
        print(*("\t".join(row) for row in [headings, *rows]), sep="\n")


def moment(time: datetime | None) -> str:
    return f"{time:%Y-%m-%d %H:%M}" if time else "-"


def rename_player(db: Database, args: argparse.Namespace) -> int:
    with db.transaction() as transaction:
        player = players.rename(transaction, named(transaction, args.name).id, args.new_name)
    print(f"{args.name} is now {player.name}, wherever players are named, in games that have begun too.")
    print("Only records of games from before headers named seats keep the old name: their hashes hold it.")
    return 0


def ban_player(db: Database, args: argparse.Namespace) -> int:
    with db.transaction() as transaction:
        player = named(transaction, args.name)
        if args.lift:
            players.lift_ban(transaction, player)
        else:
            players.ban(transaction, player, args.reason)
        seats = overview.games(transaction, None, player.id, limit=1000)
    if args.lift:
        print(f"{player.name} is let in again: the tokens work as before.")
        return 0
    print(f"{player.name} is banned. Within five seconds none of the tokens works any more.")
    for game in seats:
        if game.status in ("running", "paused"):
            print(f"The game {game.id} ({game.ruleset}) keeps the seat; ./waybill admin end {game.id} would end it.")
    return 0


def make_player(db: Database, args: argparse.Namespace) -> int:
    with db.transaction() as transaction:
        player = players.create(transaction, args.name, args.email)
        issued = players.issue_token(transaction, player.id, "admin")
    print(f"{player.name} is player {player.id}. The token is shown only now:\n{issued.secret}")
    return 0


def issue_token(db: Database, args: argparse.Namespace) -> int:
    with db.transaction() as transaction:
        issued = players.issue_token(transaction, named(transaction, args.name).id, args.label)
    print(f"Token {issued.token.id} is shown only now:\n{issued.secret}")
    return 0


def list_tokens(db: Database, args: argparse.Namespace) -> int:
    with db.session() as session:
        found = players.tokens(session, named(session, args.name).id)
    for token in found:
        state = f"revoked {token.revoked_at:%Y-%m-%d}" if token.revoked_at else "valid"
        print(f"{token.id:6}  {token.hint}...  {token.created_at:%Y-%m-%d}  {state}  {token.label}")
    return 0


def revoke_token(db: Database, args: argparse.Namespace) -> int:
    with db.session() as session:
        if not players.revoke_token(session, named(session, args.name).id, args.token):
            raise NotFound(f"{args.name} has no valid token {args.token}.")
    print(f"Token {args.token} is revoked.")
    return 0


def end_game(db: Database, args: argparse.Namespace) -> int:
    with db.transaction() as transaction:
        games.end(transaction, args.game)
    print(f"The game {args.game} has been ended.")
    return 0


def check_game(db: Database, args: argparse.Namespace) -> int:
    try:
        table = replays.rebuild(db, args.game)
    except RecordError as error:
        print(f"The game {args.game} does not hold: {error}")
        return 1
    print(f"The game {args.game} holds: its position is what {table.sequence + 1} rows of the log lead to.")
    return 0


def carry_games_over(db: Database, args: argparse.Namespace) -> int:
    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
    results = list(carried_over(db, args.dry_run, console))
    if not results:
        print("Every game in play is under the newest version of its rules.")
        return 0
    table = Table("game", "ruleset", "from", "to", "verdict", box=box.SIMPLE)
    for result in results:
        table.add_row(*columns(result, args.dry_run))
    if console.is_terminal:
        console.print(table)
    carried = sum(result.is_carried for result in results)
    verdict = "Can be carried over" if args.dry_run else "Carried over"
    print(f"{verdict}: {carried} of {len(results)}. Staying behind under their own rules: {len(results) - carried}.")
    return 0


def carried_over(db: Database, dry_run: bool, console: Console) -> Iterator[Result]:
    """Takes game after game over, with a bar on a terminal and a line for each elsewhere."""
    found = carry_over.games_to_carry(db)
    bar = track(found, description="games", console=console, transient=True, disable=not console.is_terminal)
    for game in bar:
        result = carry_over.carry_over(db, game, dry_run)
        if result is None:  # over, or carried over, since it was found
            continue
        if not console.is_terminal:
            print("  ".join(columns(result, dry_run)), flush=True)
        yield result


def columns(result: Result, dry_run: bool) -> tuple[str, str, str, str, str]:
    carried = "can be carried over" if dry_run else "carried over"
    verdict = carried if result.is_carried else f"stays: {result.reason}"
    return result.game_id, result.ruleset, result.old, result.new or "?", verdict


def named(session: Session, name: str) -> Player:
    player = players.by_name(session, name)
    if player is None:
        raise NotFound(f"There is no player {name!r}.")
    return player


ACTIONS = {
    "games": list_games,
    "players": list_players,
    "rename": rename_player,
    "ban": ban_player,
    "player": make_player,
    "token": issue_token,
    "tokens": list_tokens,
    "revoke": revoke_token,
    "end": end_game,
    "check": check_game,
    "carry-over": carry_games_over,
}
