from pathlib import Path

import pytest

from commands._conversation import news
from referee.games import all_games, board_text

PLAY = ("play", "airlines-europe", "--seed", "0011")


def test_without_a_game_the_games_are_listed(waybill):
    done = waybill("play")
    assert done.returncode == 0
    assert all(key in done.stdout for key in all_games())


def test_a_whole_piped_game_ends_with_the_scores_and_a_record(game):
    path, seen = game
    assert "The game ended with the third scoring." in seen
    assert [line[:4] for line in seen.splitlines() if line.startswith(("  1. ", "  2. ", "  3. "))][:1] == ["  1."]
    assert f"Saved as {path}." in seen
    assert path.stat().st_size > 10_000


def test_the_same_seed_and_orders_give_the_same_record(waybill, game, tmp_path):
    again = tmp_path / "again.jsonl"
    waybill(*PLAY, "--record", again, stdin="1\n" * 2000)
    assert again.read_bytes() == game[0].read_bytes()


def test_a_player_is_not_shown_the_hands_of_others(game):
    _, seen = game
    assert "Bob is dealt 8 shares." in seen
    assert "Bob draws a share from the pile." in seen


def test_the_end_of_the_input_ends_the_game_politely(waybill):
    done = waybill(*PLAY, stdin="1\n")
    assert done.returncode == 1
    assert "The input ended before the game did." in done.stdout
    assert "--seed 0011" in done.stdout
    assert "Traceback" not in done.stderr


def test_quit_saves_what_was_played(waybill, tmp_path):
    path = tmp_path / "begun.jsonl"
    done = waybill(*PLAY, "--record", path, stdin="1\nquit\n")
    assert done.returncode == 0
    assert "The game is not over, so its seed is not in it." in done.stdout
    assert path.exists()


def test_a_mistake_is_explained_with_rule_and_a_legal_order_that_costs_nothing(waybill):
    seen = waybill(*PLAY, stdin="1\nbuy London-Paris for white\na\nlog\nquit\n").stdout
    assert "London-Paris is not connected to Moscow, the home airport of white. (Purchase rule 1)" in seen
    assert "Possible instead:\n  a  take money" in seen
    assert "Ann takes 8 million" in seen


def test_an_ambiguous_order_can_be_chosen_by_letter(waybill):
    seen = waybill(*PLAY, stdin="choose b, red\nb\nquit\n").stdout
    assert "That can mean:\n  a  choose blue, red\n  b  choose black, red\n" in seen
    assert "Ann begins with black and red." in seen


def test_a_near_miss_is_told_how_it_was_read(waybill):
    assert "Read as: choose blue, red" in waybill(*PLAY, stdin="choose bleu & red\nquit\n").stdout


def test_help_options_log_undo_and_a_wrong_number(waybill):
    seen = waybill(*PLAY, stdin="help\n99\n1\noptions\nundo\nlog\nback\nboard\n\n# a remark\nquit\n").stdout
    assert "buy ROUTE for AIRLINE  (not now)" in seen
    assert "The menu has the numbers 1 to 10." in seen
    assert "ROUTE: Riga-Moscow, St. Petersburg-Moscow, Kiev-Moscow" in seen
    assert "Moves stand: there is no undo." in seen
    assert seen.count("Ann is dealt") == 2


def test_a_bare_number_is_the_amount_where_only_that_is_missing(waybill):
    seen = waybill("play", "tin-goose", "--seed", "0011", stdin="99\n5\nquit\n").stdout
    assert "bid AMOUNT  AMOUNT: 0 to 40; everybody pays" in seen
    assert "begins each round; the number is enough" in seen
    assert "> 99\n  bid 99\nBid from $0 to $40" in seen
    assert "> 5\n  bid 5\n  Sealed." in seen


def test_after_a_refusal_the_same_numbers_mean_the_same(waybill):
    seen = waybill(*PLAY, stdin="choose white, white\nchoose b, red\n1\nquit\n").stdout
    assert "  1  choose black, blue  " in seen
    assert "> 1\n  choose black, blue\n" in seen


def test_resigning_has_no_number_and_is_asked_back(waybill):
    play = ("play", "airline-1975", "--seed", "0011")
    seen = waybill(*play, stdin="18\nresign\nno\nlog\nres\nyes\nlog\n").stdout
    assert "The menu has the numbers 1 to 17." in seen
    assert "\n     resign\n" in seen
    assert "Write yes if you mean it: no\nNothing was done; you are still in the game." in seen
    stayed, left = seen.split("> res\n")
    assert "Ann leaves the game." not in stayed
    assert "Ann leaves the game." in left


