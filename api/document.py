"""The OpenAPI document as it is served: what flask-smorest has read off the views, and what goes for many of them.

That is: names that make good method names, who may do it, headers, conditions, the problems that an operation can
answer with, and examples, which are answers that the tests have recorded (api/examples.json).
"""

import json
import re
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

from flask import Flask

from api.problems import PROBLEM_JSON

VERSION = "1.1.0"  # of the API, not of the program: docs/api.md tells when which number goes up
EXAMPLES = Path(__file__).with_name("examples.json")
METHODS = ("get", "put", "post", "patch", "delete")

INTRODUCTION = (
    "Waybill referees games played by post. Sign up with `POST /v1/players`, send the token as a bearer token, open a"
    " game, ask for your options, send moves. What is refused says why, as an RFC 9457 problem, and changes nothing."
    "\n\n[The guide](docs/api.md) tells what this document does not, [the stream](docs/stream.md) how to follow a"
    " game, [clocks](docs/clocks.md) and [notices](docs/notices.md) all of their subjects."
)
INFO = {
    "title": "Waybill",
    "summary": "A referee for board games played by post.",
    "description": INTRODUCTION,
    "contact": {"name": "Whoever runs this service"},
    "license": {"name": "MIT", "identifier": "MIT"},
    "version": VERSION,
}

# Where the name of the view in camel case would not make a good method name.
OPERATION_IDS = {
    "players.me": "getMe",
    "players.tokens": "listTokens",
    "rulesets.rulesets": "listRulesets",
    "rulesets.ruleset": "getRuleset",
    "rulesets.ruleset_schema": "getRulesetSchema",
    "rulesets.rules": "getRules",
    "rulesets.rules_picture": "getRulesPicture",
    "games.game": "getGame",
    "games.join": "joinGame",
    "games.leave": "leaveGame",
    "games.start": "startGame",
    "seats.substitute": "takeOverSeat",
    "seats.come_back": "returnToSeat",
    "seats.offer": "offerSeat",
    "seats.hand_on": "changeHost",
    "seats.end": "endGame",
    "clocks.pause": "pauseGame",
    "clocks.resume": "resumeGame",
    "clocks.absence": "announceAbsence",
    "clocks.wait": "waitForDeadline",
    "sandbox.advance": "advanceGame",
    "sandbox.fork": "forkGame",
    "moves.options": "listOptions",
    "moves.options_after": "listOptionsAfter",
    "moves.move": "sendMoves",
    "replays.position": "getPosition",
    "replays.log": "getLog",
    "replays.board_svg": "getBoardSvg",
    "replays.board_png": "getBoardPng",
    "replays.board_txt": "getBoardText",
    "replays.game_record": "getRecord",
    "replays.scores": "getScores",
    "replays.reasons": "listReasons",
    "replays.transcript": "getTranscript",
    "replays.records": "listRecords",
    "notices.deliveries": "listDeliveries",
    "notices.show_preferences": "getPreferences",
    "press.read_press": "listPress",
    "press.blocks": "listBlocks",
    "press.block": "blockPlayer",
    "press.unblock": "unblockPlayer",
    "standing.standing_orders": "getStandingOrders",
    "standing.facts": "getFacts",
    "webhooks.show_webhook": "getWebhook",
    "push.subscribe": "createPushSubscription",
    "push.subscriptions": "listPushSubscriptions",
    "push.unsubscribe": "deletePushSubscription",
    "events.ticket": "issueTicket",
    "events.game_events": "streamGame",
    "events.events": "streamAllGames",
}

