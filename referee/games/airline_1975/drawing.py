from referee.contract import View
from referee.games.airline_1975.board import Board


def picture(board: Board, view: View) -> str:
    return "<svg xmlns='http://www.w3.org/2000/svg'/>"


def text(board: Board, view: View) -> str:
    return ""
