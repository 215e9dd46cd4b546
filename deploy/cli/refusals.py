"""Refused records in words."""

from collections.abc import Sequence

from deploy.language import said


def refusal_in_words(hand: int | None, index: int | None, code: str, rules: Sequence[str], message: str, language: str) -> str:
    """One line, also for a refusal that comes from a server. Hands and moves are counted from 0 (COM-62)."""
    if hand is None or index is None:
        return f"{code}: {message}"
    place = "refused_set_up" if hand < 0 else "refused_start" if index < 0 else "refused_move"
    return f"{said(place, language, hand=hand, index=index)}: {code} ({', '.join(rules)}). {message}"