# Answers with an entity tag; those that are read can be asked for with If-None-Match.
TAGGED = frozenset(
    {
        "getGame",
        "getPosition",
        "getLog",
        "getScores",
        "listReasons",
        "getBoardSvg",
        "getBoardPng",
        "getBoardText",
        "listOptions",
        "listRulesets",
        "getRuleset",
        "getRulesetSchema",
        "getRules",
        "getRulesPicture",
        "getStandingOrders",
        "getFacts",
    }
)
TAGGED_IF_OVER = frozenset({"getRecord", "getTranscript"})
NOT_CONDITIONAL = frozenset({"getGame"})
TAGGED_WRITES = frozenset({"sendMoves", "listOptionsAfter"})
LOCATED = frozenset({"openGame", "forkGame", "createWebhook"})
# What cannot be seen from an operation's parameters.
MORE_PROBLEMS = {
    "confirmSignIn": (403, 404),
    "blockPlayer": (422,),
}
PAGED = frozenset(
    {
        "listGames",
        "getLog",
        "getScores",
        "listReasons",
        "listRecords",
        "listNotices",
        "listPress",
        "listWebhookDeliveries",
    }
)

# What stands in a path.
PATH_PARAMETERS = {
    "game_id": "The `id` of a game.",
    "key": "The `key` of a ruleset, as `GET /v1/rulesets` lists them.",
    "picture": "The name of a picture, as the rules have it.",
    "token_id": "The number of a token of yours.",
    "notice_id": "The number of a notice of yours.",
    "player_id": "The number of a player, which stays when names change.",
    "message_id": "The `id` of a message.",
    "webhook_id": "The number of a webhook of yours.",
    "subscription_id": "The number of a browser of yours that is told.",
}

# Events by name, with the type of their data.
STREAMS = {
    "/v1/games/{game_id}/events": {"position": "View", "row": "VisibleRow", "game": "StreamedGame", "bye": "Bye"},
    "/v1/events": {"row": "RowOfGame", "game": "StateOfGame", "notice": "Notice", "bye": "Bye"},
}

