"""What officials did, decided anew as they wanted it: the numbers and places that follow from it, and whether they could have done it.

How they decided is theirs: which decision, how many points, for whose reasons. No rule says that, and no audit does.
"""

from typing import TypeAlias

from domain import ruling
from domain.errors import Refused
from domain.events import (
    NAMES,
    Act,
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
    MoveStood,
    NoteAdded,
    PlayerSeated,
    PointsAdjusted,
    TableRectified,
)
from domain.game import Game
from domain.rectification import fitted
from domain.rules import Rulebook

_Order: TypeAlias = GameRewound | TableRectified | PointsAdjusted | GameAnnulled
_ORDERS: dict[str, type[_Order]] = {
    "rewind": GameRewound,
    "rectify": TableRectified,
    "adjust": PointsAdjusted,
    "penalty": PointsAdjusted,
    "annul": GameAnnulled,
}


def redone(game: Game, rulebook: Rulebook, act: Act) -> Event:
    """The act as it would be recorded on this game. Raises ``Refused`` and ``Malformed`` where it could not have been done."""
    match act:
        case DisputeRaised():
            return ruling.raised(game, act.position, act.seat, act.claim, suspends=act.suspends)
        case DisputeRuled():
            return ruling.decided(game, act.dispute, act.instance, act.decision, act.reason, act.rules)
        case DisputeAppealed():
            return ruling.appealed(game, act.dispute, act.seat, act.deadline, act.reason, suspends=act.suspends)
        case DisputeWithdrawn():
            return ruling.withdrawn(game, act.dispute, act.reason)
        case PointsAdjusted():
            wanted = ruling.Points(act.party, act.points, act.hand)
            return ruling.adjustments(game, rulebook, (wanted,), act.reason, act.ruling)[0]
        case MoveStood() | TableRectified():
            ruling.check_counts(game)
            ruling.check_ruling(game, act.ruling)
            fitted(game.table, act.effects)
            return act
        case _:
            return _conduct(game, act)


def _conduct(game: Game, act: GameSuspended | GameResumed | GameAbandoned | GameAnnulled | NoteAdded | PlayerSeated) -> Event:
    match act:
        case GameSuspended():
            return ruling.suspended(game, act.reason)
        case GameResumed():
            return ruling.resumed(game, act.reason)
        case GameAbandoned():
            return ruling.abandoned(game, act.reason)
        case GameAnnulled():
            return ruling.annulled(game, act.reason, act.ruling)[0]
        case NoteAdded():
            return ruling.remarked(game, act.text, act.position)
        case PlayerSeated():
            return ruling.seated(game, act.seat, act.player)


def check_rewind(game: Game, rewound: GameRewound) -> None:
    """Whether whoever took the game back could do so. Raises ``Refused``."""
    if rewound.ruling is None:
        game.check_rewind(rewound.to)
        return
    ruling.rewound(game, rewound.to, rewound.reason, rewound.ruling, rewound.restored)
    if all(one.number != rewound.ruling or one.decision != "rewind" for one in game.docket.rulings):
        raise Refused("no_such_ruling", ruling=rewound.ruling)


def order_due(ruled: Event, following: Event | None) -> str | None:
    """What should have followed a ruling, if it did not: what it orders is recorded with it, in the same commit."""
    if not isinstance(ruled, DisputeRuled) or ruled.decision not in _ORDERS:
        return None
    ordered = _ORDERS[ruled.decision]
    if isinstance(following, _Order) and type(following) is ordered and following.ruling == ruled.ruling:
        return None
    return f"{NAMES[ordered]} of ruling {ruled.ruling}"
