"""The games that can be opened here."""

import hashlib
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from flask import Response, request

import referee
from api.blueprint import Blueprint
from api.problems import refuse
from api.responses import engine_response, fill, tagged
from api.rules_page import POLICY, framed
from referee.games import GameType, all_games, open_game, shipped_board
from referee.options import type_name
from referee.orders.conditions import values_by_words
from referee.page import COMMENT, html, page_of, without_links_elsewhere
from schemas import game_types
from schemas.engine import (
    BotListing,
    EventListing,
    FactListing,
    MoveType,
    PhaseListing,
    PresetListing,
    Ruleset,
    RulesetDetail,
    Rulesets,
    StandingListing,
    ref,
)
from schemas.game_types import move_schema, move_types
from schemas.rulesets import RulesQuerySchema
from service.bots import BOTS

bp = Blueprint("rulesets", __name__, url_prefix="/v1", description="The games that can be played here")

PAGES = Path(referee.__file__).parents[1] / "docs" / "games"
MARKDOWN, HTML, SVG = "text/markdown; charset=utf-8", "text/html; charset=utf-8", "image/svg+xml"
SCHEMA_JSON = "application/schema+json"


class RulesPage(NamedTuple):
    """The rules of a game to read, in both forms, and the names of their pictures."""

    markdown: bytes
    html: bytes
    pictures: frozenset[str]


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
    game_type = known_game(key)
    board = shipped_board(game_type)
    detail = RulesetDetail(**msgspec.structs.asdict(describe(key)), standing=standing_words(key), board_data=board)
    return engine_response(detail, public=True)


@bp.route("/rulesets/<key>/schema")
@bp.doc(security=[{}])
@bp.response(200, {"type": "object", "additionalProperties": True}, content_type=SCHEMA_JSON)
def ruleset_schema(key: str) -> Response:
    """The types of one game alone, as JSON Schema: its moves, events, views, settings and boards."""
    known_game(key)
    return _static(schema_document(key), SCHEMA_JSON)


@bp.route("/rulesets/<key>/rules")
@bp.arguments(RulesQuerySchema, location="query")
@bp.doc(security=[{}])
@bp.response(200, {"type": "string"}, content_type=MARKDOWN)
@bp.alt_response(200, schema={"type": "string"}, content_type=HTML)
def rules(query: dict[str, Any], key: str) -> Response:
    """The rules to read and to learn the game by: Markdown, or a page for browsers (`Accept: text/html`)."""
    page = rules_page(known_game(key))
    as_html = (query.get("format") or _accepted_format()) == "html"
    response = _static(page.html if as_html else page.markdown, HTML if as_html else MARKDOWN)
    response.vary.add("Accept")
    if as_html:
        response.headers["Content-Security-Policy"] = POLICY
    return response


@bp.route("/rulesets/<key>/rules/<picture>.svg")
@bp.doc(security=[{}])
@bp.response(200, {"type": "string"}, content_type=SVG)
def rules_picture(key: str, picture: str) -> Response:
    """A picture of the rules."""
    if picture not in rules_page(known_game(key)).pictures:
        refuse(HTTPStatus.NOT_FOUND, "not-found", "The rules of this game have no picture of this name.")
    return _static((PAGES / "pictures" / key / f"{picture}.svg").read_bytes(), SVG)


def known_game(key: str) -> GameType:
    if key not in all_games():
        known = ", ".join(all_games())
        refuse(HTTPStatus.NOT_FOUND, "not-found", f"There is no ruleset of this name; there are: {known}.")
    return all_games()[key]


@cache
def rules_page(game_type: GameType) -> RulesPage:
    """Made once: neither the page nor the board changes while a process runs."""
    page = page_of(game_type, "rules/")
    if page is not None:
        markdown, drawn = page.markdown, {picture.name for picture in page.pictures}
    else:
        file = PAGES / f"{game_type.key}.md"
        if not file.exists():
            refuse(HTTPStatus.NOT_FOUND, "not-found", f"Nobody has written a page of rules for {game_type.name} yet.")
        markdown, drawn = COMMENT.sub("", file.read_text("utf-8")), set()
    markdown = without_links_elsewhere(markdown)
    there = {file.stem for file in (PAGES / "pictures" / game_type.key).glob("*.svg")}
    return RulesPage(markdown.encode(), framed(html(markdown)).encode(), frozenset(drawn & there))


def _accepted_format() -> str:
    """A browser names HTML; who names nothing, or everything alike, gets what a terminal can show."""
    best = request.accept_mimetypes.best_match(["text/markdown", "text/html"], "text/markdown")
    return "html" if best == "text/html" else "markdown"


def _static(body: bytes, content_type: str) -> Response:
    """What is the same for everybody until the service is renewed."""
    response = tagged(hashlib.sha256(body).hexdigest(), content_type, final=True, public=True)
    if response.status_code != HTTPStatus.NOT_MODIFIED:
        fill(response, body)
    return response


@cache
def schema_document(key: str) -> bytes:
    return msgspec.json.format(msgspec.json.encode(game_types.document(key)), indent=1) + b"\n"


@cache
def describe(key: str) -> Ruleset:
    game = all_games()[key]
    board = shipped_board(game)
    return Ruleset(
        key=key,
        name=game.name,
        summary=game.about.summary,
        special=game.about.special,
        minutes=game.about.minutes,
        weight=game.about.weight,
        picture=_picture_of(key),
        parts=game.parts,
        version=game.version,
        seats=tuple(game.seat_counts),
        board=board.name,
        fidelity=board.fidelity,
        settings=settings_schema(game.settings_type),
        endings=dict(game.endings),
        bots=tuple(BotListing(name, bot.summary, *bot.ratings.get(key, (None, None))) for name, bot in BOTS.items()),
        moves=tuple(
            MoveType(type_name(kind), kind.notation, tuple(kind.hidden), move_schema(kind)) for kind in move_types(game)
        ),
    )


def _picture_of(key: str) -> str:
    """The address of the map that the rules show, or of another picture of theirs; empty without any."""
    names = sorted(file.stem for file in (PAGES / "pictures" / key).glob("*.svg"))
    first = next((name for name in names if name.endswith("-map")), names[0] if names else "")
    return f"/v1/rulesets/{key}/rules/{first}.svg" if first else ""


@cache
def standing_words(key: str) -> StandingListing:
    """What standing orders of a game can speak of, on its own board."""
    game_type = all_games()[key]
    game, words = open_game(key, game_type.seat_counts[-1]), game_type.standing
    return StandingListing(
        facts=tuple(
            FactListing(fact.name, fact.kind, fact.says, tuple(dict.fromkeys(values_by_words(game, fact).values())))
            for fact in words.facts
        ),
        phases=tuple(PhaseListing(phase.name, phase.says, phase.phases) for phase in words.phases),
        events=tuple(EventListing(event.name, event.says) for event in words.events),
        presets=tuple(PresetListing(preset.key, preset.says, preset.text) for preset in words.presets),
    )


def settings_schema(settings_type: type[msgspec.Struct]) -> dict[str, Any]:
    _, found = msgspec.json.schema_components([settings_type])
    schema: dict[str, Any] = found[settings_type.__name__]
    return schema
