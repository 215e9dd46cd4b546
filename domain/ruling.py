"""What officials decide about a game, as events. Like ``Game`` itself: pure, and nothing is recorded that is refused."""

from collections.abc import Sequence
from datetime import UTC, datetime
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain.cards import Seat
from domain.dispute import Dispute
from domain.effects import plain
from domain.errors import Malformed, Refused
from domain.events import (
    Act,
    Decision,
    DisputeAppealed,
    DisputeRaised,
    DisputeRuled,
    DisputeWithdrawn,
    Event,
    GameAbandoned,
    GameAnnulled,
    GameResumed,
    GameRewound,
    GameSuspended,
    Instance,
    MoveStood,
    NoteAdded,
    PlayerSeated,
    PointsAdjusted,
    Recorded,
    Stamp,
    TableRectified,
    TextRef,
)
from domain.game import Game, evolve
from domain.rectification import rectifying
from domain.rules import Rulebook
from domain.score import Adjustment, adjusted, sheet
from domain.table import Table


class Points(Struct, frozen=True):
    """To add to the points of a party, or to take away; ``hand`` is a finished one, or none in particular."""

    party: int
    points: int
    hand: int | None = None


class Order(Struct, frozen=True):
    """What a ruling orders besides its words, by its decision: ``to`` with ``restored``, ``effects`` or ``adjustments``."""

    to: int | None = None
    restored: Table | None = None
    effects: object = None
    adjustments: tuple[Points, ...] = ()


_ORDERED: dict[Decision, str | None] = {
    "stands": None,
    "rewind": "to",
    "rectify": "effects",
    "adjust": "adjustments",
    "penalty": "adjustments",
    "annul": None,
}


def raised(game: Game, position: int, seat: Seat | None, claim: TextRef | None, *, suspends: bool) -> DisputeRaised:
    _check_position(game, position)
    _check_seat(game, seat)
    return DisputeRaised(len(game.docket.disputes) + 1, position, seat, claim, suspends)


def ruled(
    game: Game,
    rulebook: Rulebook,
    dispute: int | None,
    instance: Instance,
    decision: Decision,
    reason: TextRef | None,
    rules: Sequence[str],
    order: Order,
) -> tuple[Event, ...]:
    """The ruling, then what it orders. Raises ``Refused``, and ``Malformed`` where decision and order do not fit."""
    _check_order(decision, order)
    ruling = decided(game, dispute, instance, decision, reason, rules)
    number, after = ruling.ruling, _after(game, ruling)
    match decision:
        case "stands":
            return (ruling,)
        case "rewind":
            assert order.to is not None
            return (ruling, rewound(after, order.to, reason, number, order.restored))
        case "rectify":
            return (ruling, rectified(after, rulebook, order.effects, reason, number))
        case "adjust" | "penalty":
            return (ruling, *adjustments(after, rulebook, order.adjustments, reason, number))
        case "annul":
            return (ruling, *annulled(after, reason, number))


def decided(
    game: Game, dispute: int | None, instance: Instance, decision: Decision, reason: TextRef | None, rules: Sequence[str]
) -> DisputeRuled:
    """The ruling without what it orders. Raises ``Refused``."""
    _check_stage(game, dispute, instance)
    return DisputeRuled(len(game.docket.rulings) + 1, dispute, instance, decision, reason, tuple(rules))


def _check_order(decision: Decision, order: Order) -> None:
    wanted = _ORDERED[decision]
    given = {"to": order.to is not None, "effects": order.effects is not None, "adjustments": bool(order.adjustments)}
    for name, there in given.items():
        if there != (name == wanted):
            verb = "needs" if name == wanted else "does not go with"
            raise Malformed("malformed_body", f"the decision {decision!r} {verb} {name!r}", name)


def _check_stage(game: Game, number: int | None, instance: Instance) -> None:
    """On appeal the committee decides, and nobody else; otherwise an arbiter, once."""
    if number is None:
        if instance == "committee":
            raise Refused("nothing_appealed")
        return
    stage = dispute_of(game, number).stage
    if stage == "appealed" and instance != "committee":
        raise Refused("committee_decides", dispute=number)
    if stage != "appealed" and instance == "committee":
        raise Refused("nothing_appealed", dispute=number)
    if stage in ("ruled", "withdrawn"):
        raise Refused("dispute_closed", dispute=number, stage=stage)


def dispute_of(game: Game, number: int) -> Dispute:
    """Raises ``Refused``."""
    found = game.docket.dispute(number)
    if found is None:
        raise Refused("no_such_dispute", dispute=number)
    return found


def appealed(
    game: Game, number: int, seat: Seat | None, deadline: datetime | None, reason: TextRef | None, *, suspends: bool
) -> DisputeAppealed:
    _check_seat(game, seat)
    if dispute_of(game, number).stage != "ruled":
        raise Refused("nothing_to_appeal", dispute=number)
    return DisputeAppealed(number, seat, deadline, reason, suspends)


def withdrawn(game: Game, number: int, reason: TextRef | None) -> DisputeWithdrawn:
    """An appeal may be withdrawn too; the ruling then stands."""
    if dispute_of(game, number).stage not in ("open", "appealed"):
        raise Refused("dispute_closed", dispute=number)
    return DisputeWithdrawn(number, reason)


