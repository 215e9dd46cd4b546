"""Scoring of Canasta hands (CAN-26, CAN-44 to CAN-47, CAN-51)."""

from typing import TypeAlias

from domain.games.canasta.cards import points
from domain.games.canasta.table import PARTIES, CanastaTable

Points: TypeAlias = tuple[int, ...]
"""A number per party."""

Rows: TypeAlias = dict[str, Points]

ROWS = (
    "melded_cards",
    "mixed_canastas",
    "natural_canastas",
    "going_out",
    "concealed_going_out",
    "red_threes",
    "all_red_threes",
    "hand_cards",
)
"""The rows of the sheet, in order."""

_MIXED = 300
_NATURAL = 500
_GOING_OUT = 100
_RED_THREE = 100
_ALL_RED_THREES = 400


def minimum(total: int) -> int:
    """Return the value that a party's first melds have to reach, by its total before the hand (CAN-26)."""
    if total < 0:
        return 15
    if total < 1500:
        return 50
    return 90 if total < 3000 else 120


def count_table_points(table: CanastaTable) -> Points:
    """Return the points that lie on the table, per party (CAN-51)."""
    rows = _score_melds(table, only_opened=True)
    return tuple(sum(row[party] for row in rows.values()) for party in PARTIES)


def hand_rows(table: CanastaTable, end: str, out: int | None, *, concealed: bool) -> Rows:
    """Return the points per party for one hand, by the rows of ``ROWS``; ``out`` is the party that went out. Raises nothing."""
    broken_off = end == "target_reached"
    rows = _score_melds(table, only_opened=broken_off)
    rows["going_out"] = tuple(_GOING_OUT * (party == out) for party in PARTIES)
    rows["concealed_going_out"] = tuple(_GOING_OUT * (party == out and concealed) for party in PARTIES)
    rows["hand_cards"] = (0, 0) if broken_off else tuple(-_count_hand_points(table, party) for party in PARTIES)
    return rows


def _score_melds(table: CanastaTable, *, only_opened: bool) -> Rows:
    """Return the points of melds, canastas and red threes; the threes of a party without a meld count against it, or not at all."""
    kinds = [[meld.canasta for meld in melds.values()] for melds in table.melds]
    threes = [len(table.red_threes(party)) for party in PARTIES]
    signs = [1 if table.has_opened(party) else -(not only_opened) for party in PARTIES]
    return {
        "melded_cards": tuple(sum(map(points, melded.values())) for melded in table.meld_cards),
        "mixed_canastas": tuple(_MIXED * found.count("mixed") for found in kinds),
        "natural_canastas": tuple(_NATURAL * found.count("natural") for found in kinds),
        "red_threes": tuple(sign * _RED_THREE * number for sign, number in zip(signs, threes, strict=True)),
        "all_red_threes": tuple(sign * _ALL_RED_THREES * (number == 4) for sign, number in zip(signs, threes, strict=True)),
    }


def _count_hand_points(table: CanastaTable, party: int) -> int:
    return sum(table.hand_points(seat) or 0 for seat in table.table.setup.parties[party])
