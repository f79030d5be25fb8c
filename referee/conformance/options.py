"""The promise of the offers: whatever is drawn from an offered domain is accepted, and nothing else is."""

from collections.abc import Sequence
from typing import Any

from jsonschema import Draft202012Validator

from referee.conformance.mutations import NONSENSE, STRANGE_LINES, mutations, wrong_lines
from referee.conformance.playing import (
    Broken,
    accept,
    any_move,
    asking,
    copy_of,
    explained,
    moments,
    one_of,
    plain,
    submit,
    where,
)
from referee.conformance.words import check_message
from referee.contract import canonical
from referee.errors import IllegalOrder, OrderError
from referee.options import Move, Offer, Rng, Way, schema, type_name
from referee.orders.notation import format_move
from referee.table import AnyGame, Table

MUTATIONS, SLIPS = 25, 10  # tried in each position and for each seat: moves as data, and lines


def check_options(game: AnyGame, rng: Rng, every: int = 1) -> None:
    """Whatever is drawn from an offered domain is accepted, and nothing else is; a refusal changes nothing."""
    for moment, close_look in moments(game, rng, every):
        if close_look:
            table = moment.table
            if table.missing():
                table = copy_of(table)
                seat = one_of(table.missing(), rng)
                submit(table, seat, any_move(table, seat, rng))  # an envelope that a refusal must not touch
            asked = sorted({decision.seat for decision in table.decisions()})
            for seat in asked:
                check_offers(table, seat, rng)
            for seat in {-1, game.seats, rng.randrange(game.seats)}.difference(asked):
                check_silence(table, seat, rng)


def check_offers(table: Table, seat: int, rng: Rng) -> None:
    """The promise of the offers, both ways, for one seat in one position."""
    offers = table.offers(seat)
    document = schema(offers)
    Draft202012Validator.check_schema(document)
    validator = Draft202012Validator(document)
    drawn = [offer.sample(rng) for offer in offers]
    for move in drawn:
        order = plain(move)
        if accept(table, seat, order) != move:
            raise Broken(f"{where(table)}: {move} is drawn from the offers and logged as {accept(table, seat, order)}")
        if not validator.is_valid(order):
            raise Broken(f"{where(table)}: {move} is drawn from the offers, but their JSON Schema refuses {order}")
    move = one_of(drawn, rng)
    check_all_or_nothing(table, seat, move)
    wrong = list(mutations(table.game, plain(move), [plain(legal) for legal in drawn]))
    for _ in range(MUTATIONS):
        check_order(table, seat, one_of(wrong, rng), validator, offers)
    check_line(table, seat, one_of(STRANGE_LINES, rng))
    slips = list(wrong_lines(table.game, format_move(table.game, move)))
    for _ in range(SLIPS):
        check_line(table, seat, one_of(slips, rng))


def check_order(table: Table, seat: int, order: Any, validator: Draft202012Validator, offers: Sequence[Offer]) -> None:
    """The engine and the schema agree on an order; if it is refused, it is refused well."""
    error = refusal(table, seat, order)
    is_valid = validator.is_valid(order)
    if error is None and not is_valid:
        raise Broken(f"{where(table)}: seat {seat}: {order} is accepted, but the JSON Schema of the offers refuses it")
    if error is not None and is_valid and not _has_way(offers, order):
        raise Broken(
            f"{where(table)}: seat {seat}: the JSON Schema of the offers accepts {order}, "
            f"but it is refused: {explained(error)}"
        )


def _has_way(offers: Sequence[Offer], order: Any) -> bool:
    """Whether the order has a field that the schema describes only in part."""
    alike = [offer for offer in offers if isinstance(order, dict) and type_name(offer.move) == order.get("type")]
    return any(isinstance(domain, Way) for offer in alike for domain in offer.domains.values())


def refusal(table: Table, seat: int, order: Any) -> OrderError | None:
    """Why an order is refused, None if it is legal. A refusal is checked for good manners."""
    state = _state(table)
    try:
        table.check(seat, order)
        return None
    except OrderError as error:
        found = error
    except Exception as error:
        raise Broken(f"{where(table)}: seat {seat}: {order!r:.400} crashed the check: {error!r}") from error
    if _state(table) != state:
        raise Broken(f"{where(table)}: seat {seat}: {order!r:.400} was refused and changed the game all the same")
    _check_refused(table, seat, [order], {(found.code, 0)})
    if not found.code or not found.message:
        raise Broken(f"{where(table)}: seat {seat}: {order!r:.400} is refused without a code or a message: {found!r}")
    check_message(table, order, found)
    if isinstance(found, IllegalOrder) and found.nearest is not None:
        accept(table, seat, found.nearest, f"was refused {order!r:.400} and told that the nearest legal move is")
    elif isinstance(found, IllegalOrder) and any(
        phase.required and phase.suggests(table.position, seat, phase.default(table.position, seat))
        for phase in asking(table, seat)
    ):
        raise Broken(f"{where(table)}: seat {seat}: {order!r:.400} is refused and nothing legal named instead")
    return found


def _check_refused(table: Table, seat: int, orders: Sequence[Any], expected: set[tuple[str, int]]) -> None:
    """A submission is refused at the place of the wrong order, and nothing is different afterwards."""
    trial = copy_of(table)
    try:
        trial.submit(seat, orders)
    except OrderError as error:
        if (error.code, error.index) not in expected:
            found = f"{error.code} at order {error.index}"
            raise Broken(f"{where(table)}: {orders!r:.400}: {found} instead of one of {expected}") from error
    else:
        raise Broken(f"{where(table)}: seat {seat}: {orders!r:.400} was played although the check refused it")
    if _state(trial) != _state(table):
        raise Broken(f"{where(table)}: seat {seat}: {orders!r:.400} was refused and changed the game all the same")


def _state(table: Table) -> tuple[Any, ...]:
    return table.position_json, table.sequence, table.head, canonical(sorted(table.sealed.items()))


def check_all_or_nothing(table: Table, seat: int, move: Move) -> None:
    """A good order followed by one that cannot be read: neither is played."""
    trial = copy_of(table)
    if submit(trial, seat, move) is None:
        expected = {("sealed_alone", 0)}
    else:
        expected = {("reveals", 0)}
        if not move.reveals:
            expected.add(("unknown_type" if asking(trial, seat) else "turn_over", 1))
    _check_refused(table, seat, [plain(move), NONSENSE], expected)


def check_line(table: Table, seat: int, line: str) -> None:
    """A line of nonsense is refused like any other wrong order, or understood; it never crashes."""
    refusal(table, seat, line)


def check_silence(table: Table, seat: int, rng: Rng) -> None:
    """Whoever is not asked is offered nothing and can move nothing."""
    if table.offers(seat):
        raise Broken(f"{where(table)}: seat {seat} is not asked and is offered {table.offers(seat)[0].listing()}")
    asked = [decision.seat for decision in table.decisions()]
    order = plain(any_move(table, one_of(asked, rng), rng)) if asked else {"type": type_name(table.game.move_types[0])}
    if refusal(table, seat, order) is None:
        raise Broken(f"{where(table)}: seat {seat} is not asked, but its {order} is accepted")
