"""Two games that a reader cannot tell apart: of what lies in them he has seen the same cards, and the others lie otherwise, or nobody knows
them.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Literal, NamedTuple, TypeAlias

from domain.cards import HIDDEN, Card
from domain.effects import CardsMoved, ZoneAdded
from domain.errors import Refused
from domain.sight import PUBLIC, Viewer, Viewpoint, masked, redact_effects, visible_from
from domain.table import Table, fold, pick_cards
from tests.domain.games.conftest import random_game
from tests.domain.games.setups import TRIED
from tests.laws import Playout, Step

Otherwise: TypeAlias = Literal["shuffled", "unknown", "alike"]
"""What became of the cards that the reader has not seen. ``alike``: they lie as they lay, and only what the deck came from is another."""

_LONGEST = 24  # steps of a hand
_TRIES = 40


class Twins(NamedTuple):
    """The steps of a hand, two decks from which they can be played, and whose eyes see no difference; ``eyes`` count steps from 0."""

    key: str
    playout: Playout
    eyes: Viewpoint
    decks: tuple[tuple[Card, ...], tuple[Card, ...]]
    otherwise: Otherwise


def twins(key: str, chance: Random, otherwise: Otherwise, *, until: bool = False, longest: int = _LONGEST) -> Twins:
    """Of a random game of the ruleset, for a random seat. ``until``: it is left in the middle of the hand."""
    for _ in range(_TRIES):
        set_up = chance.choice(TRIED[key]().set_ups)
        playout = random_game(key, set_up._replace(longest=longest + 1), f"twins {chance.random()}")
        closed = next((number for number, step in enumerate(playout.steps, 1) if not step.after.in_hand), len(playout.steps))
        # The hand is not over: what lies in it stays hidden.
        playout = playout._replace(steps=playout.steps[: min(longest, closed - 1)])
        if len(playout.steps) < 4:
            continue
        seat = chance.randrange(playout.rulebook.setup.seats)
        eyes = Viewpoint(seat, len(playout.steps) // 2) if until else Viewpoint(seat)
        for deck in _decks(playout, eyes, chance, otherwise):
            if _is_the_same(playout, eyes, deck):
                return Twins(key, playout, eyes, (playout.steps[0].deck, deck), otherwise)
    raise AssertionError(f"no twins of {key} were found")


def _decks(playout: Playout, eyes: Viewpoint, chance: Random, otherwise: Otherwise) -> Iterator[tuple[Card, ...]]:
    first = playout.steps[0].deck
    if otherwise == "alike":
        yield first
    places = sorted(never_seen(playout.steps, eyes))
    for _ in range(_TRIES if len(places) > 1 else 0):
        deck = list(first)
        if otherwise == "unknown":
            for place in chance.sample(places, chance.randint(1, len(places))):
                deck[place] = HIDDEN
        else:
            chosen = chance.sample(places, chance.randint(2, len(places)))
            for place, other in zip(chosen, chance.sample(chosen, len(chosen)), strict=True):
                deck[place] = first[other]
        if tuple(deck) != first:
            yield tuple(deck)


def never_seen(steps: Sequence[Step], eyes: Viewpoint) -> set[int]:
    """The places in the deck of a hand whose cards these eyes have not seen, nor the public, from the deal to the last step."""
    deck = steps[0].deck
    unseen = set(range(len(deck)))
    zones: dict[str, list[int]] = {}
    for number, step in enumerate(steps):
        for effect in step.effects:
            if isinstance(effect, ZoneAdded):
                zones[effect.zone] = list(reversed(range(len(deck)))) if effect.cards else []
            elif isinstance(effect, CardsMoved):
                source = zones[effect.source]
                going = [source[place] for place in pick_cards(tuple(deck[card] for card in source), effect.cards)]
                zones[effect.source] = [card for card in source if card not in going]
                target = zones[effect.target]
                zones[effect.target] = going + target if effect.under else target + going
                unseen -= set(going) if effect.shown else set()
        for viewer in {Viewer(eyes.at(number)), PUBLIC}:
            for name, zone in step.after.zones.items():
                unseen -= set(zones[name][visible_from(viewer, zone) :])
    return unseen


def _is_the_same(playout: Playout, eyes: Viewpoint, deck: tuple[Card, ...]) -> bool:
    """Whether the same moves can be made from the other deck, and tell the reader the same: what he can infer from a rule is no leak."""
    table: Table = playout.steps[0].before
    for number, step in enumerate(playout.steps):
        viewer = Viewer(eyes.at(number))
        try:
            if step.move is None:
                effects = playout.rulebook.deal(table, step.seat, deck)
            else:
                effects = playout.rulebook.resolve(table, step.seat, step.move)
        except Refused:
            return False
        after = fold(table, effects)
        for reader in (viewer, PUBLIC):
            if redact_effects(reader, table, effects) != redact_effects(reader, step.before, step.effects):
                return False
            if masked(after, reader) != masked(step.after, reader):
                return False
        table = after
    return True


def last_tables(found: Twins) -> tuple[Table, Table]:
    """How both of them stand after the last step."""
    return _played(found, found.decks[0]), _played(found, found.decks[1])


def _played(found: Twins, deck: tuple[Card, ...]) -> Table:
    rulebook, table = found.playout.rulebook, found.playout.steps[0].before
    for step in found.playout.steps:
        effects = rulebook.deal(table, step.seat, deck) if step.move is None else rulebook.resolve(table, step.seat, step.move)
        table = fold(table, effects)
    return table
