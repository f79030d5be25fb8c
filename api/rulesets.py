"""The games that can be opened here."""

from functools import cache
from http import HTTPStatus
from typing import Any

import msgspec
from flask import Response

from api.blueprint import Blueprint
from api.problems import refuse
from api.responses import engine_response
from referee.games import all_games, shipped_board
from referee.options import type_name
from schemas.engine import MoveType, Ruleset, RulesetDetail, Rulesets, move_schema, move_types, ref

bp = Blueprint("rulesets", __name__, url_prefix="/v1", description="The games that can be played here")


@bp.route("/rulesets")
@bp.doc(security=[{}])
@bp.response(200, ref(Rulesets))
def rulesets() -> Response:
    """All games: seats, settings, moves and how they are written."""
    return engine_response(Rulesets(tuple(describe(key) for key in all_games())), public=True)


@bp.route("/rulesets/<key>")
@bp.doc(security=[{}])
@bp.response(200, ref(RulesetDetail))
def ruleset(key: str) -> Response:
    """One game, with all the data of its board."""
    if key not in all_games():
        known = ", ".join(all_games())
        refuse(HTTPStatus.NOT_FOUND, "not-found", f"There is no ruleset of this name; there are: {known}.")
    detail = RulesetDetail(**msgspec.structs.asdict(describe(key)), board_data=shipped_board(all_games()[key]))
    return engine_response(detail, public=True)


@cache
def describe(key: str) -> Ruleset:
    game = all_games()[key]
    board = shipped_board(game)
    return Ruleset(
        key=key,
        name=game.name,
        version=game.version,
        seats=tuple(game.seat_counts),
        board=board.name,
        fidelity=board.fidelity,
        settings=settings_schema(game.settings_type),
        endings=dict(game.endings),
        moves=tuple(
            MoveType(type_name(kind), kind.notation, tuple(kind.hidden), move_schema(kind)) for kind in move_types(game)
        ),
    )


def settings_schema(settings_type: type[msgspec.Struct]) -> dict[str, Any]:
    _, found = msgspec.json.schema_components([settings_type])
    schema: dict[str, Any] = found[settings_type.__name__]
    return schema
