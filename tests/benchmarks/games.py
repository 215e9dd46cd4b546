"""Games for measuring: seeded random legal play, as events."""

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice
from random import Random
from uuid import UUID

from msgspec.structs import replace

from domain import codec
from domain.events import Event, GameOpened, HandDealt, MovePlayed, Recorded, Stamp, digest
from domain.game import opening
from domain.games import RULESETS
from domain.games.casino.ruleset import CasinoRulebook
from domain.rules import Move, Rulebook
from domain.sight import Viewer, masked
from domain.table import Table, fold

GAME = UUID(int=1)
STAMP = Stamp(datetime(2026, 1, 1, tzinfo=UTC), "bench")
FEW = 12  # of the legal moves the first dozen is enough to choose from
GIVING_UP = "resign"  # a game that anybody may give up at any time would be over before there is anything to measure


def chosen(rulebook: Rulebook, table: Table, random: Random) -> tuple[int, Move]:
    """A seat to act and one of its first legal moves."""
    seat = random.choice(table.to_act)
    few = list(islice(rulebook.legal(masked(table, Viewer(seat)), seat), FEW))
    return seat, random.choice([move for move in few if move["type"] != GIVING_UP] or few)


def played(seed: int, ruleset: str = "casino", options: dict[str, object] | None = None, seats: int = 2, hands: int = 1) -> Iterator[Event]:
    """A game of so many hands, or fewer if it is won before."""
    rules = RULESETS[ruleset]
    return _played(Random(seed), opening(rules, options or {}, seats), rules.bind(options or {}, seats), hands)


def endless(seed: int) -> Iterator[Event]:
    """Casino without an end: its target, which no game may have, is out of reach."""
    rules = RULESETS["casino"]
    rulebook = rules.bind({}, 2)
    assert isinstance(rulebook, CasinoRulebook)
    return _played(Random(seed), opening(rules, {}, 2), replace(rulebook, options=replace(rulebook.options, target=10**9)), 10**9)


def _played(random: Random, opened: GameOpened, rulebook: Rulebook, hands: int) -> Iterator[Event]:
    yield opened
    table = Table(opened.setup)
    while table.hand < hands and table.phase != "game_over":
        deck = random.sample(rulebook.deck, len(rulebook.deck))
        dealer = table.hand % opened.setup.seats
        effects = rulebook.deal(table, dealer, deck)
        yield HandDealt(dealer, opened.edition, "shuffled", effects)
        table = fold(table, effects)
        while table.in_hand:
            seat, move = chosen(rulebook, table, random)
            effects = rulebook.resolve(table, seat, move)
            yield MovePlayed(seat, move, effects)
            table = fold(table, effects)


def recorded(events: Iterator[Event], game: UUID = GAME) -> list[Recorded]:
    """The events with their stored bytes."""
    history: list[Recorded] = []
    for position, event in enumerate(events, 1):
        link = digest(history[-1].state) if history else None
        history.append(codec.record(game, position, link, STAMP, event))
    return history
