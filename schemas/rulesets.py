"""What may be asked of the games."""

from marshmallow import Schema, fields, validate


class RulesQuerySchema(Schema):
    format = fields.String(
        validate=validate.OneOf(("html", "markdown"), error="The formats that there are: {choices}."),
        metadata={"description": "`html` or `markdown`, whatever the `Accept` header says."},
    )
