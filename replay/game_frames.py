"""Timeline of a game: every event, and the table after it, as one viewer may see it.

A viewer who does not see everything gets the effects as ``redact_effects`` redacts them, and:

- the move as it was made, unless a card whose face the mover could see went elsewhere hidden from the viewer: then only its type. That is
  decided from where cards lie, never from which cards they are, so that the omission reveals nothing either;
- of the entries of officials by hand (a move that stood, a rectification) nothing except those effects: no move, no announcement, no
  refusal, for any of these may name a hidden card;
- the restored table of a rewind, masked;
- of a hand whose board another table still plays (``covered``) no move, no card and no mark, only its result;
- of a game in progress that is not live (``dark``) no event at all: each is a stub, its place without a body;
- of a fair deck everything except the secret;
- no digest of the event before: a single hidden card could be found from it by trying all of them.

No viewer except the arbiter gets the reference to a text of people, also where all cards are open: its digest may be one without a salt.
"""

from datetime import datetime

from msgspec import UNSET, Struct
from msgspec.structs import replace

from domain.cards import HIDDEN
from domain.effects import CardsMoved, DetailAnnounced, Effects, Plain
from domain.events import Event
from domain.events import game as events
from domain.events.base import Unreadable, without_text
from domain.events.player import PlayerEvent
from domain.events.ratings import RatingsPublished
from domain.events.series import SeriesEvent
from domain.events.shuffles import ShuffleCommitmentMade, ShuffleJoined, ShuffleOpened, ShuffleRevealed, ShuffleTyped
from domain.events.tournament import TournamentEvent
from domain.game import Game
from domain.opening import OpennessContext
from domain.sight import Viewer, Viewpoint, Who, masked, redact_effects, visible_from
from domain.table import Table
from replay.past import GameStep


class Frame(Struct, frozen=True):
    """An event, redacted for a viewer. ``void``: a later rewind took it back. ``event`` is ``None`` where they may see nothing of it.
    ``table`` is the masked table after it.
    """

    position: int
    name: str
    at: datetime
    by: str
    happened_at: datetime | None
    void: bool
    event: Event | None
    table: Table


def frame(now: Game, who: Viewpoint | Who, around: OpennessContext, step: GameStep) -> Frame:
    """Return a step of the game, redacted for ``who``. ``now`` is the game as it stands: it knows what is open and what is void.
    ``around``: the context of the game.
    """
    recorded, before = step.recorded, step.before or step.after
    # The present openness is used: once a game is open, its past is shown whole.
    stamp, viewer = recorded.stamp, now.viewer(who, recorded.position, around)
    return Frame(
        position=recorded.position,
        name=recorded.name,
        at=stamp.at,
        by=stamp.by,
        happened_at=None if viewer.dark else stamp.happened_at,
        void=now.is_void(recorded.position),
        event=redacted(viewer, before.table, recorded.event),
        table=masked(step.after.table, viewer),
    )


def redacted(viewer: Viewer, before: Table, event: Event) -> Event | None:
    """Return the event, redacted for the viewer; ``None`` where they may see nothing of it. ``before`` is the table before it."""
    if viewer.dark:
        return None
    event = event if viewer.who == "arbiter" else remove_text(event)
    return (
        event
        if viewer.has_full_view or isinstance(event, TournamentEvent | PlayerEvent | SeriesEvent | RatingsPublished)
        else _redacted(viewer, before, event)
    )


