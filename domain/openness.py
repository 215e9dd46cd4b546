"""What may be chosen: a round can be over only for a game that belongs to one."""

from datetime import UTC, datetime
from typing import TypeAlias

from msgspec import UNSET, Struct

from domain.errors import Malformed
from domain.events.game import Live, Openness, OpensAt
from domain.texts import Phrase, say


def lacking_for(openness: Openness, tournament: str | None, round: int | None) -> Phrase | None:
    """What the game would have to belong to, if it does not."""
    if openness == "round_over" and (tournament is None or round is None):
        return say("openness.no_round")
    if openness == "tournament_over" and tournament is None:
        return say("openness.no_tournament")
    return None


def check_openness(openness: Openness, tournament: str | None, round: int | None) -> None:
    """Raises ``Malformed`` with ``bad_openness``."""
    lacks = lacking_for(openness, tournament, round)
    if lacks is not None:
        raise Malformed("bad_openness", lacks, "openness")


def in_utc(openness: Openness) -> Openness:
    """A moment is written down in UTC, in whatever offset it was told."""
    return OpensAt(openness.at.astimezone(UTC)) if isinstance(openness, OpensAt) else openness


def told_live(live: bool) -> Live:
    """What is written down: nothing of a game that is told as it is played."""
    return UNSET if live else False


# What goes on around a game: all that its openness may rest on and that no event of its own tells.


Boards: TypeAlias = frozenset[int]
"""Numbers of prepared boards of the round that a game belongs to."""


class Around(Struct, frozen=True):
    """``boards`` are those of the game that other tables still play: nothing of them is open, whatever the game says.

    What nobody looked at is as if it had not come to pass: by the default nothing opens but what the game opens by itself.
    """

    boards: Boards = frozenset()
    round_over: bool = False
    tournament_over: bool = False
    now: datetime | None = None
