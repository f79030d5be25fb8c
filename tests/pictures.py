"""What a picture says, and where."""

import xml.etree.ElementTree as ET

from referee.pictures.drawing import Box, text_box

SVG = "{http://www.w3.org/2000/svg}"


def labels(svg: str) -> list[tuple[str, Box]]:
    """Every text of a picture and what it covers."""
    root = ET.fromstring(svg)
    assert not any(part.get("transform") for part in root.iter() if part.find(f".//{SVG}text") is not None)
    found = []
    for part in root.iter(f"{SVG}text"):
        size, words = float(part.get("font-size", "")), part.text or ""
        spread = float(part.get("letter-spacing", 0)) * len(words)
        bold, anchor = part.get("font-weight") == "bold", part.get("text-anchor", "start")
        box = text_box(float(part.get("x", "")), float(part.get("y", "")), words, size, bold, anchor)
        found.append((words, box._replace(width=box.width + spread)))
    return found


def view_box(svg: str) -> Box:
    return Box(*map(float, ET.fromstring(svg).get("viewBox", "").split()))
