"""Hypothesis strategies: random tables and random effects, for laws that hold in any game."""

from collections.abc import Callable
from functools import partial
from typing import Any, get_args

from hypothesis import strategies as st

from domain.cards import Card
from domain.effects import (
    BlockAdded,
    CardsMoved,
    DetailAnnounced,
    Effect,
    Effects,
    GameClosed,
    HandClosed,
    HandOpened,
    Known,
    MarkSet,
    Scored,
    Sight,
    SightSet,
    TurnPassed,
    ZoneAdded,
)
from domain.setup import Setup
from domain.sight import PUBLIC, Viewer
from domain.table import Draft, Table, Zone, fold

SEATS = 2
SETUP = Setup("any", {}, SEATS, ((0,), (1,)), ("row",), (0, 0))
VIEWERS = (*(Viewer(seat) for seat in range(SEATS)), PUBLIC)
ZONES = ("a", "b", "c", "d")
SIGHTS = get_args(Sight)

UNIQUE: tuple[Card, ...] = tuple("ABCDEFGHIJKL")
COPIES: tuple[Card, ...] = tuple("AABBBBCCD")
"""Deck with many equal cards, as in games of several packs, where a fold may take the wrong copy."""

UNTOLD: tuple[Card, ...] = tuple("AABC????????")
"""Deck in which most cards are untold."""

texts = st.text(max_size=6)
numbers = st.integers(-(2**63) + 1, 2**63 - 1)
leaves: st.SearchStrategy[Any] = st.none() | st.booleans() | numbers | st.floats(allow_nan=False, allow_infinity=False) | texts


def plains(depth: int = 6) -> st.SearchStrategy[Any]:
    """Return a strategy for every ``Plain``, up to the depth that may be stored."""
    if not depth:
        return leaves
    values = plains(depth - 1)
    return leaves | st.lists(values, max_size=2).map(tuple) | st.dictionaries(texts, values, max_size=2)


facts = st.dictionaries(texts, plains(3), max_size=2)
sights = st.sampled_from(SIGHTS)
owners = st.sampled_from((None, 0, 1))
names = st.sampled_from((*ZONES, "never laid", ""))
cards = st.lists(st.sampled_from((*COPIES, "?", "", "not in this deck")), max_size=4).map(tuple)
small = st.integers(-3, 5)
_signs = st.none() | small

_KINDS: dict[type, st.SearchStrategy[Effect]] = {
    HandOpened: st.builds(HandOpened, small, small),
    ZoneAdded: st.builds(ZoneAdded, names, sights, owners | small, cards),
    SightSet: st.builds(SightSet, names, sights),
    CardsMoved: st.builds(CardsMoved, cards, names, names, st.booleans(), st.booleans()),
    Known: st.builds(Known, names, cards),
    BlockAdded: st.builds(BlockAdded, cards, st.dictionaries(names, st.lists(small, max_size=3).map(tuple), max_size=2)),
    MarkSet: st.builds(MarkSet, texts, plains(2), st.none() | names),
    DetailAnnounced: st.builds(DetailAnnounced, st.none() | small, texts, plains(2)),
    Scored: st.builds(Scored, st.sampled_from(("row", "no row")), st.lists(numbers, max_size=4).map(tuple)),
    TurnPassed: st.builds(TurnPassed, texts, st.none() | small, st.lists(small, max_size=3).map(tuple)),
    HandClosed: st.builds(HandClosed, texts, facts),
    GameClosed: st.builds(GameClosed, st.lists(st.none() | small, max_size=4).map(tuple), facts),
}
assert set(_KINDS) == set(get_args(Effect)), "every word of the vocabulary is tried"

effect_values: st.SearchStrategy[Effect] = st.one_of(*_KINDS.values())
"""Any well-typed effect, sensible or not, as a damaged history may contain it."""

histories: st.SearchStrategy[Effects] = st.lists(effect_values, max_size=10).map(tuple)


def any_tables(deck: tuple[Card, ...] = COPIES) -> st.SearchStrategy[Table]:
    """Return a strategy for tables on which the deck is in zones of every sight and owner."""

    @st.composite
    def build(draw: st.DrawFn) -> Table:
        order = draw(st.permutations(deck))
        cuts = sorted(draw(st.lists(st.integers(0, len(order)), min_size=len(ZONES) - 1, max_size=len(ZONES) - 1)))
        piles = [order[first:last] for first, last in zip([0, *cuts], [*cuts, len(order)], strict=True)]
        zones = {name: Zone(draw(sights), draw(owners), tuple(pile)) for name, pile in zip(ZONES, piles, strict=True)}
        return Table(SETUP, zones, {}, "play", 0, (0,))

    return build()


@st.composite
def sound_moves(draw: st.DrawFn, table: Table, longest: int = 6) -> Effects:
    """Draw effects as a rulebook may give them for one move: cards are in the zones that effects name, none is gained or lost."""
    draft = Draft(table)
    for _ in range(draw(st.integers(1, longest))):
        draft.emit(_draw_sound_effect(draw, draft.table))
    return tuple(draft.effects)


@st.composite
def new_hands(draw: st.DrawFn, deck: tuple[Card, ...] = COPIES) -> Effects:
    """Draw the start of a hand: the whole deck as a face-down zone, the other zones empty, then moves."""
    opened: Effects = (
        HandOpened(1, 0),
        ZoneAdded("a", draw(st.sampled_from(("none", "top"))), None, tuple(draw(st.permutations(deck)))),
        *(ZoneAdded(name, draw(sights), draw(owners)) for name in ZONES[1:]),
    )
    return opened + draw(sound_moves(fold(Table(SETUP), opened), 8))


def _draw_sound_effect(draw: st.DrawFn, table: Table) -> Effect:
    """Draw an effect that may happen on this table.

    Strategies are made of parts that every table has: to build and to check them for each table took most of the time.
    """
    full = [name for name, zone in table.zones.items() if zone.cards]
    free = sorted({"e", "f"} - set(table.zones))
    laid = st.sampled_from(sorted(table.zones))
    possible: list[Callable[[], Effect]] = [
        lambda: SightSet(draw(laid), draw(sights)),
        lambda: MarkSet("sign", draw(_signs), draw(laid) if draw(st.booleans()) else None),
    ]
    possible += [partial(_draw_move, draw, table, name, laid) for name in full] * 2
    possible += [partial(_draw_faces, draw, table, name) for name in full if "?" in table.cards(name)]
    if free:
        possible.append(lambda: ZoneAdded(draw(st.sampled_from(free)), draw(sights), draw(owners)))
    return possible[draw(st.integers(0, len(possible) - 1))]()


def _draw_faces(draw: st.DrawFn, table: Table, zone: str) -> Known:
    """Draw faces for some of the unknown cards; now and then a known one loses its face (QTR-31)."""
    lying = table.cards(zone)
    told = [draw(st.sampled_from("XYZ?")) if card == "?" else draw(st.sampled_from((card, card, "?"))) for card in lying]
    return Known(zone, tuple(told[-draw(st.integers(1, len(lying))) :]))


def _draw_move(draw: st.DrawFn, table: Table, source: str, targets: st.SearchStrategy[str]) -> CardsMoved:
    lying = table.cards(source)
    order = draw(st.permutations(lying))
    going = tuple(order[: draw(st.integers(1, len(lying)))])
    return CardsMoved(going, source, draw(targets), draw(st.booleans()), draw(st.booleans()))
