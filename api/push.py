"""Web push: browsers that are told what you are told, also while the page is closed."""

from http import HTTPStatus
from typing import Any

from flask import Response, current_app

from api.access import allowed, db, player
from api.blueprint import Blueprint
from api.idempotency import DOCUMENTED, idempotency_key, respond_once
from api.problems import refuse
from schemas.notices import LARGEST_NUMBER
from schemas.push import NewPushSubscriptionSchema, PushSubscriptionSchema, PushSubscriptionsSchema
from service import push
from service.push import NO_SUCH_SUBSCRIPTION, Desk

bp = Blueprint("push", __name__, url_prefix="/v1", description="Web push: your browsers are told what you are told")

PRIVATE = {"Cache-Control": "private, no-store", "Vary": "Authorization"}


def desk() -> Desk:
    found: Desk = current_app.extensions["push"]
    return found


@bp.route("/push-subscriptions", methods=["POST"])
@allowed("account")
@bp.doc(parameters=[DOCUMENTED])
@bp.arguments(NewPushSubscriptionSchema)
@bp.response(201, PushSubscriptionSchema)
def subscribe(body: dict[str, Any]) -> Response:
    """Tell a browser, by web push. The same browser again takes the place of what it was before."""
    keys = body["keys"]
    done = desk().subscribe(
        player().id, body["endpoint"], keys["p256dh"], keys["auth"], body["label"], idempotency_key()
    )
    return respond_once(done, 201, PushSubscriptionSchema().dump(done.made), PRIVATE)


@bp.route("/push-subscriptions")
@allowed("account")
@bp.response(200, PushSubscriptionsSchema)
def subscriptions() -> Any:
    """Your browsers that are told, and the key with which another subscribes."""
    vapid = desk().vapid
    with db().session() as session:
        found = push.of_player(session, player().id)
    return {"key": vapid and vapid.public_key, "subscriptions": found}, 200, PRIVATE


@bp.route("/push-subscriptions/<int:subscription_id>", methods=["DELETE"])
@allowed("account")
@bp.response(204)
def unsubscribe(subscription_id: int) -> Any:
    """Tell this browser nothing any more."""
    if subscription_id > LARGEST_NUMBER:
        refuse(HTTPStatus.NOT_FOUND, "not-found", NO_SUCH_SUBSCRIPTION)
    with db().transaction() as transaction:
        push.unsubscribe(transaction, player().id, subscription_id)
    return Response(status=204)
