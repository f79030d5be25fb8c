"""Marks and parts: what a move can name is marked in the picture of whoever may choose it, and the parts of a picture
hold together what the whole holds.

A mark says which value of which field something stands for (`data-mark="route london-paris"`), so that a client can
light up what is on offer. A game without `parts` is not ready for this and is passed.
"""

import html
import re
from collections.abc import Iterable, Iterator
from typing import Any

from referee.conformance.playing import Broken, moments, one_of, where, who
from referee.contract import PARTS
from referee.options import Bag, Domain, Offer, OneOf, Pick, Rng, Way, fields_of
from referee.table import AnyGame, Table

MARK = re.compile(r'data-mark="([^"]*)"')

Mark = tuple[str, str]  # field and value


def check_marks(game: AnyGame, rng: Rng, every: int = 1) -> None:
    """Every value on offer that has a place has its mark in the picture of the seat that may choose it; no mark names
    what there is not; parts and whole hold the same marks."""
    if not game.parts:
        return
    check_names(game)
    for moment, close_look in moments(game, rng, every):
        if close_look:
            table = moment.table
            asked = sorted({decision.seat for decision in table.decisions()})
            seat = one_of(asked or (None,), rng)
            drawn = marks(game.picture(table.view(seat)))
            offers = table.offers(seat) if seat is not None else []
            check_offered(table, seat, offers, drawn)
            check_known(table, seat, offers, drawn)
            check_parts(table, seat, drawn)


def check_names(game: AnyGame) -> None:
    """Parts have the names that they have everywhere, and marked fields are fields of moves."""
    unknown = [part for part in game.parts if part not in PARTS]
    if unknown:
        raise Broken(f"{game.name}: there is no part {unknown[0]!r}: parts are called {', '.join(PARTS)} in every game")
    fields = {field.name for kind in game.move_types for field in fields_of(kind)}
    strange = sorted(set(game.marked).difference(fields))
    if strange:
        raise Broken(f"{game.name}: `marked` names {strange[0]!r}, which is a field of no move")


def check_offered(table: Table, seat: int | None, offers: Iterable[Offer], drawn: set[Mark]) -> None:
    marked = table.game.marked
    for offer in offers:
        for field in marked.keys() & offer.domains.keys():
            for value in choices(offer.domains[field]):
                if str(value) not in marked[field] and (field, str(value)) not in drawn:
                    raise Broken(
                        f"{where(table)}: {who(seat)} may choose the {field} {value!r} for {offer.move.__name__}, and "
                        f"its picture has no mark for it (`mark({field!r}, {value!r}, …)`, or name it in `marked` as "
                        "having no place)"
                    )


def check_known(table: Table, seat: int | None, offers: Iterable[Offer], drawn: set[Mark]) -> None:
    """A mark is of a value that the game has a word for, or that is on offer."""
    game = table.game
    offered = {
        (field, str(value)) for offer in offers for field, domain in offer.domains.items() for value in choices(domain)
    }
    for field, value in sorted(drawn):
        if value not in game.vocabulary.get(field, {}) and (field, value) not in offered:
            raise Broken(f"{where(table)}: the picture for {who(seat)} marks the {field} {value!r}, and there is none")


def check_parts(table: Table, seat: int | None, whole: set[Mark]) -> None:
    """No part has a mark that the whole lacks, and together they have all of them."""
    game, view, together = table.game, table.view(seat), set[Mark]()
    for part in game.parts:
        drawn = marks(game.picture(view, part))
        more = sorted(drawn - whole)
        if more:
            raise Broken(
                f"{where(table)}: the part {part!r} for {who(seat)} has a mark that the whole lacks: {more[0]}"
            )
        together |= drawn
    if lacking := sorted(whole - together):
        raise Broken(f"{where(table)}: no part of the picture for {who(seat)} has the mark {lacking[0]}")


def marks(svg: str) -> set[Mark]:
    """The marks of a picture."""
    found = (html.unescape(written).partition(" ") for written in MARK.findall(svg))
    return {(field, value) for field, _, value in found}


def choices(domain: Domain) -> Iterator[Any]:
    """What a domain is chosen from, one by one; of ways, the steps of those that are listed. Numbers have no place."""
    if isinstance(domain, OneOf | Pick):
        for choice in domain.choices:
            yield from choice if isinstance(choice, tuple) else (choice,)
    elif isinstance(domain, Bag):
        yield from domain.limits
    elif isinstance(domain, Way):
        yield from dict.fromkeys(step for way in domain.ends().values() for step in way)
