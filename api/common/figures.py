"""Figures of standings as people write them."""

from domain.standings.tie_breaks import TIE_BREAKS, TieBreak


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
