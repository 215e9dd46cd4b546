"""Who won, in words."""

from collections.abc import Sequence

from deploy.language import said


def won_by(won: Sequence[int], parties: Sequence[Sequence[int]], language: str) -> str:
    return said("won_by", language, who=winners(won, parties, language)) if won else said("lost", language)


def winners(won: Sequence[int], parties: Sequence[Sequence[int]], language: str) -> str:
    """The seats of the parties that won, numbered from 0 as everywhere. A solitaire that was lost has no winner (COM-41)."""
    return ", ".join(_party(parties[winner], language) for winner in won) or said("lost", language)


def _party(seats: Sequence[int], language: str) -> str:
    together = f" {said('and', language)} ".join(map(str, seats))
    return said("seat" if len(seats) == 1 else "seats", language, seats=together)
