"""The way to the stream, which is a server of its own: whoever asks here is sent there, with a ticket for a token."""

from typing import Any
from urllib.parse import urlencode

from flask import Response, current_app, request

from api.access import caller, player, signed_in, visible_game
from api.blueprint import Blueprint
from schemas.events import AllEventsQuerySchema, EventsQuerySchema, TicketSchema
from service import tickets
from service.tokens import digest
from service.watching import Person

bp = Blueprint("events", __name__, url_prefix="/v1", description="What happens, as it happens")


@bp.route("/events/tickets", methods=["POST"])
@signed_in
@bp.response(201, TicketSchema)
def ticket() -> Any:
    """A ticket for the stream, for browsers: an EventSource can send no token."""
    player()
    return {"ticket": _ticket(), "expires_in": tickets.SECONDS, "url": stream_address()}


@bp.route("/games/<game_id>/events")
@bp.arguments(EventsQuerySchema, location="query")
@bp.response(307, description="The stream is at the address in `Location`, good for a minute.")
def game_events(query: dict[str, Any], game_id: str) -> Response:
    """A game as server-sent events: `position`, then `row` by row, and `game` when its state changes."""
    visible_game(game_id)
    return _there(f"/v1/games/{game_id}/events", query)


@bp.route("/events")
@signed_in
@bp.arguments(AllEventsQuerySchema, location="query")
@bp.response(307, description="The stream is at the address in `Location`, good for a minute.")
def events(query: dict[str, Any]) -> Response:
    """All your games and your notices as server-sent events."""
    return _there("/v1/events", query)


def _there(path: str, query: dict[str, Any]) -> Response:
    known = {name: value for name, value in query.items() if value is not None}
    if caller() is not None:
        known["ticket"] = _ticket()
    place = f"{stream_address()}{path}" + (f"?{urlencode(known)}" if known else "")
    return Response(status=307, headers={"Location": place, "Cache-Control": "no-store"})


def _ticket() -> str:
    token = request.environ["HTTP_AUTHORIZATION"].partition(" ")[2]
    return tickets.issue(current_app.extensions["redis"], Person(player().id, digest(token)))


def stream_address() -> str:
    """Where clients find the stream: as configured, or at its port of the host that they asked."""
    place: str | int = current_app.extensions["stream"]
    if isinstance(place, str):
        return place.rstrip("/")
    host = request.host.rpartition(":")[0] if request.host.rpartition(":")[2].isdecimal() else request.host
    return f"{request.scheme}://{host}:{place}"
