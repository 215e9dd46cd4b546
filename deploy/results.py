"""Who won, in words."""

from collections.abc import Sequence

from deploy.language import said


def won_by(winners: Sequence[int], parties: Sequence[Sequence[int]], language: str) -> str:
    """The seats of the parties that won, numbered from 0 as everywhere. A solitaire that was lost has no winner (COM-41)."""
    if not winners:
        return said("lost", language)
    return said("won_by", language, who=", ".join(party(parties[winner], language) for winner in winners))


def party(seats: Sequence[int], language: str) -> str:
    together = f" {said('and', language)} ".join(map(str, seats))
    return said("seat" if len(seats) == 1 else "seats", language, seats=together)
