import redis

from runtime.config import Config
from service import hints
from service.hints import Hints
from tests.waiting import wait_until


def test_hints_are_silent_while_nobody_listens_and_heard_again_soon_after_somebody_does(config: Config, monkeypatch):
    monkeypatch.setattr(hints, "CHANNEL", "waybill:test-hints")  # channels are those of the whole server
    ours = Hints(config.redis_url, silent_seconds=60)
    ours.changed("one")
    wait_until(lambda: ours.is_silent)
    pubsub = redis.Redis.from_url(config.redis_url).pubsub(ignore_subscribe_messages=True)
    pubsub.subscribe(hints.CHANNEL)
    wait_until(lambda: pubsub.subscribed and pubsub.get_message(timeout=1) is None)
    ours.changed("two")
    assert pubsub.get_message(timeout=0.1) is None, "nobody has heard the last hint, and this costs the mover nothing"

    soon = Hints(config.redis_url, silent_seconds=0.1)

    def is_heard() -> bool:
        soon.changed("three")
        message = pubsub.get_message(timeout=0.05)
        return bool(message and message["data"] == b"three")

    wait_until(is_heard)
    assert not soon.is_silent
    pubsub.close()
    wait_until(lambda: soon.changed("four") or soon.is_silent)
    wait_until(lambda: not soon.is_silent)
