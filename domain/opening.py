"""The opening of a game: setup, players and openness, and the context that decides when its openness has come."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TypeAlias

from msgspec import UNSET, Struct, UnsetType

from domain.errors import InvalidFormatError
from domain.events.game import GameOpened, Live, Openness, OpensAt, OwnMoves, Shuffle
from domain.events.played import check_played_at
from domain.rules import Ruleset
from domain.setup import Setup
from domain.texts import Phrase, say
from domain.time_zones import UTC_ZONE, encode_time_zone


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


def opening(
    ruleset: Ruleset,
    options: object,
    seats: object,
    players: Sequence[str | None] = (),
    *,
    openness: Openness = "game_over",
    tournament: str | None = None,
    round: int | None = None,
    table: str | None = None,
    played_at: str | UnsetType = UNSET,
    live: bool = True,
    own_moves: bool = False,
    shuffle: Shuffle = UNSET,
    time_zone: str = UTC_ZONE,
) -> GameOpened:
    """Return the opening of a game. Raises ``Refused`` (COM-10 to COM-12) and ``InvalidFormatError``: with ``bad_players`` (one id or null
    per seat, nobody twice), with ``impossible_time`` for a time at which it cannot have been played, and with ``bad_openness`` where the
    game belongs to no round, or no tournament, that could be over.
    """
    setup = ruleset.bind(options, seats).setup
    check_played_at(played_at)
    check_openness(openness, tournament, round)
    if players:
        check_players(setup, players)
    seated = tuple(players) or (None,) * setup.seats
    return GameOpened(
        setup,
        ruleset.edition,
        seated,
        in_utc(openness),
        tournament,
        round,
        table,
        played_at,
        encode_live(live),
        encode_own_moves(own_moves),
        shuffle,
        encode_time_zone(time_zone),
    )


def check_players(setup: Setup, players: Sequence[str | None]) -> None:
    """Raise ``InvalidFormatError`` with ``bad_players`` unless it is one id or null for each seat, and nobody twice."""
    named = [player for player in players if player is not None]
    if len(players) != setup.seats:
        raise InvalidFormatError("bad_players", say("players.number", seats=setup.seats, given=len(players)), "players")
    if len(set(named)) < len(named):
        raise InvalidFormatError("bad_players", say("players.twice"), "players")


def encode_own_moves(own_moves: object) -> OwnMoves:
    """Return the stored form: absent where a recorder makes the moves."""
    return True if own_moves is True else UNSET
