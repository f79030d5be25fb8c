"""Checking a finished game without the service: its chain, its seed, and the envelopes.

What needs the rules (that every move was legal, that every card came from the seed) is checked by `./waybill verify`
of the project, which plays the game again.
"""

import hashlib
from collections.abc import Iterable
from typing import Any

import msgspec

from waybill_client.errors import BadRecord
from waybill_client.models import Receipt, Standing

_canonical = msgspec.json.Encoder(order="sorted").encode
_HEADER, _ROW = b'{"header":', b'"row":'


class Verified(msgspec.Struct, frozen=True):
    """A record that holds. `is_whole`: the game is over, and its seed is the one that was committed to. `forked_from`:
    it goes on from another game, after this row; the position that it begins with is the record's own word."""

    game: str
    rows: int
    head: str
    is_whole: bool
    envelopes: int
    ending: str = ""
    standings: tuple[Standing, ...] = ()
    forked_from: tuple[str, int] | None = None


def verify(record: bytes, receipts: Iterable[Receipt] = (), commitment: str = "") -> Verified:
    """Checks the record of a game, or raises BadRecord.

    - Every row is hashed onto the one before it, the first onto the header, and the last line names the last hash.
    - The seed is the one that was committed to, and that is `commitment`, if you kept `Game.commitment` from before.
    - Every sealed move is the one of its commitment, and so is each of your `receipts`: the last, of several for a row.
    """
    lines = record.splitlines()
    if not record.endswith(b"\n") or not lines or not lines[0].startswith(_HEADER):
        raise BadRecord("This is no record: it begins with a header, and ends with a line end.")
    decoded = [_decoded(number, line) for number, line in enumerate(lines, 1)]
    header = decoded[0]["header"]
    if commitment and header["commitment"] != commitment:
        raise BadRecord("The seed was committed to otherwise before the game.")
    end = decoded[-1].get("end") if len(lines) > 1 else None
    head, commitments = hashlib.sha256(lines[0][len(_HEADER) : -1]).hexdigest(), dict[tuple[int, int], str]()
    rows = list(zip(lines[1:], decoded[1:], strict=True))[: -1 if end else None]
    for number, (line, data) in enumerate(rows):
        row = data.get("row")
        if row is None or row["row"] != number:
            raise BadRecord(f"Line {number + 2} is not row {number}.")
        head = hashlib.sha256(head.encode() + b"\n" + line.partition(_ROW)[2][:-1]).hexdigest()
        if head != data["hash"]:
            raise BadRecord(f"Row {number} does not match its hash: it, or a line before it, was changed.")
        commitments.update(_envelopes(number, row))
    start = next((row["events"][0] for _, data in rows[:1] if (row := data["row"])["phase"] == "fork"), None)
    if start:
        _check_start(decoded[1]["row"], start)
    if end:
        _check_end(header, end, head)
    last = {(receipt.row, receipt.seat): receipt for receipt in receipts}  # a sealed move may have been replaced
    for receipt in last.values():
        if commitments.get((receipt.row, receipt.seat)) != receipt.commitment:
            raise BadRecord(f"The move that you sealed for row {receipt.row} is not the one in the record.")
    return Verified(
        game=header["game"],
        rows=len(rows),
        head=head,
        is_whole=end is not None,
        envelopes=len(commitments),
        ending=end["ending"] if end else "",
        standings=msgspec.convert(end["standings"], tuple[Standing, ...]) if end else (),
        forked_from=(start["game"], start["row"]) if start else None,
    )


def _decoded(number: int, line: bytes) -> dict[str, Any]:
    try:
        return msgspec.json.decode(line, type=dict[str, Any])
    except msgspec.DecodeError as error:
        raise BadRecord(f"Line {number} cannot be read: {error}") from None


def _envelopes(number: int, row: dict[str, Any]) -> Iterable[tuple[tuple[int, int], str]]:
    for order in row["orders"]:
        if not order.get("commitment"):
            continue
        if order.get("nonce"):  # told at the reveal, or after the game where parts of the move stay hidden
            made = hashlib.sha256(order["nonce"].encode() + b"\n" + _canonical(order["move"])).hexdigest()
            if made != order["commitment"]:
                raise BadRecord(f"Row {number}: the move of seat {order['seat']} is not the one that was sealed.")
        yield (number, order["seat"]), order["commitment"]


def _check_start(row: dict[str, Any], start: dict[str, Any]) -> None:
    made = hashlib.sha256(row["salt"].encode() + b"\n" + _canonical(start["position"])).hexdigest()
    if made != row["position"]:
        raise BadRecord("Row 0: the position that the game goes on from is not the one of its digest.")


def _check_end(header: dict[str, Any], end: dict[str, Any], head: str) -> None:
    if end["head"] != head:
        raise BadRecord("The last line does not name the hash of the last row.")
    seed = bytes.fromhex(end["seed"])
    if hashlib.sha256(b"waybill seed\n" + seed).hexdigest() != header["commitment"]:
        raise BadRecord("The seed is not the one that was committed to before the first move.")