HEADERS: dict[str, tuple[str, dict[str, Any]]] = {
    "X-Request-ID": ("The number of this request in the logs: yours, if you sent one.", {"type": "string"}),
    "X-RateLimit-Limit": ("What your requests may cost together in a minute.", {"type": "integer"}),
    "X-RateLimit-Remaining": ("What is left of it.", {"type": "integer"}),
    "X-RateLimit-Cost": ("What this request cost.", {"type": "integer"}),
    "X-RateLimit-Reset": ("When it begins anew, in seconds since 1970.", {"type": "integer"}),
    "ETag": ("Send it back as `If-None-Match`, or, of a game, as `If-Match`.", {"type": "string"}),
    "Link": ('Where the next page is, if there is one: `<…>; rel="next"`.', {"type": "string"}),
    "Location": ("Where what was made, or what you ask for, is.", {"type": "string", "format": "uri-reference"}),
    "Retry-After": ("In how many seconds to try again.", {"type": "integer"}),
    "Idempotent-Replayed": (
        "`true` if this is the answer to an earlier request with the same key.",
        {"type": "string"},
    ),
    "WWW-Authenticate": ("How to say who you are.", {"type": "string"}),
}
ALWAYS = ("X-Request-ID", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Cost", "X-RateLimit-Reset")

IF_NONE_MATCH = {
    "in": "header",
    "name": "If-None-Match",
    "required": False,
    "description": "The `ETag` of what you have: if it is still that, the answer is an empty 304.",
    "schema": {"type": "string"},
}

# Every problem by status and name, and what it means. docs/api.md has the same with what to do.
PROBLEMS: dict[int, dict[str, str]] = {
    400: {"invalid-request": "The body is not JSON."},
    401: {"unauthorized": "There is no token, or it is not known."},
    403: {
        "missing-scope": "The token does not have the scope that this needs.",
        "no-seat": "You are not at this table.",
        "not-the-host": "Only the host of the game may do this.",
        "banned": "Whoever runs the service has shut you out.",
    },
    404: {"not-found": "It is not there, or not for you to know of."},
    405: {"method-not-allowed": "`Allow` names what is possible."},
    408: {"too-slow": "The body did not arrive in time; nothing was done."},
    409: {
        "conflict": "A name is taken, a seat is filled.",
        "wrong-status": "The game is not open, not running, or not paused.",
        "illegal-order": "The game does not ask you now, or is over.",
        "other-rules": "The game is played under rules that this version of the service does not have.",
    },
    412: {"stale": "The game has moved on."},
    413: {"too-large": "The request is too large."},
    415: {"unsupported-media-type": "The body is not said to be JSON."},
    422: {
        "invalid-request": "Something in the request is wrong; `errors` says what, field by field.",
        "invalid-order": "The order cannot be read.",
        "illegal-order": "The rules forbid it; `nearest` is a legal move like it.",
        "ambiguous-order": "The order can mean several things: `readings`.",
        "standing-orders": "Standing orders cannot be kept as they are; `errors` says what is wrong with which.",
        "key-reused": "The Idempotency-Key was used for another request.",
    },
    429: {"too-many-requests": "You have asked for too much; wait for `Retry-After` seconds."},
    500: {"internal-error": "Our fault: tell the operator the number in `detail`."},
    503: {"unavailable": "Wait for `Retry-After` seconds, then send it again with the same key."},
}
STATUS_NAMES = {
    400: "BadRequest",
    401: "Unauthorized",
    403: "Forbidden",
    404: "NotFound",
    408: "RequestTimeout",
    409: "Conflict",
    412: "PreconditionFailed",
    413: "ContentTooLarge",
    415: "UnsupportedMediaType",
    422: "UnprocessableContent",
    429: "TooManyRequests",
    503: "ServiceUnavailable",
}
HEADERS_OF_PROBLEMS = {401: ("WWW-Authenticate",), 429: ("Retry-After",), 503: ("Retry-After",)}


def finished(spec: dict[str, Any], app: Flask) -> dict[str, Any]:
    """The document from what flask-smorest makes of the views."""
    spec = deepcopy(spec)
    spec["info"] = INFO
    spec["servers"] = [{"url": "/", "description": "This service."}]
    for tag in spec["tags"]:
        tag["x-displayName"] = tag["name"].capitalize()
        tag["description"] = tag["description"] + "."
    components = spec["components"]
    del components["schemas"]["PaginationMetadata"]  # flask-smorest's, which nothing here has
    components["headers"] = {
        name: {"description": description, "schema": schema} for name, (description, schema) in HEADERS.items()
    }
    components["responses"] = problem_responses()
    components["parameters"] = {"If-None-Match": IF_NONE_MATCH}
    nearest = components["schemas"]["Problem"]["properties"]["nearest"]
    components["schemas"]["Problem"]["properties"]["nearest"] = {
        "description": nearest["description"],
        "anyOf": [ref("schemas", "Move"), {"type": "null"}],
    }
    endpoints = endpoints_of(app)
    for path, item in spec["paths"].items():
        for parameter in item.get("parameters", ()):
            parameter["description"] = PATH_PARAMETERS[parameter["name"]]
        for method in METHODS:
            if method in item:
                endpoint = endpoints[path, method]
                view = app.view_functions[endpoint]
                finish(item[method], method, item, endpoint, getattr(view, "scope", None))
    add_streams(spec)
    open_answers(spec)
    return spec


def add_streams(spec: dict[str, Any]) -> None:
    """What is answered at the address that `Location` names, where another server is. OpenAPI has no words for the
    events of a stream: `x-events` has the type of each one's `data`."""
    for path, kinds in STREAMS.items():
        events = {kind: ref("schemas", name) for kind, name in kinds.items()}
        content = {"text/event-stream": {"schema": {"type": "string"}, "x-events": events}}
        if path.startswith("/v1/games/"):
            content = {"application/json": {"schema": ref("schemas", "NewRows")}, **content}
        said = "The stream itself, at that address: server-sent events, or with `wait` the rows as JSON."
        spec["paths"][path]["get"]["responses"] = {
            "200": {"description": said, "content": content, "headers": {}},
            **spec["paths"][path]["get"]["responses"],
        }


def open_answers(spec: dict[str, Any]) -> None:
    """What is answered may get more fields one day, and whoever reads it must not mind; what is sent may not."""
    schemas = spec["components"]["schemas"]
    sent: set[str] = set()
    bodies = [
        item[method]["requestBody"]
        for item in spec["paths"].values()
        for method in METHODS
        if method in item
        if "requestBody" in item[method]
    ]
    waiting = references(bodies)
    while waiting:
        name = waiting.pop()
        if name not in sent:
            sent.add(name)
            waiting |= references(schemas[name])
    for name, schema in schemas.items():
        if name in sent:
            for one in schema.get("properties", {}).values():
                tell_default(one)
        elif schema.get("additionalProperties") is False:
            del schema["additionalProperties"]


def tell_default(schema: dict[str, Any]) -> None:
    """In words: openapi-typescript takes what has a default for something that has to be sent."""
    if "default" in schema:
        default = schema.pop("default")
        if default not in (None, "", [], {}):
            said = f"{schema['description']} " if "description" in schema else ""
            schema["description"] = f"{said}If it is not sent: `{json.dumps(default)}`."


def references(part: Any) -> set[str]:
    """The schemas that a part of the document names."""
    if isinstance(part, list):
        return set().union(*map(references, part))
    if not isinstance(part, dict):
        return set()
    found = set().union(*map(references, part.values()))
    return found | ({part["$ref"].rpartition("/")[2]} if isinstance(part.get("$ref"), str) else set())


def endpoints_of(app: Flask) -> dict[tuple[str, str], str]:
    """The endpoint of each path, as the document writes it, and method."""
    return {
        (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule), method.lower()): rule.endpoint
        for rule in app.url_map.iter_rules()
        for method in rule.methods or ()
    }


