import pytest

from commands.boards import unplayable
from referee.games import all_games, board_text, load_board

SHIPPED = board_text(all_games()["airlines-europe"])


@pytest.fixture
def check(waybill, tmp_path):
    def run(text: str):
        path = tmp_path / "mine.yaml"
        path.write_text(text, encoding="utf-8")
        return waybill("boards", "check", path)

    return run


def line_of(text: str, part: str) -> int:
    return next(number for number, line in enumerate(text.splitlines(), 1) if part in line)


def test_boards_are_listed_and_shown(waybill):
    assert "airlines-europe: reconstructed-v1" in waybill("boards", "list").stdout
    assert waybill("boards").stdout == waybill("boards", "list").stdout
    assert waybill("boards", "show", "airlines-europe").stdout == SHIPPED
    unknown = waybill("boards", "show", "airlines-eu")
    complaint = "there is no game 'airlines-eu'; did you mean 'airlines-europe'?\n"
    assert (unknown.returncode, unknown.stderr) == (2, complaint)


def test_the_shipped_board_is_good(check):
    done = check(SHIPPED)
    assert done.returncode == 0
    assert "is a good board for Airlines Europe: 30 cities, 10 airlines, 57 routes" in done.stdout


def test_every_mistake_in_the_shape_is_told_with_its_line(check):
    text = SHIPPED.replace("lat: 64.15", "lat: north").replace("home: madrid,", "hom: madrid,", 1)
    text = text.replace("start_cash: 8", "start_cash: 8.5").replace("licences: [6, 7]", "licences: [6, x]", 1)
    done = check(text)
    assert done.returncode == 1
    for part, problem in (
        ("lat: north", "cities[0].lat: Expected a number, got text"),
        ("hom: madrid", "airlines[0].hom: this key is not known; did you mean 'home'?"),
        ("hom: madrid", "airlines[0].home: missing"),
        ("licences: [6, x]", "routes[0].licences[1]: Expected a whole number, got text"),
        ("start_cash: 8.5", "constants.start_cash: Expected a whole number, got a number"),
    ):
        assert f"line {line_of(text, part)}: {problem}" in done.stderr
    assert "5 problems." in done.stderr


def test_every_bad_reference_is_told_with_its_line(check):
    text = SHIPPED.replace("home: madrid,", "home: madird,", 1).replace("b: zurich,", "b: zürich,", 1)
    done = check(text)
    assert done.returncode == 1
    assert f"line {line_of(text, 'madird')}: airlines.yellow.home: there is no city 'madird'" in done.stderr
    assert f"line {line_of(text, 'b: zürich')}: routes.paris-zürich: there is no city 'zürich'" in done.stderr


NINE_ACTIONS = board_text(all_games()["tin-goose"]).replace("  actions: 3", "  actions: 9")  # more than there are


def test_a_board_on_which_no_game_can_be_played_is_found_out():
    game_type = all_games()["tin-goose"]
    problems = unplayable(game_type, load_board(game_type, NINE_ACTIONS))
    assert "a test game for 3 players broke off" in problems[0]


def test_a_board_against_the_rulebook_is_told_the_fact(check):
    done = check(NINE_ACTIONS)
    assert done.returncode == 1
    assert "A turn has three actions (TG-F13)" in done.stderr


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("", "A board file is a mapping"),
        ("- a\n- b\n", "A board file is a mapping"),
        ("game: [a\nb: c\n", "line 2, column 2: this is not YAML"),
        ("game: airlines-europe\nname: a\nname: b\n", "line 3: the key 'name' is given twice"),
        ("game: airlines-europ\n", "did you mean 'airlines-europe'?"),
        ("name: mine\n", "game: missing; the games are:"),
        ("game: airlines-europe\n", "cities: missing"),
        ("a: &a [1]\nb: *a\n", "anchors and aliases"),
        ("[" * 2000, "line 1: this is nested more than 12 deep"),
        ("game: \x01\n", "This is not YAML"),
    ],
)
def test_what_is_no_board_gets_a_clear_answer(check, text, answer):
    done = check(text)
    assert done.returncode == 1
    assert answer in done.stderr
    assert "Traceback" not in done.stderr


def test_a_file_that_cannot_be_read_gets_a_clear_answer(waybill, tmp_path):
    assert "cannot be read: No such file" in waybill("boards", "check", tmp_path / "none.yaml").stderr
    (tmp_path / "latin.yaml").write_bytes(b"name: Z\xfcrich\n")
    assert "is not UTF-8 text (byte 7)" in waybill("boards", "check", tmp_path / "latin.yaml").stderr
