"""Openness of a game: which settings may be chosen, and the context that decides when it has come."""

from datetime import UTC, datetime
from typing import TypeAlias

from msgspec import UNSET, Struct

from domain.errors import InvalidFormatError
from domain.events.game import Live, Openness, OpensAt
from domain.texts import Phrase, say


def find_missing_parent(openness: Openness, tournament: str | None, round: int | None) -> Phrase | None:
    """Return what the game would have to belong to for this openness, if it does not."""
    if openness == "round_over" and (tournament is None or round is None):
        return say("openness.no_round")
    if openness == "tournament_over" and tournament is None:
        return say("openness.no_tournament")
    return None


def check_openness(openness: Openness, tournament: str | None, round: int | None) -> None:
    """Raise ``InvalidFormatError`` with ``bad_openness`` if the game does not belong to the round or tournament that it waits for."""
    lacks = find_missing_parent(openness, tournament, round)
    if lacks is not None:
        raise InvalidFormatError("bad_openness", lacks, "openness")


def in_utc(openness: Openness) -> Openness:
    """Return the openness with a moment in UTC, whatever its offset."""
    return OpensAt(openness.at.astimezone(UTC)) if isinstance(openness, OpensAt) else openness


def encode_live(live: bool) -> Live:
    """Return the stored form: absent for a game that is shown as it is played."""
    return UNSET if live else False


# The context of a game: all that its openness may depend on and that no event of its own says.


Boards: TypeAlias = frozenset[int]
"""Numbers of prepared boards of the round that a game belongs to."""


class OpennessContext(Struct, frozen=True):
    """The context of a game. ``boards`` are those of the game that other tables still play: nothing of them is open, whatever the game
    says.

    A condition that was not looked up counts as not met: by default nothing opens except what the game's own events open.
    """

    boards: Boards = frozenset()
    round_over: bool = False
    tournament_over: bool = False
    now: datetime | None = None