def test_the_table_comes_again_only_where_others_have_changed_it(game):
    _, seen = game
    first, *later = seen.split("\nAIRLINES EUROPE, after move ")[1:-1]
    assert all(heading in first for heading in ("YOU have ", "MARKET: ", "Colour "))
    assert all("Board reconstructed-v1" not in table for table in later), "what never changes is not told again"
    assert max(len(prompt.splitlines()) for prompt in seen.split("\n> ")[1:-1]) < 80


def test_of_a_changed_table_the_entries_that_differ_are_told():
    before = "GAME, after move 1\n\nPLAYERS\nAnn: 3.\n  Hand: none.\nBob: 4.\n\nMAP\nA  B\nC  D\n\nThe end.\n"
    after = "GAME, after move 2\n\nPLAYERS\nAnn: 3.\n  Hand: red.\nBob: 4.\n\nMAP\nA  B\nC  E\n\nThe end.\n"
    assert news(before, after) == "GAME, after move 2\n\nPLAYERS\nAnn: 3.\n  Hand: red.\n\nMAP\nA  B\nC  E"
    assert news(before, before.replace("move 1", "move 2")) == ""


def test_menus_stay_short_and_lead_to_complete_orders(waybill):
    seen = waybill(*PLAY, stdin="1\n1\n8\n1\nquit\n").stdout
    assert "  1  buy ROUTE for AIRLINE                        35 orders" in seen
    assert "  8  buy ROUTE for white   ROUTE: Riga-Moscow, St. Petersburg-Moscow, Kiev-Moscow" in seen
    assert "Ann buys a licence Riga-Moscow for white" in seen


def test_players_at_one_screen_each_see_their_own_hand(waybill):
    seen = waybill(*PLAY, "--seats", "me,me,random", stdin="1\n1\nquit\n").stdout
    ann, bob, *_ = seen.split("\n== ")[1:]
    assert "Bob is dealt 8 shares." in ann
    assert "Ann is dealt 8 shares." in bob
    assert "Ann begins with" not in bob, "a sealed choice is not told before the reveal"


def test_a_board_of_ones_own_is_in_the_record(waybill, tmp_path):
    board, record = tmp_path / "mine.yaml", tmp_path / "game.jsonl"
    board.write_text(board_text(all_games()["airlines-europe"]).replace("name: reconstructed-v1", "name: mine", 1))
    done = waybill(*PLAY, "--board", board, "--record", record, stdin="1\n" * 2000)
    assert done.returncode == 0
    assert "Board: mine" in done.stdout
    assert waybill("verify", record).stdout.startswith(f"{record}: verified: Airlines Europe, 3 players")


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (["airline-europe"], "did you mean 'airlines-europe'?"),
        (["airlines-europe", "--seats", "me"], "is for 2 to 5 players; --seats names 1."),
        (["airlines-europe", "--seats", "me,robot"], "A seat is one of: me, random; not 'robot'."),
        (["airlines-europe", "--seats", "me=Ann,me=Ann"], "Two players have the same name"),
        (["airlines-europe", "--seed", "xyz"], "hexadecimal"),
        (["airlines-europe", "--set", "start_player"], "a setting is written NAME=VALUE."),
        (["airlines-europe", "--set", "start_plaier=first"], "did you mean 'start_player'?"),
        (["airlines-europe", "--set", "start_player=last"], "start_player first or random"),
        (["airlines-europe", "--board", "/no/such/file"], "cannot be read"),
        (["airlines-europe", "--record", "/no/such/folder/game.jsonl"], "is not a folder"),
        (["airlines-europe", "--record", __file__], "is there already"),
    ],
)
def test_a_wrong_command_line_is_answered_before_the_game(waybill, arguments, answer):
    done = waybill("play", *arguments)
    assert done.returncode == 2
    assert answer in done.stderr
    assert done.stdout == ""


def test_settings_reach_the_game(waybill, tmp_path):
    path = tmp_path / "game.jsonl"
    waybill(*PLAY, "--set", "jitter=true", "--record", path, stdin="quit\n")
    assert '"jitter":true' in Path(path).read_text()


def test_board_tells_the_news_first_and_board_full_everything(waybill):
    seen = waybill(*PLAY, stdin="1\n1\nboard\nboard full\nboard nowhere\nquit\n").stdout
    asked = seen.split("> board\n")[1]
    short, _, rest = asked.partition("> board full\n")
    full, _, wrong = rest.partition("> board nowhere\n")
    assert short.lstrip().startswith("SINCE YOUR LAST MOVE\n")
    assert full.lstrip().startswith("SINCE YOUR LAST MOVE\n")
    assert "Board reconstructed-v1" in full
    assert wrong.startswith("There is no 'nowhere' on the board; there is: full")


def test_help_names_the_whole_table(waybill):
    assert "board full is the whole table" in waybill(*PLAY, stdin="help\nquit\n").stdout
