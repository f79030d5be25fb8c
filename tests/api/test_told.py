"""What players are told of what others do: from the request over the outbox to the feed and to letters."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
import redis

from runtime import wall_clock
from runtime.config import Config
from runtime.post import LocalBox
from service import deliveries, notices, phases, seats
from service.channels import Channels
from service.looking import Looking
from service.mail_out import MailChannel
from service.preferences import KINDS
from tests.api.conftest import Person, Service

DAY = 24 * 3600
HOUR = 3600
DRAWN = ("your_turn", "phase_opened", "revealed", "game_over")  # with a picture each, which is not what is looked at


class House:
    """The service with its post: what was sent to whom."""

    def __init__(self, service: Service, box: LocalBox, config: Config) -> None:
        self.service, self.box = service, box
        self.channels = Channels(MailChannel(service.db, box, "waybill.test"))
        self.looking = Looking(redis.Redis.from_url(config.redis_url))
        self.read: dict[int, int] = {}

    def person(self) -> Person:
        return self.with_address(self.service.sign_up())

    def with_address(self, person: Person) -> Person:
        with self.service.db.session() as session:
            session.run("update players set email = %s where id = %s", f"p{person.id}@example.org", person.id)
        kinds = {kind: {"channels": ["feed"] if kind in DRAWN else ["feed", "mail"]} for kind in KINDS}
        self.prefer(person, kinds=kinds, while_looking=True)
        return person

    def prefer(self, person: Person, **choices: Any) -> None:
        assert person.send("PATCH", "/v1/me/preferences", json=choices).status_code == 200

    def open_game(self, people: int = 3, **options: Any) -> tuple[str, list[Person]]:
        game_id, persons = self.service.open_game(people, **options)
        if not options.get("bots"):
            self.service.play_opening(game_id, persons)
        notices.pass_on(
            self.service.db, self.channels, seconds=60
        )  # while nobody has an address: it is not what is looked at
        for person in persons:
            self.with_address(person)
            self.read[person.id] = max(one["id"] for one in person.get("/v1/notices").json["notices"])
        return game_id, persons

    def news(self, person: Person) -> list[dict[str, Any]]:
        """What a person was told since the last time, by the feed, oldest first; the same must be in letters."""
        notices.pass_on(self.service.db, self.channels, seconds=60)
        while deliveries.deliver_due(self.service.db, self.channels, self.looking, patience=20):
            pass
        items = person.get("/v1/notices?limit=100").json["notices"]
        new = sorted((one for one in items if one["id"] > self.read.get(person.id, 0)), key=lambda one: one["id"])
        self.read[person.id] = max([self.read.get(person.id, 0), *(one["id"] for one in new)])
        sent = {number for letter in self.letters(person) for number in map(int, letter["X-Waybill-Notices"].split())}
        for one in new:  # a letter for each, unless it had become superfluous
            states = person.get(f"/v1/notices/{one['id']}/deliveries").json
            mails = [each["state"] for each in states if each["channel"] == "mail"]
            assert (mails == ["delivered"]) == (one["id"] in sent)
            assert bool(mails) == (one["kind"] not in DRAWN) or mails == ["dropped"]
        return new

    def letters(self, person: Person, news: list[dict[str, Any]] | None = None) -> list[EmailMessage]:
        """All letters to a person, or those that tell of some news."""
        mine = [letter for letter in self.box.letters() if letter["To"] == f"p{person.id}@example.org"]
        wanted = None if news is None else {str(one["id"]) for one in news}
        return [one for one in mine if wanted is None or wanted & set(one["X-Waybill-Notices"].split())]

    def texts(self, person: Person, news: list[dict[str, Any]] | None = None) -> list[str]:
        return [" ".join(one.get_body(("plain",)).get_content().split()) for one in self.letters(person, news)]


@pytest.fixture
def house(service: Service, tmp_path: Path, config: Config) -> Iterator[House]:
    yield House(service, LocalBox(tmp_path / "mail"), config)
    wall_clock.shift(0)


def kinds(news: list[dict[str, Any]]) -> list[str]:
    return [one["kind"] for one in news]


def summaries(news: list[dict[str, Any]]) -> list[str]:
    return [one["summary"] for one in news]


def others(persons: list[Person], *without: Person) -> list[Person]:
    return [person for person in persons if person not in without]


def test_an_absence_and_the_deadline_that_it_moves_are_told(house: House) -> None:
    game_id, persons = house.open_game(clock={"time": DAY})
    away = house.service.in_turn(game_id, persons)
    begin, until = (wall_clock.now().replace(microsecond=0).isoformat(), "2030-01-01T00:00:00Z")
    refused = away.post(f"/v1/games/{game_id}/absence", {"from": begin, "until": until})
    assert refused.status_code == 422
    assert house.news(persons[0]) == [], "nothing is told of what was refused"
    answer = away.post(f"/v1/games/{game_id}/absence", {"from": begin, "until": _in(hours=30)})
    assert answer.status_code == 201, answer.text
    for person in others(persons, away):
        absence, moved = house.news(person)
        assert (absence["kind"], absence["summary"]) == ("absence", f"{away.name} will be away.")
        assert absence["detail"]["until"] in answer.text.replace("Z", "+00:00")
        assert (moved["kind"], moved["due_at"]) == ("deadline_moved", answer.json["due_at"])
        assert f"{away.name} will be away." in house.texts(person, [absence])[0]
    assert kinds(house.news(away)) == ["deadline_moved"]


def test_an_undo_that_is_asked_for_and_granted_is_told(house: House) -> None:
    game_id, persons = house.open_game(undo="consent")
    mover = house.service.in_turn(game_id, persons)
    default = mover.get(f"/v1/games/{game_id}/options").json["default"]
    assert mover.post(f"/v1/games/{game_id}/moves", {"moves": [default]}).status_code == 201
    for person in persons:
        house.news(person)
    assert mover.post(f"/v1/games/{game_id}/undo", {"to": 1}).status_code == 200
    for person in others(persons, mover):
        assert summaries(house.news(person)) == [f"{mover.name} asks to take a move back."]
    assert house.news(mover) == []
    for person in others(persons, mover):
        assert person.post(f"/v1/games/{game_id}/undo", {}).status_code == 200
    told = {person.id: kinds(house.news(person)) for person in persons}
    assert told[mover.id] == ["undo_asked", "your_turn"], "the last consent was not asked for, it was given"
    for person in others(persons, mover):
        assert told[person.id][-1] == "undone"


def test_a_substitute_takes_a_seat_over_and_all_are_told_who_had_it_last(house: House) -> None:
    game_id, persons = house.open_game(clock={"time": DAY, "late": {"cool_off": HOUR}})
    former, new = house.service.in_turn(game_id, persons), house.person()
    path = f"/v1/games/{game_id}"
    assert former.send("DELETE", f"{path}/seats/me").status_code == 200
    for person in others(persons, former):
        news = [one for one in house.news(person) if one["kind"] not in ("host_changed", "your_turn")]
        assert summaries(news) == [
            f"{former.name} has left.",
            f"A bot plays on for {former.name}.",
            f"For {former.name} a substitute is wanted.",
        ]
    assert house.news(former) == []

    seat = persons.index(former)
    assert new.post(f"{path}/substitute", {}).status_code == 200
    (soon,) = house.news(former)
    assert (soon["kind"], soon["summary"]) == (
        "replaced",
        "Somebody is to play on in your place. Until then you may return.",
    )
    assert "To return, answer this mail" in house.texts(former, [soon])[0]
    assert house.news(new) == []
    for person in others(persons, former):
        house.news(person)

    wall_clock.shift(HOUR + 1)
    seats.seat_substitutes(house.service.db)
    (gone,) = house.news(former)
    assert (gone["summary"], gone["seat"]) == (f"{new.name} plays on in your place.", None)
    mine = house.news(new)
    assert "The seat is yours now: you play on." in summaries(mine)
    assert {one["seat"] for one in mine} == {seat}
    assert (mine[-1]["kind"] == "your_turn") == (seat in new.get(path).json["to_act"])
    for person in others(persons, former):
        assert f"{new.name} plays on in another's place." in summaries(house.news(person))


def test_who_waits_for_a_seat_is_told_that_its_player_is_back(house: House) -> None:
    game_id, persons = house.open_game(clock={"time": DAY, "late": {"cool_off": DAY}})
    former, new = persons[1], house.person()
    former.send("DELETE", f"/v1/games/{game_id}/seats/me")
    new.post(f"/v1/games/{game_id}/substitute", {})
    for person in (*persons, new):
        house.news(person)
    assert former.post(f"/v1/games/{game_id}/return").status_code == 200
    for person in others(persons, former):
        assert summaries(house.news(person))[:1] == [f"{former.name} is back."]
    assert summaries(house.news(new)) == [f"{former.name} is back, and plays on. You are not needed any more."]


def test_a_player_who_is_named_in_an_offer_is_told(house: House) -> None:
    game_id, persons = house.open_game(2, bots=1, private=True)
    friend, path = house.person(), f"/v1/games/{game_id}"
    assert persons[0].post(f"{path}/offer", {"seat": 2, "name": friend.name}).status_code == 200
    (asked,) = house.news(friend)
    bot = persons[0].get(path).json["seats"][2]["name"]
    assert (asked["kind"], asked["summary"]) == ("invited", f"You are asked to play on for {bot}.")
    assert f"SUBSTITUTE {game_id}" in house.texts(friend)[0]
    assert persons[0].post(f"{path}/offer", {"seat": 2, "name": friend.name}).status_code == 200
    assert kinds(house.news(friend)) == ["invited"], "asked again is told again"
    assert friend.post(f"{path}/substitute", {}).status_code == 200
    assert summaries(house.news(friend))[0] == "The seat is yours now: you play on."


def test_who_loses_a_seat_by_being_late_is_told_and_shown_nothing_by_it(house: House) -> None:
    game_id, persons = house.open_game(clock={"time": DAY, "late": {"remind": True, "hand_over_after": 1}})
    late = house.service.in_turn(game_id, persons)
    seat = persons.index(late)
    wall_clock.shift(DAY / 2 + 60)
    assert phases.time_out(house.service.db, game_id) is None
    assert kinds(house.news(late)) == ["reminder"]
    wall_clock.shift(DAY + 60)
    assert phases.time_out(house.service.db, game_id)
    news = house.news(late)
    assert kinds(news) == ["late", "replaced"]
    assert summaries(news)[1] == "A bot plays on in your place. You may return until somebody takes the seat over."
    assert {one["seat"] for one in news} == {None}
    (letter,) = house.letters(late, news)
    assert (letter["Reply-To"] or "me+").startswith("me+"), "an answer does not speak for the seat"
    assert [part.get_content_type() for part in letter.walk() if part.get_content_maintype() == "image"] == []
    assert "Your" not in letter.get_body(("plain",)).get_content().partition("Your time was up")[2]
    for person in others(persons, late):
        assert f"A bot plays on for {late.name}." in summaries(house.news(person))
    assert persons[0].get(f"/v1/games/{game_id}").json["seats"][seat]["kind"] == "bot"


def test_a_question_to_a_seat_that_changed_hands_goes_to_nobody_who_lost_it(house: House) -> None:
    """The letter was on its way when the seat went: it would show the hand that another has now."""
    game_id, persons = house.open_game(clock={"time": DAY})
    mover = house.service.in_turn(game_id, persons)
    default = mover.get(f"/v1/games/{game_id}/options").json["default"]
    mover.post(f"/v1/games/{game_id}/moves", {"moves": [default]})
    asked = house.service.in_turn(game_id, persons)
    house.prefer(asked, kinds={"your_turn": {"channels": ["feed", "mail"]}})
    notices.pass_on(house.service.db, house.channels)
    before = len(house.letters(asked))
    asked.send("DELETE", f"/v1/games/{game_id}/seats/me")
    deliveries.deliver_due(house.service.db, house.channels, house.looking, patience=20)  # before anybody is told of it
    (turn,) = [one for one in house.news(asked) if one["kind"] == "your_turn"]
    assert turn["seat"] is None
    (mail,) = [each for each in asked.get(f"/v1/notices/{turn['id']}/deliveries").json if each["channel"] == "mail"]
    assert (mail["state"], mail["reason"]) == ("dropped", "The seat is another's now.")
    assert len(house.letters(asked)) == before


@pytest.mark.parametrize(
    ("act", "expected"),
    [
        (lambda host, path, other: host.post(f"{path}/pause"), "The game is paused."),
        (lambda host, path, other: host.post(f"{path}/host", {"player": other.id}), "{other} is the host now."),
        (lambda host, path, other: host.post(f"{path}/press", {"text": "Well met."}), "{host} has written."),
        (lambda host, path, other: host.post(f"{path}/end"), "The game is over."),
    ],
    ids=["pause", "host", "press", "end"],
)
def test_the_hosts_words_are_told_to_all_others(house: House, act: Callable, expected: str) -> None:
    game_id, persons = house.open_game()
    host, other, third = persons
    assert act(host, f"/v1/games/{game_id}", other).status_code in (200, 201)
    sentence = expected.format(host=host.name, other=other.name)
    assert summaries(house.news(third)) == [sentence]
    assert summaries(house.news(other)) == ["You are the host now." if "is the host" in sentence else sentence]


def _in(hours: int) -> str:
    return (wall_clock.now().replace(microsecond=0) + timedelta(hours=hours)).isoformat()
