"""The picture and the words of a table of Mail Run; the rest is in tests/conformance."""

from tests.pictures import labels
from tests.positions import seal, table
from tests.referee.games.mail_run.setups import BOARD, KEY, at


def test_every_city_is_named_on_the_map():
    current = at()
    words = {words for words, _ in labels(current.game.picture(current.view()))}
    assert {city.name for city in BOARD.cities} <= words


def test_a_hand_is_shown_to_its_player_alone():
    current = at(hands=[["dover", "east_end"], ["colby"]])
    for show in (current.game.picture, current.game.text):
        assert "In hand: Dover, East End" in " ".join(show(current.view(0)).split())
        assert "In hand" not in show(current.view())
        assert "2 letters in hand" in show(current.view())


def test_a_bid_that_has_come_in_is_told_without_what_it_is():
    current = table(KEY, 2)
    current.submit(0, ["bid 5"])
    for show in (current.game.picture, current.game.text):
        assert "Sealed: 1 of 2 have come in." in show(current.view())
    seal(current, "bid 5", "bid 0")
    assert "1 coin, 0 delivered" in current.game.text(current.view())
