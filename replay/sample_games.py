"""Random legal games for tests and audits of rules: chance plays every seat by the rules, from what the seat can see. It knows no game.
Where nobody records the order of cards, chance draws it.

Chance is an argument: the same chance gives the same game. If a game offers thousands of moves, listing them all would take longer than
playing: only the first ``FEW`` that the rulebook names are looked at. Among those chance chooses the type of the move first and then one of
this type, so that many melds do not drown the one discard, nor many discards the melds. Moves that only end the hand (giving up) are made
rarely, or most games would be over before they have begun.
"""

from collections.abc import Collection, Iterator, Mapping
from itertools import islice
from random import Random
from typing import Any, cast

from msgspec import Struct
from msgspec.structs import replace

from domain.blocks import block_at
from domain.cards import HIDDEN, Card, Seat
from domain.effects import CardsMoved, Effects, HandClosed
from domain.errors import Refused
from domain.rules import KnownFaces, Move, Rulebook, Ruleset
from domain.setup import FIELD
from domain.sight import Viewer, masked
from domain.table import Table, fold
from domain.unknown_cards.support import Zones

FEW = 24
"""The most legal moves that are listed."""

_RARELY = 300  # one in so many times a seat gives up although it could play on
_MOST_SEATS = 100  # more than any game has; a ruleset names its seats only by refusing wrong numbers


class SampleStep(Struct, frozen=True):
    """A deal (``move`` is None, ``seat`` the dealer, ``deck`` the order of its cards) or a move, and the table that it leads to."""

    seat: Seat
    move: Move | None
    effects: Effects
    table: Table
    deck: tuple[Card, ...] = ()
    known: Zones = {}
    """The cards that are told with the move, because nobody recorded their order."""


def play_sample_game(rulebook: Rulebook, chance: Random) -> Iterator[SampleStep]:
    """Yield a game to its end, which may be far or never come: the caller stops after enough steps."""
    table = Table(rulebook.setup)
    while table.phase != "game_over":
        step = random_move(rulebook, table, chance) if table.in_hand else random_deal(rulebook, table, chance)
        yield step
        table = step.table


def random_deal(rulebook: Rulebook, table: Table, chance: Random) -> SampleStep:
    """Return a shuffled deck, dealt by any seat that the game lets deal."""
    deck = tuple(chance.sample(rulebook.deck, len(rulebook.deck)))
    *others, last = chance.sample(range(rulebook.setup.seats), rulebook.setup.seats)
    # The last seat outside of the loop: its refusal is raised, because then no seat may deal.
    for dealer in others:
        try:
            effects = rulebook.deal(table, dealer, deck)
        except Refused:
            continue
        return SampleStep(dealer, None, effects, fold(table, effects), deck)
    effects = rulebook.deal(table, last, deck)
    return SampleStep(last, None, effects, fold(table, effects), deck)


def random_move(rulebook: Rulebook, table: Table, chance: Random) -> SampleStep:
    """Return a legal move of a seat that is to act. Raises ``ValueError`` if a rulebook lets a seat act that has no move."""
    seat = chance.choice(table.to_act)
    moves = first_moves(rulebook, table, seat)
    while True:
        move = _choose_move(moves, chance)
        known, effects = _resolve_drawing(rulebook, table, seat, move, chance)
        if len(moves) == 1 or not _has_only_hand_end(effects) or chance.randrange(_RARELY) == 0:
            return SampleStep(seat, move, effects, fold(table, effects), known=known)
        moves.remove(move)


def _resolve_drawing(rulebook: Rulebook, table: Table, seat: Seat, move: Move, chance: Random) -> tuple[Zones, Effects]:
    """Return the effects of a move, and the cards told with it. Chance draws which card of a block comes up (QTR-32)."""
    known: Zones = {}
    try:
        return known, rulebook.resolve(table, seat, move)
    except Refused as refused:
        if refused.code != "card_unknown":
            raise
        drawn = set(rulebook.list_named_cards(move))
        for ask in cast("tuple[Mapping[str, Any], ...]", refused.detail["asks"]):
            cards = _draw_cards(table, ask["zone"], ask["places"], drawn, chance)
            known = {**known, ask["zone"]: cards}
            drawn.update(cards)
    return known, rulebook.resolve(table, seat, move, KnownFaces(known))


def _draw_cards(table: Table, zone: str, places: tuple[int, ...], gone: Collection[Card], chance: Random) -> tuple[Card, ...]:
    """Draw a face for each place of a block, ``"?"`` for places that are not asked for. ``gone``: faces that lie elsewhere."""
    cards = [HIDDEN] * (max(places) + 1)
    for place in places:
        block = block_at(table.blocks or (), zone, place)
        assert block, f"place {place} of {zone} is unknown and in no block"
        cards[place] = chance.choice([face for face in block.faces if face not in gone and face not in cards])
    return tuple(cards)


def first_moves(rulebook: Rulebook, table: Table, seat: Seat) -> list[Move]:
    """Return the first few legal moves of the seat, from what it sees; of a block chance may draw any card."""
    seen = replace(masked(table, Viewer(seat)), blocks=table.blocks)
    return list(islice(rulebook.legal(seen, seat), FEW))


def _choose_move(moves: list[Move], chance: Random) -> Move:
    if not moves:
        raise ValueError("a seat is to act that has no legal move")
    kinds: dict[object, list[Move]] = {}
    for move in moves:
        kinds.setdefault(move["type"], []).append(move)
    return chance.choice(kinds[chance.choice([*kinds])])


def _has_only_hand_end(effects: Effects) -> bool:
    """Return whether the end of the hand is the only effect."""
    ends = any(isinstance(effect, HandClosed) for effect in effects)
    return ends and not any(isinstance(effect, CardsMoved) for effect in effects)


def find_minimum_seats(ruleset: Ruleset, options: object) -> int:
    """Return the smallest number of seats that the game allows with these options. Raises ``Refused`` if there is none."""
    refusals: list[Refused] = []
    for seats in range(1, _MOST_SEATS + 1):
        try:
            return ruleset.bind(options, seats).setup.seats
        except Refused as refused:
            refusals.append(refused)
    raise next((refused for refused in refusals if refused.code == "bad_option"), refusals[-1])


def random_record(
    name: str, ruleset: Ruleset, options: Mapping[str, Any], seats: int, chance: Random, most: int | None = None
) -> dict[str, Any]:
    """Return a random game as a portable record (COM-60). After ``most`` moves it simply ends, in the middle of a hand if need be."""
    hands: list[dict[str, Any]] = []
    moves = 0
    rulebook = ruleset.bind(options, seats)
    for step in play_sample_game(rulebook, chance):
        if step.move is None:
            hands.append({"dealer": step.seat, "deck": step.deck, "moves": []})
            continue
        told = {"known": step.known} if step.known else {}
        hands[-1]["moves"].append({"seat": step.seat, "move": step.move, **told})
        moves += 1
        if moves == most:
            break
    effective = rulebook.setup.options if FIELD in options else options
    return {"name": name, "ruleset": ruleset.key, "options": effective, "seats": seats, "hands": hands}
