"""Audit of players and series, and its walk along the events: each is compared with what is decided on the state before it."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from typing import Any, Generic, TypeAlias, get_args

from msgspec import Struct

from domain.events import NAMES, A, AggregateType, Event, Recorded, series
from domain.events.base import Unreadable
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
from domain.series import decisions
from domain.series.series import SERIES, Series, series_stream
from replay.audit_result import NOTHING, AuditCollector, DivergenceKind, StoredContext, StreamAudit, compare_stored_context
from replay.chain import Chain
from replay.content import in_values, same_bytes, shorten
from replay.editions import judging

_NOT_KNOWN = "what was recorded before it is not known"


class MissingDataError(Exception):
    """The kept data cannot decide whether the event is right; the message says why."""


class DecisionMismatchError(Exception):
    """The decision could not have led to what was recorded."""

    def __init__(self, kind: DivergenceKind, recorded: str, recomputed: str) -> None:
        super().__init__(kind)
        self.kind = kind
        self.recorded = recorded
        self.recomputed = recomputed


class Decisions(Struct, Generic[A], frozen=True):
    """The decisions of a kind of stream.

    ``first`` answers the first event as it is decided; ``again`` the one at an index of the history, on the aggregate before it. Both raise
    the errors of the decision, ``DecisionMismatchError`` and ``MissingDataError``.
    """

    kind: AggregateType[A]
    events: tuple[type, ...]
    opens: type
    first: Callable[[Recorded], Event]
    again: Callable[[A, Sequence[Recorded], int], Event]


def walk(findings: AuditCollector, history: Sequence[Recorded], decisions: Decisions[A]) -> A | None:
    """Judge the events. Return the aggregate as recorded. Raises nothing, whatever was recorded."""
    chain, whole = Chain(findings, history), True
    known: A | None = None
    for index, recorded in enumerate(history):
        whole = chain.check_link(recorded) and whole
        if isinstance(recorded.event, Unreadable):
            continue
        if not _is_expected_kind(decisions, recorded):
            findings.add_mismatch(recorded.position, "misplaced", recorded.name, f"an event of a {decisions.kind.name} that belongs here")
        elif known is not None and not whole:
            findings.leaves(recorded.position, _NOT_KNOWN)
        else:
            _judge(findings, recorded, partial(_repeat_decision, decisions, known, history, index))
        if known is not None or isinstance(recorded.event, decisions.opens):
            known = decisions.kind.project(known, (recorded,))
    return known


def _is_expected_kind(decisions: Decisions[A], recorded: Recorded) -> bool:
    opens = isinstance(recorded.event, decisions.opens) is (recorded.position == 1)
    return isinstance(recorded.event, decisions.events) and (opens or decisions.events == (decisions.opens,))


def _repeat_decision(decisions: Decisions[A], known: A | None, history: Sequence[Recorded], index: int) -> Event:
    if known is not None:
        return decisions.again(known, history, index)
    if history[index].position > 1:
        raise MissingDataError(_NOT_KNOWN)
    return decisions.first(history[index])


def _judge(findings: AuditCollector, recorded: Recorded, decide: Callable[[], Event]) -> None:
    event: Any = recorded.event
    with judging(findings, recorded.position, event):
        try:
            expected = decide()
        except MissingDataError as unknowable:
            findings.judged -= 1
            findings.leaves(recorded.position, str(unknowable))
            return
        except DecisionMismatchError as amiss:
            findings.add_mismatch(recorded.position, amiss.kind, amiss.recorded, amiss.recomputed)
            return
        if type(expected) is not type(event):
            findings.add_mismatch(recorded.position, "act", recorded.name, shorten(NAMES[type(expected)]))
        elif not same_bytes(event, expected):
            findings.add_mismatch(recorded.position, "act", *in_values(event, expected))


# The audit of a player: every event decided again, mergers and separations on both players, as they were recorded in one commit.


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


# Events are compared as plain structs: the type checker compares a union with a union class by class, which takes ten seconds here.


def _count(history: Sequence[Recorded], event: Struct) -> int:
    return sum(one.event == event for one in history)


def _other(others: Others, player: str, half: Struct, number: int, since: Struct | None = None) -> Player:
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


# The audit of a series: every event decided again on the series before it. What a tournament was like when it was added is not judged.


def audit_series(history: Sequence[Recorded], beside: StoredContext = NOTHING) -> StreamAudit:
    """Audit the whole history of one series, in order. Raises nothing, whatever was recorded there."""
    if not history:
        raise ValueError("an audit needs a history")
    findings = AuditCollector()
    known = walk(
        findings,
        history,
        Decisions(SERIES, get_args(series.SeriesEvent), series.SeriesAnnounced, _expect_announcement, _replay_series_event),
    )
    compare_stored_context(findings, history, beside)
    return findings.of_stream("series", known.series if known else None, history[0].stream, len(history))


def _expect_announcement(first: Recorded) -> Event:
    event = first.event
    assert isinstance(event, series.SeriesAnnounced)
    if series_stream(event.series) != first.stream:
        raise DecisionMismatchError("stream", f"series {event.series!r}", f"stream {series_stream(event.series)}, not {first.stream}")
    return decisions.announce_series(event.series, event.title, event.plan, event.plan.rulesets or ())


def _replay_series_event(before: Series, history: Sequence[Recorded], index: int) -> Event:
    event = history[index].event
    match event:
        case series.SeriesCorrected(title=title, plan=plan):
            return decisions.correct_series(before, title, plan, plan.rulesets or (), ())
        case series.SeriesTournamentAdded(tournament=tournament, weight=weight):
            return decisions.record_added_tournament(before, tournament, weight)
        case series.SeriesTournamentRemoved(tournament=tournament, reason=reason):
            return decisions.remove_tournament(before, tournament, reason)
        case series.SeriesAdjusted(player=player, points=points, reason=reason):
            return decisions.adjust_points(before, player, points, reason)
        case series.SeriesCategoryGiven(player=player, category=category):
            return decisions.set_category(before, player, category)
        case series.SeriesEnded(reason=reason):
            return decisions.end_series(before, reason, ())
        case series.SeriesPublished(publication=publication):
            return decisions.publish_series(before, publication)
    raise ValueError("no event that follows another one of a series")
