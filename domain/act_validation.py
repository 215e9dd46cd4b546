"""Acts of officials (rulings, disputes, corrections), validated against the game as it stands. Pure, like ``Game`` itself; a refused act
changes nothing.

One function serves both callers: the command that records an act, and the audit that checks whether a recorded act was possible. Officials
decide, and give their reasons, by their own judgement; here it is only checked that the act fits the game.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, TypeAlias, TypeVar, assert_never
from uuid import UUID

from msgspec import UNSET
from msgspec.structs import replace

from domain.dispute import Dispute, RulingOrder
from domain.effects import GameClosed
from domain.errors import InvalidFormatError, Refused
from domain.events import Recorded, Stamp
from domain.events import game as events
from domain.game import Game, fold_event
from domain.opening import check_players
from domain.paper import Signature, sheet_digest
from domain.rules import Rulebook
from domain.score import Sheet, sheet
from domain.table_changes import correct_table
from domain.texts import say

Rules: TypeAlias = Callable[[], Rulebook]
"""The rulebook of the game, for acts that need one: most are possible also where no rulebook of it is kept."""


DECIDED_BY: Mapping[events.Decision, tuple[events.Instance, ...]] = {
    "stands": ("arbiter", "committee"),
    "rewind": ("arbiter", "committee"),
    "rectify": ("arbiter", "committee"),
    "adjust": ("arbiter", "committee"),
    "penalty": ("arbiter", "committee"),
    "annul": ("arbiter", "committee"),
    "overturn": ("committee",),
}
"""The instances that may decide a dispute in each way."""


def complete_act(game: Game, act: events.Act, rules: Rules) -> events.Act:
    """Return the act as it is recorded on this game. Numbers, places and effects that follow from the game are filled in; those of ``act``
    are ignored.

    Raises ``Refused``, and ``InvalidFormatError`` with ``bad_players`` for a player who already sits there, on this seat or another, or for
    another number of players than of seats.
    """
    if isinstance(act, events.DisputeAct):
        return _complete_dispute(game, act)
    if isinstance(act, events.CorrectingAct):
        return _complete_change(game, act, rules)
    if isinstance(act, events.SigningAct):
        return _complete_signature(game, act)
    if isinstance(act, events.StandingAct):
        _check_standing(game, act)
        return act
    match act:
        case events.OrderLifted():
            return lift_order(game, act, rules())
        case events.HandEndedEarly():
            return _stop_hand(game, act, rules())
        case events.NoteAdded(position=position):
            _check_position(game, game.position if position is None else position)
            return act
        case events.PlayerSeated():
            _check_seats(game, act)
            return act
        case events.PlayersCorrected():
            _check_players(game, act)
            return act


def _complete_signature(game: Game, act: events.SigningAct) -> events.Act:
    match act:
        case events.SheetSigned():
            _check_signs(game, act)
            return act
        case events.SignatureWithdrawn():
            return replace(act, party=_standing_signature(game, act.position).party)


def _complete_dispute(game: Game, act: events.DisputeAct) -> events.Act:
    match act:
        case events.DisputeRaised():
            _check_position(game, act.position)
            _check_seat(game, act.seat)
            return replace(act, number=len(game.docket.disputes) + 1)
        case events.DisputeRuled():
            return number_ruling(game, act)
        case events.DisputeAppealed():
            _check_seat(game, act.seat)
            if _dispute(game, act.dispute).stage != "ruled":
                raise Refused("nothing_to_appeal", dispute=act.dispute)
            return act
        case events.DisputeWithdrawn():
            # An appeal may be withdrawn too; the ruling then stands.
            if _dispute(game, act.dispute).stage not in ("open", "appealed"):
                raise Refused("dispute_closed", dispute=act.dispute)
            return act


def _complete_change(game: Game, act: events.CorrectingAct, rules: Rules) -> events.Act:
    check_corrects(game, act.ruling)
    match act:
        case events.TableCorrected(effects=effects):
            correct_table(game.table, effects)
            return act
        case events.IllegalMoveAccepted(effects=effects):
            correct_table(game.table, effects)
            return replace(act, imported=act.imported or UNSET)
        case events.PointsAdjusted():
            return replace(place_points(game, act, rules()), imported=act.imported or UNSET)
        case events.GameAnnulled():
            return act


def number_ruling(game: Game, ruling: events.DisputeRuled) -> events.DisputeRuled:
    """Return the ruling with the next number of its game. Raises ``Refused`` if this instance may not give it."""
    if ruling.instance not in DECIDED_BY[ruling.decision]:
        raise Refused("committee_overturns")
    _check_decision_level(game, ruling.dispute, ruling.instance)
    return replace(ruling, ruling=len(game.docket.rulings) + 1)


def _check_decision_level(game: Game, number: int | None, instance: events.Instance) -> None:
    """Raise ``Refused`` unless this instance may decide now: on appeal only the committee, otherwise an arbiter, once."""
    if number is None:
        if instance == "committee":
            raise Refused("nothing_appealed")
        return
    stage = _dispute(game, number).stage
    if stage == "appealed" and instance != "committee":
        raise Refused("committee_decides", dispute=number)
    if stage != "appealed" and instance == "committee":
        raise Refused("nothing_appealed", dispute=number)
    if stage in ("ruled", "withdrawn"):
        raise Refused("dispute_closed", dispute=number, stage=stage)


def _dispute(game: Game, number: int) -> Dispute:
    found = game.docket.dispute(number)
    if found is None:
        raise Refused("no_such_dispute", dispute=number)
    return found


def _stop_hand(game: Game, act: events.HandEndedEarly, rulebook: Rulebook) -> events.HandEndedEarly:
    """Return the stop of the hand in progress because time is up. A hand that does not count is struck out; then the points that rulings
    gave or took while it was played are checked for the end of the game.
    """
    game.docket.check_play()
    if game.table.phase == "game_over":
        raise Refused("game_over", "COM-23")
    if not game.table.in_hand:
        raise Refused("no_hand_to_stop", "COM-43")
    stopped = rulebook.stop(game.table)
    act = events.HandEndedEarly(stopped.effects, stopped.counts, act.reason)
    after = after_act(game, act)
    return act if after.table.score.places else replace(act, effects=(*act.effects, *_end_by_points(after, rulebook)))


def place_points(game: Game, act: events.PointsAdjusted, rulebook: Rulebook) -> events.PointsAdjusted:
    """Return the adjustment with new places if the game is over, and with the end of the game if these points end it (COM-42)."""
    _check_party(game, act.party)
    if act.hand is not None and all(hand.hand != act.hand for hand in game.table.score.hands):
        raise Refused("hand_not_finished", hand=act.hand)
    return replace(act, **_resolve_places(after_act(game, _without_places(act)), rulebook, further=act.further is True))


ByPoints = TypeVar("ByPoints", events.PointsAdjusted, events.OrderLifted)


def _without_places(act: ByPoints) -> ByPoints:
    """Return the act without places and effects. The fold then keeps the old places, so the score after it still says whether the game was
    over before.
    """
    return replace(act, places=None, effects=UNSET)


def _resolve_places(after: Game, rulebook: Rulebook, *, further: bool) -> dict[str, Any]:
    """Return the fields ``places`` and ``effects`` of an act that gave, took or lifted points."""
    if after.table.score.places is not None:
        return {"places": rulebook.places(_sheet(after)), "effects": UNSET}
    closed = () if further else _end_by_points(after, rulebook)
    return {"places": closed[0].places if closed else None, "effects": closed or UNSET}


def _end_by_points(game: Game, rulebook: Rulebook) -> tuple[GameClosed, ...]:
    """Return the end of the game if the points bring it (COM-42): between two hands they are checked as at the end of the last hand."""
    between = game.table.phase == "hand_over" and game.table.score.hands
    closed = rulebook.closing(_sheet(game)) if between else None
    return (closed,) if closed else ()


def _sheet(game: Game) -> Sheet:
    return sheet(game.setup, game.table.score)


def standing_orders(game: Game, ruling: int) -> tuple[RulingOrder, ...]:
    """Return the orders of the ruling that still count, in the order in which they were given."""
    return tuple(one for one in game.docket.orders if one.ruling == ruling and not game.is_void(one.position))


def lift_order(game: Game, act: events.OrderLifted, rulebook: Rulebook) -> events.OrderLifted:
    """Return the act with its consequences for the end of the game. Raises ``Refused`` if this ruling did not give that order, or if no
    overturning ruling lifts it.

    A game that is over stays over when points are lifted, unless it was over only because of them.
    """
    order = next((one for one in standing_orders(game, act.lifted) if one.position == act.position), None)
    overturning = game.docket.ruling(act.ruling)
    if order is None or overturning is None or overturning.decision != "overturn" or (order.kind == "points") != (act.restored is None):
        raise Refused("nothing_to_lift", ruling=act.lifted)
    if order.kind != "annulment":
        check_counts(game)
    after, further = after_act(game, replace(_without_places(act), reopened=UNSET)), act.further is True
    if act.restored is not None:
        places = None if after.table.score.places is None else rulebook.places(_sheet(after))
        return replace(act, places=places, effects=UNSET, reopened=UNSET)
    if not further and after.docket.closed_by in after.docket.lifted and rulebook.closing(_sheet(after)) is None:
        return replace(act, places=None, effects=UNSET, reopened=True)
    return replace(act, **_resolve_places(after, rulebook, further=further), reopened=UNSET)


def _check_standing(game: Game, act: events.StandingAct) -> None:
    match act:
        case events.GameSuspended():
            game.docket.check_play()
        case events.GameResumed():
            _check_resumes(game)
        case events.GameAbandoned():
            _check_not_over(game)
        case events.GameMadePublic():
            if game.docket.disclosed:
                raise Refused("disclosed_already")
        case _:
            assert_never(act)


def _check_resumes(game: Game) -> None:
    """Raise ``Refused`` unless the game can be resumed. It resumes whether an official or an open dispute suspended it."""
    if game.docket.standing == "open":
        raise Refused("not_suspended")
    if game.docket.standing != "suspended":
        game.docket.check_play()


def _check_not_over(game: Game) -> None:
    if game.docket.ended:
        game.docket.check_play()
    if game.table.phase == "game_over":
        raise Refused("game_over", "COM-23")


def _check_seats(game: Game, act: events.PlayerSeated) -> None:
    check_counts(game)
    _check_seat(game, act.seat)
    if act.player is not None and act.player in game.opened.players:
        raise InvalidFormatError("bad_players", say("players.seated_twice"), "player")


def check_seating(game: Game) -> None:
    """Raise ``Refused`` in a game that is over. For commands alone: earlier versions recorded it, and such histories stay sound."""
    check_counts(game)
    if not game.is_in_progress:
        raise Refused("game_over", "COM-23", problem="players")


def _check_players(game: Game, act: events.PlayersCorrected) -> None:
    check_counts(game)
    check_players(game.setup, act.players)
    before = game.position_before(act.from_hand)
    if before is None:
        raise Refused("hand_not_dealt", hand=act.from_hand)
    if act.players == game.opened.players and all(one.position <= before for one in game.departures):
        raise Refused("nothing_changes", problem="players", hand=act.from_hand)


def _check_signs(game: Game, act: events.SheetSigned) -> None:
    """Raise ``Refused`` unless the party can sign the sheet as it stands. A party signs a sheet once; without a finished hand that counts
    there is nothing to sign.
    """
    _check_party(game, act.party)
    _check_position(game, act.position)
    if not game.table.score.hands:
        raise Refused("nothing_to_sign")
    if act.digest != sheet_digest(_sheet(game)):
        raise Refused("sheet_changed", position=game.position)
    for one in game.signatures:
        if (one.party, one.digest) == (act.party, act.digest):
            raise Refused("signed_already", party=act.party, position=one.position)


def _standing_signature(game: Game, position: int) -> Signature:
    """Return the signature that was given at a position. Raises ``Refused`` unless the sheet is still the signed one."""
    for one in game.signatures:
        if one.position == position and one.changed_at is None:
            return one
    raise Refused("not_signed", position=position)


def _check_party(game: Game, party: int) -> None:
    if not 0 <= party < len(game.setup.parties):
        raise Refused("no_such_party", party=party)


def _check_position(game: Game, position: int) -> None:
    if not 1 <= position <= game.position:
        raise Refused("no_such_position", position=position, last=game.position)


def _check_seat(game: Game, seat: int | None) -> None:
    if seat is not None and not 0 <= seat < game.setup.seats:
        raise Refused("no_such_seat", seat=seat)


def check_counts(game: Game) -> None:
    """Raise ``Refused`` for an annulled game: it counts for nothing, so there is nothing in it to correct."""
    if game.docket.ended == "annulled":
        game.docket.check_play()


def check_corrects(game: Game, ruling: int | None) -> None:
    """Raise ``Refused`` if the game is annulled, or if there is no ruling with this number."""
    check_counts(game)
    if ruling is not None:
        check_ruling(game, ruling)


def check_ruling(game: Game, ruling: int) -> None:
    """Raise ``Refused`` if there is no ruling with this number."""
    if game.docket.ruling(ruling) is None:
        raise Refused("no_such_ruling", ruling=ruling)


# An act that is only tried has no time and no principal yet; no decision here reads them.
_UNSTAMPED = Stamp(datetime.min.replace(tzinfo=UTC), "")


def after_act(game: Game, act: events.Act) -> Game:
    """Return the game as it stands after an act that is not recorded yet."""
    return replace(fold_event(game, Recorded(UUID(int=0), game.position + 1, "", _UNSTAMPED, None, act, b"")), last=game.last)
