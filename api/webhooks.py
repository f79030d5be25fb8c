"""Webhooks: addresses of your programs that are told what you are told."""

from http import HTTPStatus
from typing import Any, NoReturn

import msgspec
from flask import Response, current_app, request, url_for

from api.access import allowed, db, player
from api.blueprint import Blueprint
from api.idempotency import DOCUMENTED, idempotency_key, respond_once
from api.problems import refuse
from schemas.notices import LARGEST_NUMBER
from schemas.webhooks import (
    DeliveriesQuerySchema,
    NewlyMadeWebhookSchema,
    NewWebhookSchema,
    WebhookChangeSchema,
    WebhookDeliverySchema,
    WebhookSchema,
    WebhookTestSchema,
)
from service import webhooks
from service.webhooks import NO_SUCH_WEBHOOK, Desk

bp = Blueprint("webhooks", __name__, url_prefix="/v1", description="Webhooks: your programs are told what you are told")

PRIVATE = {"Cache-Control": "private, no-store", "Vary": "Authorization"}


def desk() -> Desk:
    found: Desk = current_app.extensions["webhooks"]
    return found


def _check_number(number: int) -> None:
    if number > LARGEST_NUMBER:
        _no_such()


def _no_such() -> NoReturn:
    refuse(HTTPStatus.NOT_FOUND, "not-found", NO_SUCH_WEBHOOK)


@bp.route("/webhooks", methods=["POST"])
@allowed("account")
@bp.doc(parameters=[DOCUMENTED])
@bp.arguments(NewWebhookSchema)
@bp.response(201, NewlyMadeWebhookSchema)
def create_webhook(body: dict[str, Any]) -> Response:
    """Name an address that is told what you are told. The answer holds the secret that requests are signed with."""
    done = desk().create(player().id, body["url"], body["label"], body["events"], idempotency_key())
    place = {"Location": url_for("webhooks.show_webhook", webhook_id=done.made.id), **PRIVATE}
    return respond_once(done, 201, NewlyMadeWebhookSchema().dump(done.made), place)


@bp.route("/webhooks")
@allowed("account")
@bp.response(200, WebhookSchema(many=True))
def list_webhooks() -> Any:
    """Your webhooks, without their secrets."""
    with db().session() as session:
        return webhooks.of_player(session, player().id), 200, PRIVATE


@bp.route("/webhooks/<int:webhook_id>")
@allowed("account")
@bp.response(200, WebhookSchema)
def show_webhook(webhook_id: int) -> Any:
    """One of your webhooks."""
    _check_number(webhook_id)
    with db().session() as session:
        return webhooks.shown(webhooks.known(session, player().id, webhook_id)), 200, PRIVATE


@bp.route("/webhooks/<int:webhook_id>", methods=["PATCH"])
@allowed("account")
@bp.arguments(WebhookChangeSchema)
@bp.response(200, WebhookSchema)
def change_webhook(body: dict[str, Any], webhook_id: int) -> Any:
    """Change its address, its events or its label, or switch it on or off."""
    _check_number(webhook_id)
    return desk().change(player().id, webhook_id, body), 200, PRIVATE


@bp.route("/webhooks/<int:webhook_id>", methods=["DELETE"])
@allowed("account")
@bp.response(204)
def delete_webhook(webhook_id: int) -> Any:
    """Tell this address nothing any more, and forget it."""
    _check_number(webhook_id)
    with db().transaction() as transaction:
        webhooks.delete(transaction, player().id, webhook_id)
    return Response(status=204)


@bp.route("/webhooks/<int:webhook_id>/secret", methods=["POST"])
@allowed("account")
@bp.doc(parameters=[DOCUMENTED])
@bp.response(201, NewlyMadeWebhookSchema)
def rotate_webhook_secret(webhook_id: int) -> Response:
    """A new secret. For a day everything is signed with the former one, too."""
    _check_number(webhook_id)
    done = desk().rotate(player().id, webhook_id, idempotency_key())
    return respond_once(done, 201, NewlyMadeWebhookSchema().dump(done.made), PRIVATE)


@bp.route("/webhooks/<int:webhook_id>/test", methods=["POST"])
@allowed("account")
@bp.doc(parameters=[DOCUMENTED])
@bp.response(202, WebhookTestSchema)
def test_webhook(webhook_id: int) -> Response:
    """Send an event `test` there. The deliveries tell what was answered."""
    _check_number(webhook_id)
    done = desk().send_test(player().id, webhook_id, idempotency_key())
    return respond_once(done, 202, {"notice": done.made}, PRIVATE)


@bp.route("/webhooks/<int:webhook_id>/deliveries")
@allowed("account")
@bp.arguments(DeliveriesQuerySchema, location="query")
@bp.response(200, WebhookDeliverySchema(many=True))
def list_webhook_deliveries(query: dict[str, Any], webhook_id: int) -> Any:
    """What was sent there and what was answered, newest first. The `Link` header leads to the next page."""
    _check_number(webhook_id)
    before, limit = int(query["after"]) if "after" in query else None, query["limit"]
    with db().session() as session:
        found = webhooks.deliveries(session, player().id, webhook_id, before, limit + 1)
    page, headers = found[:limit], dict(PRIVATE)
    if found[limit:]:
        others: dict[str, Any] = {name: value for name, value in request.args.items() if name != "after"}
        after = page[-1].sent.notice_id
        place = url_for("webhooks.list_webhook_deliveries", webhook_id=webhook_id, **others, after=after)
        headers["Link"] = f'<{place}>; rel="next"'
    return [msgspec.structs.asdict(one.sent) | {"tries": one.tries} for one in page], 200, headers


@bp.route("/webhooks/<int:webhook_id>/deliveries/<int:notice_id>", methods=["POST"])
@allowed("account")
@bp.doc(parameters=[DOCUMENTED])
@bp.response(202, WebhookTestSchema)
def redeliver_webhook(webhook_id: int, notice_id: int) -> Response:
    """Send something there again, whatever has become of it."""
    _check_number(max(webhook_id, notice_id))
    done = desk().redeliver(player().id, webhook_id, notice_id, idempotency_key())
    return respond_once(done, 202, {"notice": done.made}, PRIVATE)
