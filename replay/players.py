"""The audit of a player: every event decided again, mergers and separations on both players, as they were recorded in one commit."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from typing import TypeAlias, get_args

from domain.events import NAMES, Event, Recorded
from domain.events.player import (
    PlayerClubChanged,
    PlayerErased,
    PlayerEvent,
    PlayerJoined,
    PlayerMerged,
    PlayerParted,
    PlayerRegistered,
    PlayerSeparated,
)
from domain.player import PLAYER, Player, player_stream, project, registration
from replay.audit_result import AuditCollector, StreamAudit
from replay.stored_context import NOTHING, StoredContext, compare_stored_context
from replay.streams import DecisionMismatchError, Decisions, walk

Others: TypeAlias = Callable[[str], Sequence[Recorded]]
"""Returns the history of another player by their id; empty where there is none."""


def audit_player(history: Sequence[Recorded], others: Others, beside: StoredContext = NOTHING) -> StreamAudit:
    """Audit the whole history of one player, in order. Raises nothing, whatever was recorded there."""
    if not history:
        raise ValueError("an audit needs a history")
    findings = AuditCollector()
    decisions = Decisions(PLAYER, get_args(PlayerEvent), PlayerRegistered, _expect_registration, partial(_replay_event, others))
    known = walk(findings, history, decisions)
    compare_stored_context(findings, history, beside)
    return findings.of_stream("player", known.player if known else None, history[0].stream, len(history))


def _expect_registration(first: Recorded) -> Event:
    event = first.event
    assert isinstance(event, PlayerRegistered)
    if player_stream(event.player) != first.stream:
        raise DecisionMismatchError("stream", f"player {event.player!r}", f"stream {player_stream(event.player)}, not {first.stream}")
    return registration(event.player, event.club)


def _replay_event(others: Others, before: Player, history: Sequence[Recorded], index: int) -> Event:
    event, own = history[index].event, history[: index + 1]
    match event:
        case PlayerClubChanged(club=club):
            return before.transfer(club)
        case PlayerMerged(into=into):
            return before.merge(_other(others, into, PlayerJoined(before.player), _count(own, event)))[0][0]
        case PlayerJoined(player=player):
            return _other(others, player, PlayerMerged(before.player), _count(own, event)).merge(before)[1][0]
        case PlayerSeparated():
            into = before.check_merged()
            return before.split(_other(others, into, PlayerParted(before.player), _count(own, PlayerMerged(into))))[0][0]
        case PlayerParted(player=player):
            return _other(others, player, PlayerSeparated(), _count(own, event), PlayerMerged(before.player)).split(before)[1][0]
        case PlayerErased():
            return _expect_erase(before, others)
    raise ValueError("no event that follows another one of a player")


def _count(history: Sequence[Recorded], event: Event) -> int:
    return sum(one.event == event for one in history)


def _other(others: Others, player: str, half: Event, number: int, since: Event | None = None) -> Player:
    """Return the other player before their half of one commit: before the event ``half`` of this number, or the first one after the event
    ``since`` of this number. Raises ``DecisionMismatchError``.

    By their numbers, because the two halves have stamps of their own.
    """
    history = others(player)
    places = [index for index, one in enumerate(history) if one.event == (half if since is None else since)]
    found = next(islice(places, number - 1, None), None) if number else None
    if found is not None and since is not None:
        found = next((index for index in range(found + 1, len(history)) if history[index].event == half), None)
    before = project(None, history[:found]) if found else None
    if before is None:
        raise DecisionMismatchError("other_half", "nothing", f"{NAMES[type(half)]} in the stream of {player!r}")
    return before


def _expect_erase(before: Player, others: Others) -> Event:
    """Return the erasure. A merged player is erased along with the one they are merged into."""
    if before.into is not None and not any(isinstance(one.event, PlayerErased) for one in others(before.into)):
        return before.erase()
    return before.erase(before.into)
