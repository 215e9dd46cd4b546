"""Results of games and refusals of moves, in words for the terminal."""

from collections.abc import Sequence

from deploy.system.language import sentence


def refusal_in_words(hand: int | None, index: int | None, code: str, rules: Sequence[str], message: str, language: str) -> str:
    """Return a refusal as one line, also one that a server sent. ``hand`` and ``index`` count from 0 (COM-62), the text counts from 1."""
    if hand is None or index is None:
        return f"{code}: {message}"
    place = "refused_set_up" if hand < 0 else "refused_start" if index < 0 else "refused_move"
    return f"{sentence(place, language, hand=hand + 1, index=index + 1)}: {code} ({', '.join(rules)}). {message}"


def describe_winners(won: Sequence[int], parties: Sequence[Sequence[int]], language: str) -> str:
    return sentence("won_by", language, who=winners(won, parties, language)) if won else sentence("lost", language)


def winners(won: Sequence[int], parties: Sequence[Sequence[int]], language: str) -> str:
    """Return the seats of the parties that won, numbered from 0. A solitaire that was lost has no winner (COM-41)."""
    return ", ".join(_party(parties[winner], language) for winner in won) or sentence("lost", language)


def _party(seats: Sequence[int], language: str) -> str:
    together = f" {sentence('and', language)} ".join(map(str, seats))
    return sentence("seat" if len(seats) == 1 else "seats", language, seats=together)