def operation_id(endpoint: str) -> str:
    """players.sign_up -> signUp."""
    if endpoint in OPERATION_IDS:
        return OPERATION_IDS[endpoint]
    first, *rest = endpoint.rpartition(".")[2].split("_")
    return first + "".join(word.capitalize() for word in rest)


def title_of(name: str) -> str:
    """signUp -> Sign up."""
    return re.sub(r"([A-Z])", lambda letter: " " + letter[1].lower(), name).capitalize()


def finish(operation: dict[str, Any], method: str, item: dict[str, Any], endpoint: str, scope: str | None) -> None:
    """One operation of the document."""
    name = operation["operationId"] = operation_id(endpoint)
    said = " ".join(filter(None, (operation.get("summary"), operation.get("description"))))
    operation["summary"] = title_of(name)
    operation["description"] = said + (f" Needs a token with the scope `{scope}`." if scope else "")
    if scope:
        operation["security"] = [{"bearer": []}]
    parameters = operation.setdefault("parameters", [])
    taken = {one.get("name") for one in parameters}
    responses = operation["responses"]
    if method == "get" and name in TAGGED | TAGGED_IF_OVER and name not in NOT_CONDITIONAL:
        parameters.append(ref("parameters", "If-None-Match"))
        responses["304"] = {"description": "You have it already.", "headers": headers("ETag", *ALWAYS)}
    if not parameters:
        del operation["parameters"]
    for status, response in responses.items():
        if status.isdecimal() and int(status) < 400 and status != "304":
            response["headers"] = headers(*headers_of(name, status, taken))
            add_example(response, name, status)
    add_request_example(operation, name)
    for status in statuses(operation, method, item, name, scope, taken):
        responses[str(status)] = ref("responses", STATUS_NAMES[status])
    # In the order in which a reader looks for them.
    operation["responses"] = dict(sorted(responses.items()))


