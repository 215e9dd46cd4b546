"""Views of recorded events, receipts and remarks. Cards are hidden only by ``replay/game_frames.py`` and ``domain/sight.py``."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Annotated, Any, TypeAlias
from uuid import UUID

from msgspec import UNSET, Meta, UnsetType

from api.http.decoding import ResponseModel
from api.http.request import Request, language_of
from domain import texts
from domain.events import Event, Recorded
from domain.events.base import without_text
from domain.game import Game, fold_event
from domain.journal.commits import Receipt
from domain.opening import OpennessContext
from domain.sight import ARBITERS_EYES, Viewer, Viewpoint, masked
from domain.table import Table
from domain.tournament.warnings import Remark
from replay import game_frames
from replay.past import GamePast


class RemarkView(ResponseModel, frozen=True, kw_only=True):
    """A remark on something that is allowed, but may be a mistake."""

    code: Annotated[str, Meta(examples=["met_before"])]
    sentence: str
    entrants: Annotated[tuple[int, ...], Meta(description="the entrants that it names")] | UnsetType = UNSET


Remarks: TypeAlias = list[RemarkView] | UnsetType
"""A field of answers that is missing where there is nothing to remark."""


def remark_views(request: Request, remarks: Sequence[Remark]) -> list[RemarkView]:
    spoken = language_of(request)
    return [
        RemarkView(
            code=one.code,
            sentence=texts.sentence(f"remark.{one.code}", one.detail, spoken, (texts.COMMON,)),
            entrants=one.entrants or UNSET,
        )
        for one in remarks
    ]


class EventView(ResponseModel, frozen=True, kw_only=True):
    """A recorded event as the caller may see it; a face that they may not see is ``"?"``."""

    position: int
    name: Annotated[str, Meta(examples=["move.played/1"])]
    at: datetime
    by: Annotated[str, Meta(description="the principal who recorded it, an opaque id")]
    happened_at: datetime | UnsetType = UNSET
    link: Annotated[str, Meta(description="of its place and the event before, see docs/events.md; for those who see all")] | UnsetType = (
        UNSET
    )
    void: Annotated[bool, Meta(description="a rewind took it back")] | UnsetType = UNSET
    body: (
        Annotated[
            Any,
            Meta(
                description="the event, in `EventBodies` under its `name`; absent while the event is hidden until the end of the game",
                extra_json_schema={"type": "object", "additionalProperties": True},
            ),
        ]
        | UnsetType
    ) = UNSET


class ClosedHand(ResponseModel, frozen=True, kw_only=True):
    """A closed hand: its points, a number per party."""

    hand: int
    end: str
    points: tuple[int, ...]
    totals: tuple[int, ...]


class CommandResponse(ResponseModel, frozen=True, kw_only=True):
    """The recorded events, and the state of the game after them.

    ``closed_hands`` only where a hand ended; ``remarks`` where an act changes what its tournament has settled; ``dry_run``: nothing was
    recorded.
    """

    game: UUID
    position: int
    sequence: int | UnsetType = UNSET
    events: list[EventView]
    phase: str
    turn: int | None
    to_act: tuple[int, ...]
    hand: int
    closed_hands: list[ClosedHand] | UnsetType = UNSET
    remarks: Remarks = UNSET
    dry_run: bool | UnsetType = UNSET


def redact_event_view(recorded: Recorded, before: Table | None, viewer: Viewer, *, void: bool = False, linked: bool = False) -> EventView:
    """Return the view of an event for a viewer. ``before`` is the table before the event; ``None`` for the first event.

    ``linked``: with the digest of the event before it, but only for a viewer who sees all. From a digest, a single hidden card could be
    found by trying all cards.
    """
    body = None if viewer.dark else game_frames.redacted(viewer, before, recorded.event) if before else recorded.event
    return event_view(recorded, body, void=void, linked=linked and viewer.has_full_view)


def event_view(recorded: Recorded, body: Event | None, *, void: bool = False, linked: bool = False) -> EventView:
    """Return the view of an event of any stream. ``body`` is redacted already; ``None`` shows the event's place and nothing else."""
    stamp = recorded.stamp
    return EventView(
        position=recorded.position,
        name=recorded.name,
        at=stamp.at,
        by=stamp.by,
        happened_at=UNSET if body is None else stamp.happened_at or UNSET,
        link=recorded.link if linked and recorded.link else UNSET,
        void=void or UNSET,
        body=UNSET if body is None else body,
    )


def event_view_without_text(recorded: Recorded, *, sees_all: bool, linked: bool = False) -> EventView:
    """Return the view of an event of a tournament.

    Only officials get digests, also those of texts: a short text can be found from its digest by trying.
    """
    return event_view(recorded, recorded.event if sees_all else without_text(recorded.event), linked=linked and sees_all)


def event_views(
    game: Game, past: GamePast, who: Viewpoint, around: OpennessContext, after: int, *, linked: bool = False
) -> Iterator[EventView]:
    """Yield the views of the events after position ``after``. ``game`` is the current game, which knows what is open and void."""
    for before, recorded, _ in past.steps(after, game.position):
        viewer = game.viewer(who, recorded.position, around)
        yield redact_event_view(recorded, before.table if before else None, viewer, void=game.is_void(recorded.position), linked=linked)


def command_response(receipt: Receipt[Game], who: Viewpoint, *, dry_run: bool = False, remarks: Remarks = UNSET) -> CommandResponse:
    """Return the response to a command of a game, redacted for ``who``."""
    game, before = receipt.after, receipt.before
    if who == ARBITERS_EYES:  # an arbiter sees everything, whether it is open or not
        table, events = game.table, [event_view(one, one.event) for one in receipt.events]
    else:
        table, events = _redact_receipt(receipt, who)
    return CommandResponse(
        game=game.id,
        position=game.position,
        sequence=UNSET if dry_run else receipt.sequence,
        events=events,
        phase=table.phase,
        turn=table.turn,
        to_act=table.to_act,
        hand=table.hand,
        closed_hands=_list_closed_hands(before.table if before else None, game.table),
        remarks=remarks,
        dry_run=dry_run or UNSET,
    )


def _redact_receipt(receipt: Receipt[Game], who: Viewpoint) -> tuple[Table, list[EventView]]:
    """Return the table to describe, and the views of the events."""
    so_far, now, around = receipt.before, receipt.after, OpennessContext(receipt.after.boards)
    last, views = now.viewer(who, now.position, around), list[EventView]()
    for recorded in receipt.events:
        viewer = last if recorded.position == now.position else now.viewer(who, recorded.position, around)
        views.append(redact_event_view(recorded, so_far.table if so_far else None, viewer))
        if recorded is not receipt.events[-1]:
            so_far = fold_event(so_far, recorded)
    return masked(now.table, last) if last.dark else now.table, views


def _list_closed_hands(before: Table | None, after: Table) -> list[ClosedHand] | UnsetType:
    closed = after.score.hands[len(before.score.hands) if before else 0 :]
    if not closed:
        return UNSET
    return [ClosedHand(hand=hand.hand, end=hand.end, points=hand.points, totals=hand.totals) for hand in closed]
