"""Games for measuring: seeded random legal play, as events."""

from collections.abc import Iterator
from datetime import UTC, datetime
from random import Random
from typing import Any
from uuid import UUID

from msgspec.structs import replace

from domain import codec
from domain.events import Event, Recorded, Stamp, digest
from domain.events.game import GameOpened, HandDealt, MovePlayed
from domain.games import RULESETS
from domain.opening import opening
from domain.rules import Rulebook
from replay.sample_games import SampleStep, play_sample_game

GAME = UUID(int=1)
STAMP = Stamp(datetime(2026, 1, 1, tzinfo=UTC), "bench")


def played(seed: int, ruleset: str = "casino", options: dict[str, Any] | None = None, seats: int = 2, hands: int = 1) -> Iterator[Event]:
    """A game of so many hands, or fewer if it is won before."""
    rules = RULESETS[ruleset]
    return _events(opening(rules, options or {}, seats), rules.bind(options or {}, seats), seed, hands)


def endless(seed: int) -> Iterator[Event]:
    """Casino without an end: its target, which no game may have, is out of reach."""
    rules = RULESETS["casino"]
    rulebook: Any = rules.bind({}, 2)
    return _events(opening(rules, {}, 2), replace(rulebook, settled=replace(rulebook.settled, target=10**9)), seed, 10**9)


def _events(opened: GameOpened, rulebook: Rulebook, seed: int, hands: int) -> Iterator[Event]:
    yield opened
    for step in play_sample_game(rulebook, Random(seed)):
        yield event_of(step, opened.edition)
        if step.table.hand == hands and not step.table.in_hand:
            return


def event_of(step: SampleStep, edition: int) -> Event:
    if step.move is None:
        return HandDealt(step.seat, edition, "shuffled", step.effects)
    return MovePlayed(step.seat, step.move, step.effects)


def recorded(events: Iterator[Event], game: UUID = GAME) -> list[Recorded]:
    """The events with their stored bytes."""
    history: list[Recorded] = []
    for position, event in enumerate(events, 1):
        link = digest(history[-1].state) if history else None
        history.append(codec.encode_event(game, position, link, STAMP, event))
    return history