def headers_of(name: str, status: str, parameters: set[Any]) -> tuple[str, ...]:
    found: tuple[str, ...] = ()
    if name in TAGGED | TAGGED_IF_OVER or name in TAGGED_WRITES:
        found += ("ETag",)
    if name in PAGED:
        found += ("Link",)
    if status == "307" or (name in LOCATED and status == "201"):
        found += ("Location",)
    if "Idempotency-Key" in parameters:
        found += ("Idempotent-Replayed",)
    return found + ALWAYS


def statuses(
    operation: dict[str, Any], method: str, item: dict[str, Any], name: str, scope: str | None, parameters: set[Any]
) -> list[int]:
    """The problems that an operation can answer with, as far as they are to be expected."""
    in_path = {one["name"] for one in item.get("parameters", ())}
    found = [429, 503, *MORE_PROBLEMS.get(name, ())]
    if scope or operation.get("security") != [{}] or method != "get":
        found += [401, 403]  # 403 also for who is banned
    if in_path or (scope and method != "get"):  # the player may be gone meanwhile
        found.append(404)
    if "game_id" in in_path or method != "get":
        found.append(409)
    if "If-Match" in parameters:
        found.append(412)
    if "requestBody" in operation:
        found += [400, 408, 413, 415]
    if "requestBody" in operation or any(one for one in parameters if one):
        found.append(422)
    return found


def ref(kind: str, name: str) -> dict[str, str]:
    return {"$ref": f"#/components/{kind}/{name}"}


def headers(*names: str) -> dict[str, Any]:
    return {name: ref("headers", name) for name in names}


def problem_responses() -> dict[str, Any]:
    """An answer for each status, with an example of each problem that has it; and one for all others."""
    found = {name: problem_response(status) for status, name in STATUS_NAMES.items()}
    others = [problem_response(status) for status in PROBLEMS if status not in STATUS_NAMES]
    found["DEFAULT_ERROR"] = {
        "description": "Any other problem. " + " ".join(one["description"] for one in others),
        "headers": headers("X-Request-ID"),
        "content": problem_content(
            {k: v for one in others for k, v in one["content"][PROBLEM_JSON]["examples"].items()}
        ),
    }
    return found


def problem_response(status: int) -> dict[str, Any]:
    kinds, known = PROBLEMS[status], recorded()["problems"].get(str(status), {})
    return {
        "description": " ".join(f"`{kind}`: {said}" for kind, said in kinds.items()),
        "headers": headers(*HEADERS_OF_PROBLEMS.get(status, ()), "X-Request-ID"),
        "content": problem_content(
            {kind: {"summary": said, "value": known[kind]} for kind, said in kinds.items() if kind in known}
        ),
    }


def problem_content(examples: dict[str, Any]) -> dict[str, Any]:
    return {PROBLEM_JSON: {"schema": ref("schemas", "Problem"), "examples": examples}}


@cache
def recorded() -> dict[str, Any]:
    """Answers that the tests have recorded: problems by name, and requests and answers by operation and status."""
    found: dict[str, Any] = json.loads(EXAMPLES.read_text("utf-8")) if EXAMPLES.exists() else {}
    return {"problems": {}, "operations": {}} | found


def add_example(response: dict[str, Any], name: str, status: str) -> None:
    known = recorded()["operations"].get(name, {}).get(status)
    if known is None or "content" not in response:
        return
    for kind, content in response["content"].items():
        if kind == known["type"]:
            content["examples"] = {"recorded": {"summary": title_of(name), "value": known["answer"]}}


def add_request_example(operation: dict[str, Any], name: str) -> None:
    known = recorded()["operations"].get(name, {})
    for content in operation.get("requestBody", {}).get("content", {}).values():
        requests = {status: one["request"] for status, one in known.items() if "request" in one}
        if requests:
            content["examples"] = {
                f"answered_{status}": {"summary": f"{title_of(name)}: {status}", "value": body}
                for status, body in requests.items()
            }
