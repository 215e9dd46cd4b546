"""A small deck of our own: two quartets, values with fractions, many ties, and things that only people read."""

from typing import Any

VALUES: dict[str, tuple[int | float, int, int | float]] = {
    "R1": (1.5, 1, 4),
    "R2": (2.5, 1, 3),
    "R3": (2, 1, 3.0),
    "R4": (0.5, 2, 2),
    "B1": (-1, 1, 1),
    "B2": (2.25, 1, 2),
    "B3": (1e-3, 1, 2),
    "B4": (3, 2, 1),
}
NAMES = {"R1": "Nile", "R2": "Rhine", "R3": "Elbe", "R4": "Po", "B1": "Lagoon", "B2": "Fjord", "B3": "Sound", "B4": "Gulf"}


def waters(**changes: Any) -> dict[str, Any]:
    """The deck as a client sends it, with some keys changed."""
    categories: list[dict[str, Any]] = [
        {"id": "depth", "name": "Depth", "unit": "km", "better": "high", "name_de": "Tiefe"},
        {"id": "class", "name": "Class", "unit": "", "better": "low"},
        {"id": "width", "name": "Width", "unit": "km", "better": "low"},
    ]
    cards = [
        {
            "id": id_,
            "group": id_[0],
            "number": int(id_[1]),
            "name": NAMES[id_],
            "values": dict(zip(("depth", "class", "width"), values, strict=True)),
        }
        for id_, values in VALUES.items()
    ]
    return {
        "format": 1,
        "id": "waters",
        "name": "Waters",
        "note": "invented",
        "categories": categories,
        "groups": [{"letter": "R", "name": "Rivers"}, {"letter": "B", "name": "Bays"}],
        "cards": cards,
        **changes,
    }


PLANES: dict[str, tuple[str, int | None, int | float | None, int | None]] = {
    "1A": ("Dove", 180, None, 4),
    "2A": ("Swift", 240, 1.5, None),
    "3A": ("Heron", None, 1.5, 12),
    "4A": ("Crane", 180, 2.5, None),
    "1B": ("A1", None, None, 60),
    "2B": ("Condor", 900, None, 300),
    "3B": ("Goose", 820, None, 180),
    "4B": ("Albatross", None, 40, 300),
}


def planes(**changes: Any) -> dict[str, Any]:
    """A deck as they are printed: ids with the number first, dashes, and a name that would be an id elsewhere."""
    categories = [
        {"id": "speed", "name": "Speed", "unit": "km/h", "better": "high"},
        {"id": "length", "name": "Runway", "unit": "km", "better": "low"},
        {"id": "seats", "name": "Seats", "unit": "", "better": "high"},
    ]
    cards = [
        {
            "id": id_,
            "group": id_[1],
            "number": int(id_[0]),
            "name": name,
            "values": dict(zip(("speed", "length", "seats"), values, strict=True)),
        }
        for id_, (name, *values) in PLANES.items()
    ]
    groups = [{"letter": "A", "name": "Small"}, {"letter": "B", "name": "Large"}]
    return {"id": "planes", "name": "Planes", "categories": categories, "groups": groups, "cards": cards, **changes}
