"""What you are told: your feed, its deliveries, and your preferences."""

import base64
from http import HTTPStatus
from typing import Any, NoReturn

import msgspec
from flask import request, url_for

from api.access import allowed, db, player, signed_in
from api.blueprint import Blueprint
from api.problems import refuse
from schemas.notices import (
    LARGEST_NUMBER,
    DeliverySchema,
    NoticesQuerySchema,
    NoticesSchema,
    PreferencesChangeSchema,
    PreferencesSchema,
    ReadSchema,
    UnreadSchema,
)
from service import feed, preferences
from service.feed import Told
from service.preferences import Preferences

bp = Blueprint("notices", __name__, url_prefix="/v1", description="What you are told, and how")

PRIVATE = {"Cache-Control": "private, no-store", "Vary": "Authorization"}


@bp.route("/notices")
@signed_in
@bp.arguments(NoticesQuerySchema, location="query")
@bp.response(200, NoticesSchema)
def list_notices(query: dict[str, Any]) -> Any:
    """Your notices, those that you have not read first, then newest first. The `Link` header leads to the next page."""
    who, limit = player(), query["limit"]
    after = _cursor(query["after"]) if "after" in query else None
    with db().session() as session:
        found = feed.page(
            session, who.id, unread=query["unread"], game_id=query.get("game"), after=after, limit=limit + 1
        )
        unread = feed.unread(session, who.id)
    page, rest = found[:limit], found[limit:]
    headers = dict(PRIVATE)
    if rest:
        others: dict[str, Any] = {name: value for name, value in request.args.items() if name != "after"}
        place = url_for("notices.list_notices", **others, after=_cursor_of(page[-1]))
        headers["Link"] = f'<{place}>; rel="next"'
    return {"unread": unread, "notices": page}, 200, headers


def _cursor_of(last: Told) -> str:
    is_read = int(last.read_at is not None)
    return base64.urlsafe_b64encode(f"{is_read} {last.id}".encode()).decode()


def _cursor(text: str) -> tuple[bool, int]:
    try:
        is_read, _, number = base64.urlsafe_b64decode(text.encode("ascii")).decode("ascii").partition(" ")
        if is_read not in ("0", "1") or not (number.isdecimal() and int(number) <= LARGEST_NUMBER):
            raise ValueError(text)
        return is_read == "1", int(number)
    except ValueError:
        return _wrong("after", "Take `after` from the `next` link of a page.")


def _wrong(field: str, detail: str) -> NoReturn:
    refuse(HTTPStatus.UNPROCESSABLE_ENTITY, "invalid-request", detail, field=field, errors={field: [detail]})


@bp.route("/notices/read", methods=["POST"])
@allowed("play")
@bp.arguments(ReadSchema)
@bp.response(200, UnreadSchema)
def read_notices(body: dict[str, Any]) -> Any:
    """Say which notices you have read: by number, of a game, up to one, or all. The answer is how many are left."""
    with db().session() as session:
        left = feed.mark_read(
            session, player().id, ids=body.get("ids"), game_id=body.get("game"), up_to=body.get("up_to")
        )
    return {"unread": left}


@bp.route("/notices/<int:notice_id>/deliveries")
@signed_in
@bp.response(200, DeliverySchema(many=True))
def deliveries(notice_id: int) -> Any:
    """By which channels a notice was sent to you, and what came of it."""
    if notice_id > LARGEST_NUMBER:
        refuse(HTTPStatus.NOT_FOUND, "not-found", "You have no such notice, or not any more.")
    with db().session() as session:
        return feed.deliveries_of(session, player().id, notice_id), 200, PRIVATE


@bp.route("/me/preferences")
@signed_in
@bp.response(200, PreferencesSchema)
def show_preferences() -> Any:
    """What you are told of, by which channels and when."""
    with db().session() as session:
        return _all(preferences.read(session, player().id)), 200, PRIVATE


@bp.route("/me/preferences", methods=["PATCH"])
@allowed("account")
@bp.arguments(PreferencesChangeSchema)
@bp.response(200, PreferencesSchema)
def change_preferences(body: dict[str, Any]) -> Any:
    """Change what you are told, how and when. What you do not name stays as it is."""
    if body.get("quiet_hours"):
        quiet = body["quiet_hours"]
        body = body | {"quiet_hours": {"from": quiet["since"], "until": quiet["until"]}}
    with db().transaction() as transaction:
        return _all(preferences.change(transaction, player().id, body)), 200, PRIVATE


def _all(found: Preferences) -> dict[str, Any]:
    """Preferences with every kind, also those that were never chosen."""
    return msgspec.structs.asdict(found) | {"kinds": found.all_kinds()}
