"""What is answered when something is wrong."""

from marshmallow import Schema, fields

from schemas.fields import StrictInteger
from schemas.moves import MoveField


class ProblemSchema(Schema):
    """RFC 9457. Refused orders carry the referee's reasons as well."""

    type = fields.String(required=True, metadata={"example": "urn:waybill:problem:illegal-order"})
    title = fields.String(required=True)
    status = StrictInteger(required=True)
    detail = fields.String(required=True)
    errors = fields.Raw(metadata={"description": "What is wrong, field by field."})
    code = fields.String(metadata={"description": "Of the refusal: stable, for programs."})
    field = fields.String()
    rule = fields.String(metadata={"description": "The rule or ruling that the refusal rests on."})
    numbers = fields.Dict(keys=fields.String(), metadata={"description": "That the refusal rests on."})
    nearest = MoveField(allow_none=True, metadata={"description": "A legal move close to the refused one."})
    readings = fields.List(fields.String())
    index = StrictInteger(metadata={"description": "Which of the orders was refused, counted from 0."})
    scope = fields.String(metadata={"description": "That the token lacks."})
    sequence = StrictInteger(metadata={"description": "Of the game now, when yours was stale."})
