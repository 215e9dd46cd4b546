"""What an act of an official must go with: how far a rewind may lead, and what has to follow a ruling."""

from domain import ruling
from domain.errors import Refused
from domain.events import NAMES, Event
from domain.events.game import DisputeRuled, GameRewound
from domain.game import Game


def check_rewind(game: Game, rewound: GameRewound) -> None:
    """Whether whoever took the game back could do so. Raises ``Refused``."""
    if rewound.ruling is None:
        game.check_rewind(rewound.to)
        return
    ruling.rewind(game, rewound.to, rewound.reason, rewound.ruling, rewound.restored)
    if all(one.number != rewound.ruling or one.decision != "rewind" for one in game.docket.rulings):
        raise Refused("no_such_ruling", ruling=rewound.ruling)


def order_due(ruled: Event, following: Event | None) -> str | None:
    """What should have followed a ruling, if it did not: what it orders is recorded with it, in the same commit."""
    if not isinstance(ruled, DisputeRuled):
        return None
    _, ordered = ruling.ORDERED[ruled.decision]
    if ordered is None or (isinstance(following, ruling.Ordered) and type(following) is ordered and following.ruling == ruled.ruling):
        return None
    return f"{NAMES[ordered]} of ruling {ruled.ruling}"