def rewound(game: Game, to: int, reason: TextRef | None, ruling: int, restored: Table | None) -> GameRewound:
    """To any position that stands, also of an earlier hand. ``restored`` is the table as it stood there."""
    check_counts(game)
    last = game.position
    if not 1 <= to < last or restored is None:
        raise Refused("rewind_ahead", to=to, position=last)
    if game.was_left(to):
        raise Refused("rewind_to_void", to=to)
    return GameRewound(to, reason, ruling, restored)


def rectified(game: Game, rulebook: Rulebook, effects: object, reason: TextRef | None, ruling: int | None) -> TableRectified:
    check_counts(game)
    check_ruling(game, ruling)
    return TableRectified(rectifying(rulebook, game.table, effects), reason, ruling)


def stood(
    game: Game, rulebook: Rulebook, seat: object, move: object, effects: object, reason: TextRef | None, ruling: int | None
) -> MoveStood:
    """An illegal move that stood. Raises ``Refused`` with ``move_is_legal`` where there is nothing to let stand."""
    check_counts(game)
    check_ruling(game, ruling)
    if type(seat) is not int or not 0 <= seat < game.setup.seats:
        raise Refused("no_such_seat", seat=seat)
    try:
        rulebook.resolve(game.table, seat, move)
    except Refused as refused:
        try:
            kept = plain(move)
        except ValueError:
            raise refused from None
        return MoveStood(seat, kept, refused.code, refused.rules, rectifying(rulebook, game.table, effects), reason, ruling)
    raise Refused("move_is_legal")


def adjustments(
    game: Game, rulebook: Rulebook, points: Sequence[Points], reason: TextRef | None, ruling: int | None
) -> tuple[PointsAdjusted, ...]:
    """One event for each; of a game that is over the places are reckoned anew after each."""
    check_counts(game)
    check_ruling(game, ruling)
    score, made = game.table.score, []
    for index, one in enumerate(points):
        _check_points(game, one)
        text = reason.id if reason else None
        adjustment = Adjustment(game.position + 1 + index, one.hand, one.party, one.points, text, ruling)
        score = adjusted(score, adjustment, None)
        places = None if score.places is None else rulebook.places(sheet(game.setup, score))
        made.append(PointsAdjusted(one.hand, one.party, one.points, reason, ruling, places))
    return tuple(made)


def _check_points(game: Game, one: Points) -> None:
    if not 0 <= one.party < len(game.setup.parties):
        raise Refused("no_such_party", party=one.party)
    if one.hand is not None and all(hand.hand != one.hand for hand in game.table.score.hands):
        raise Refused("hand_not_finished", hand=one.hand)


def annulled(game: Game, reason: TextRef | None, ruling: int | None) -> tuple[GameAnnulled]:
    check_counts(game)
    check_ruling(game, ruling)
    return (GameAnnulled(reason, ruling),)


def suspended(game: Game, reason: TextRef | None) -> GameSuspended:
    game.docket.check_play()
    return GameSuspended(reason)


def resumed(game: Game, reason: TextRef | None) -> GameResumed:
    """Lifts every suspension, that of an open dispute too."""
    if game.docket.standing == "open":
        raise Refused("not_suspended")
    if game.docket.standing != "suspended":
        game.docket.check_play()
    return GameResumed(reason)


def abandoned(game: Game, reason: TextRef | None) -> GameAbandoned:
    if game.docket.ended:
        game.docket.check_play()
    if game.table.phase == "game_over":
        raise Refused("game_over", "COM-23")
    return GameAbandoned(reason)


def seated(game: Game, seat: Seat, player: str | None) -> PlayerSeated:
    """Raises ``Malformed`` with ``bad_players`` if he sits there already, on this seat or another."""
    check_counts(game)
    _check_seat(game, seat)
    if player is not None and player in game.opened.players:
        raise Malformed("bad_players", "nobody sits on two seats, or twice on one", "player")
    return PlayerSeated(seat, player)


def remarked(game: Game, text: TextRef | None, position: int | None) -> NoteAdded:
    if position is not None:
        _check_position(game, position)
    return NoteAdded(text, position)


def _check_position(game: Game, position: int) -> None:
    if not 1 <= position <= game.position:
        raise Refused("no_such_position", position=position, last=game.position)


def check_counts(game: Game) -> None:
    """An annulled game counts for nothing any more; there is nothing in it to put right. Raises ``Refused``."""
    if game.docket.ended == "annulled":
        game.docket.check_play()


def check_ruling(game: Game, ruling: int | None) -> None:
    """Whether the ruling that is named was given. Raises ``Refused``."""
    if ruling is not None and all(one.number != ruling for one in game.docket.rulings):
        raise Refused("no_such_ruling", ruling=ruling)


def _check_seat(game: Game, seat: Seat | None) -> None:
    if seat is not None and not 0 <= seat < game.setup.seats:
        raise Refused("no_such_seat", seat=seat)


_UNSTAMPED = Stamp(datetime.min.replace(tzinfo=UTC), "")


def _after(game: Game, act: Act) -> Game:
    """The game as it stands after an act that is not recorded yet."""
    return replace(evolve(game, Recorded(UUID(int=0), game.position + 1, "", _UNSTAMPED, None, act, b"")), last=game.last)
