"""Refused records in words."""

from collections.abc import Sequence


def refusal_in_words(hand: int | None, index: int | None, code: str, rules: Sequence[str], message: str) -> str:
    """One line, also for a refusal that comes from a server. Hands and moves are counted from 0 (COM-62)."""
    if hand is None or index is None:
        return f"{code}: {message}"
    place = "set-up" if hand < 0 else f"start of hand {hand}" if index < 0 else f"hand {hand}, move {index}"
    return f"{place} refused: {code} ({', '.join(rules)}). {message}"
