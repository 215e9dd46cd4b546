"""Figures of standings, and where their lots come from, as people write them."""

from typing import Literal, TypeAlias

from domain.standings.tie_breaks import TIE_BREAKS, TieBreak
from domain.texts import COMMON, sentence

LotsFrom: TypeAlias = Literal["open", "bound", "drawn", "given"]


def number(value: float | None, decimal: str) -> str:
    """No more than three places, with the sign of the language; a dash for none."""
    if value is None:
        return "–"
    return f"{value:.3f}".rstrip("0").rstrip(".").replace(".", decimal)


def figure(tie_break: TieBreak, value: float | None, decimal: str) -> str:
    """Of a lot its beginning, in the digits in which it is drawn: the lowest goes first."""
    if TIE_BREAKS[tie_break].drawn and value is not None:
        return f"{int(value):012x}"[:4]
    return number(value, decimal)


def lots_line(how: LotsFrom, dice: int, language: str) -> str:
    """Where the lots come from. ``dice``: how many were promised."""
    return sentence(f"lots.{how}.dice" if dice and how in ("bound", "drawn") else f"lots.{how}", {"dice": dice}, language, (COMMON,))
