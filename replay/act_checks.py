"""Audit checks of acts that span several events: the target of a rewind, and the events that must follow a ruling or a change of points."""

from domain import ruling
from domain.errors import Refused
from domain.events import NAMES, Event
from domain.events.game import Act, DisputeRuled, OrderLifted, PointsAdjusted, RewindRecorded
from domain.game import Game


def check_rewind(game: Game, rewound: RewindRecorded) -> None:
    """Raise ``Refused`` if neither the recorder nor the ruling could rewind the game to there."""
    if rewound.ruling is None:
        game.check_rewind(rewound.to)
        return
    ruling.rewind(game, rewound.to, rewound.reason, rewound.ruling, rewound.restored)
    if all(one.number != rewound.ruling or one.decision != "rewind" for one in game.docket.rulings):
        raise Refused("no_such_ruling", ruling=rewound.ruling)


def has_next_act(act: Act) -> bool:
    """Return whether the act says that another of its kind follows."""
    return isinstance(act, PointsAdjusted | OrderLifted) and act.further is True


def expected_order(ruled: Event, following: Event | None) -> str | None:
    """Return the missing event that a ruling orders, or that has to follow a change of points, if it does not follow at once: all are in
    one commit.
    """
    if isinstance(ruled, PointsAdjusted | OrderLifted):
        same = isinstance(following, PointsAdjusted | OrderLifted) and type(following) is type(ruled) and following.ruling == ruled.ruling
        return None if same else f"{NAMES[type(ruled)]} of the same order"
    if not isinstance(ruled, DisputeRuled):
        return None
    _, ordered = ruling.ORDERED[ruled.decision]
    if ordered is None or (isinstance(following, ruling.Ordered) and type(following) is ordered and following.ruling == ruled.ruling):
        return None
    return f"{NAMES[ordered]} of ruling {ruled.ruling}"