def _redacted(viewer: Viewer, before: Table, event: events.GameEvent | Unreadable) -> Event:
    """Return the redacted event. The visible part of each kind is listed: a forgotten kind is a type error."""
    match event:
        case events.MovePlayed() | events.CardsTold():
            return _redacted_play(viewer, before, event)
        case events.IllegalMoveAccepted() | events.TableCorrected() | events.DisputeRaised():
            return _redact_act(viewer, before, event)
        case events.HandDealt() | events.HandEndedEarly():
            return replace(event, effects=redact_effects(viewer, before, event.effects))
        case events.RewindRecorded() | events.OrderLifted():
            return replace(event, restored=event.restored and masked(event.restored, viewer))
        case Unreadable() | ShuffleRevealed():
            return _redact_secrets(event)
        case (
            events.GameOpened()
            | events.HandReported()
            | events.GameSuspended()
            | events.GameResumed()
            | events.GameAbandoned()
            | events.GameAnnulled()
            | events.PlayerSeated()
        ):
            return event
        case (
            events.DisputeRuled()
            | events.DisputeAppealed()
            | events.DisputeWithdrawn()
            | events.PointsAdjusted()
            | events.PlayersCorrected()
            | events.SignatureWithdrawn()
        ):
            return event
        case (
            events.GameMadePublic()
            | events.NoteAdded()
            | events.SheetSigned()
            | ShuffleCommitmentMade()
            | ShuffleJoined()
            | ShuffleOpened()
            | ShuffleTyped()
        ):
            return event


def _redact_act(viewer: Viewer, before: Table, event: events.IllegalMoveAccepted | events.TableCorrected | events.DisputeRaised) -> Event:
    """Return the event without what an official entered by hand, except for its effects."""
    if isinstance(event, events.DisputeRaised):
        return replace(event, refused_move=UNSET)
    event = replace(event, effects=_drop_announcements(redact_effects(viewer, before, event.effects)))
    # The reason of a refusal may depend on cards that the viewer has not seen.
    return replace(event, move=None, code="", rules=()) if isinstance(event, events.IllegalMoveAccepted) else event


def _redact_secrets(event: Unreadable | ShuffleRevealed) -> Event:
    """Return the event without its text or secret. The description of damaged bytes may quote them; and with the secret anybody could make
    the deck again, hidden cards among them.
    """
    return replace(event, problem="") if isinstance(event, Unreadable) else replace(event, secret=None)


def _drop_announcements(effects: Effects) -> Effects:
    """Return the effects without announcements, on which nothing that is folded depends. Marks, zones and phases are those of the game
    (``domain/signs.py``).
    """
    return tuple(effect for effect in effects if not isinstance(effect, DetailAnnounced))


def remove_text(event: Event) -> Event:
    """Return the event without any reference to a text: neither its own, nor those on a sheet that it restores."""
    event = without_text(event)
    if not isinstance(event, events.RewindRecorded | events.OrderLifted) or event.restored is None:
        return event
    score = event.restored.score
    adjustments, lifted = (tuple(replace(one, reason=None) for one in some) for some in (score.adjustments, score.lifted))
    return replace(event, restored=replace(event.restored, score=replace(score, adjustments=adjustments, lifted=lifted)))


def _redacted_play(viewer: Viewer, before: Table, event: events.MovePlayed | events.CardsTold) -> events.MovePlayed | events.CardsTold:
    """Return the redacted move or told cards. Viewers read in the effects what they may see of told cards, and nothing else."""
    seen = redact_effects(viewer, before, event.effects)
    if isinstance(event, events.CardsTold):
        return replace(event, known={}, effects=seen, worth=UNSET)
    return replace(event, move=_redacted_move(viewer, before, event, seen), effects=seen, known=UNSET, lacks=UNSET, worth=UNSET)


def _redacted_move(viewer: Viewer, before: Table, played: events.MovePlayed, seen: Effects) -> Plain:
    if viewer.covered:
        return None
    mover = Viewer(played.seat)
    if viewer.who == played.seat or not any(_keeps_back(mover, before, effect) for effect in seen if isinstance(effect, CardsMoved)):
        return played.move
    return {"type": played.move["type"]} if isinstance(played.move, dict) and "type" in played.move else None


def _keeps_back(mover: Viewer, before: Table, moved: CardsMoved) -> bool:
    """Return whether a card was moved hidden from the viewer although the mover may know it, so that their move may name it."""
    zone = before.zones.get(moved.source)
    return zone is not None and HIDDEN in moved.cards and visible_from(mover, zone) < len(zone.cards)
