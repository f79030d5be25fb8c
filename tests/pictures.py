"""What a picture says, and where: the conformance kit reads pictures in the same way."""

from referee.conformance.pictures import SVG, labels, overlaps, view_box

__all__ = ["SVG", "labels", "overlaps", "view_box"]
