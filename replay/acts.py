"""Checks of acts that span several events: where a rewind may lead, and what has to follow a ruling."""

from domain import ruling
from domain.errors import Refused
from domain.events import NAMES, Event
from domain.events.game import DisputeRuled, GameRewound
from domain.game import Game


def check_rewind(game: Game, rewound: GameRewound) -> None:
    """Raises ``Refused`` if neither the recorder nor the ruling could rewind the game to there."""
    if rewound.ruling is None:
        game.check_rewind(rewound.to)
        return
    ruling.rewind(game, rewound.to, rewound.reason, rewound.ruling, rewound.restored)
    if all(one.number != rewound.ruling or one.decision != "rewind" for one in game.docket.rulings):
        raise Refused("no_such_ruling", ruling=rewound.ruling)


def order_due(ruled: Event, following: Event | None) -> str | None:
    """The event that a ruling orders, if it does not follow at once: both are recorded in the same commit."""
    if not isinstance(ruled, DisputeRuled):
        return None
    _, ordered = ruling.ORDERED[ruled.decision]
    if ordered is None or (isinstance(following, ruling.Ordered) and type(following) is ordered and following.ruling == ruled.ruling):
        return None
    return f"{NAMES[ordered]} of ruling {ruled.ruling}"
