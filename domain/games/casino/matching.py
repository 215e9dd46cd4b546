"""Matching of typed Casino lines to moves. Groups are kept as typed, a bare ``x`` takes all it can, and long lists of moves are never made.

Named cards are looked for among the loose ones first, and only moves that use all of them and no others are made. Meanings of longer lines
are looked for in the first moves of the list.
"""

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from itertools import chain, combinations, islice, product
from typing import cast

from domain.cards import Card
from domain.games.casino.legal import Asked, find_maximum_capture, list_narrowed_moves, list_possible_cards
from domain.games.casino.options import Options
from domain.games.casino.table import VALUES, CasinoTable, Groups
from domain.games.casino.typed import announce_value, kinds_of, numbers_of, other_groups, read_groups, sign_of
from domain.notation.letters import CardToken, CardUnit, Cut, Move, Unit, cards_of
from domain.notation.meaning import Fit, fit
from domain.notation.syntax import Meaning, MoveContext

MOST = 200
"""The most moves that are looked at where the line does not name all cards, and the most choices of cards that may be named."""


def match_line(situation: MoveContext, cut: Cut) -> Meaning:
    """Return the moves named completely; where there are none, those of which nothing but the played card is named.

    A number behind ``^`` is a card; where no such card fits, it is the announced value.
    """
    meaning = _match_line(situation, cut)
    if meaning.meant or (announcing := announce_value(cut)) == cut:
        return meaning
    return _match_line(situation, announcing)


def _match_line(situation: MoveContext, cut: Cut) -> Meaning:
    line = _Line(situation, cut)
    if not line.can_be:
        return Meaning()
    meant, sure = line.find_complete_moves()
    listed, all_listed = line.list_matching_moves()
    if meant:
        known = {same(situation.game_options, move) for move in meant}
        return Meaning(meant, tuple(move for how, move in listed if how != "all" and same(situation.game_options, move) not in known), sure)
    some = tuple(move for how, move in listed if how == "some")
    return Meaning(tuple(sorted((move for how, move in listed if how != "some"), key=_count_used, reverse=True)), some, all_listed)


def _count_used(move: Move) -> int:
    """Count the loose cards and builds of a move. A line that names none of them mostly means as many as possible."""
    return sum(map(len, cast("Groups", move.get("groups", ())))) + len(cast("tuple[int, ...]", move.get("builds", ())))


def same(_: object, move: Move) -> Hashable:
    """Return what equal plays have in common: the groups in which the same cards are named make no difference."""
    cards = frozenset(chain.from_iterable(cast("Groups", move.get("groups", ()))))
    builds = frozenset(cast("tuple[int, ...]", move.get("builds", ())))
    return (move["type"], move["card"], cards, builds, move.get("build"), move.get("value"))


def fit_any_order(cut: Cut, units: Sequence[Unit]) -> Fit | None:
    """Return the same as ``fit``, with cards anywhere among signs and numbers: ``3654=`` as well as ``36= 54``."""
    tokens = sorted(cut, key=lambda token: not isinstance(token, CardToken))
    return fit(tuple(tokens), sorted(units, key=lambda unit: not isinstance(unit, CardUnit)))


class _Line:
    """A line in one of its cuts, with the cards that it may name."""

    def __init__(self, situation: MoveContext, cut: Cut) -> None:
        self.situation = situation
        self.options = cast("Options", situation.game_options)
        self.cut = cut
        self.table = CasinoTable(situation.visible_table)
        tokens = cards_of(cut)
        self.others = tokens[1:]
        self.cards = [card for card in list_possible_cards(self.table, situation.seat) if not tokens or card in tokens[0].faces]
        self.names_card = bool(tokens)
        self.kinds = kinds_of(cut)
        self.value = next(iter(numbers_of(cut, "=")), None)

    @property
    def can_be(self) -> bool:
        """Return whether such cards lie there at all."""
        return bool(self.cards and self.kinds) and all(not token.faces.isdisjoint(self.table.board) for token in self.others)

    def find_complete_moves(self) -> tuple[tuple[Move, ...], bool]:
        """Return the moves named completely, and whether every choice of cards was looked at. A card alone names nothing completely: it may
        do anything.
        """
        if not self.names_card or len(self.cut) == 1:
            return (), True
        if len(self.cut) == 2 and sign_of(self.cut[1]) == "x":
            return self._maximum_captures(), True
        choices = list(islice(_choices(self.others, self.table.board), MOST + 1))
        return tuple(chain.from_iterable(map(self._using, choices[:MOST]))), len(choices) <= MOST

    def _using(self, cards: tuple[Card, ...]) -> Iterator[Move]:
        """Yield the moves that use all these cards, in the groups of the line where they are groups of the value."""
        for move in self._moves(cards, whole=True):
            if self._fit(move) == "all":
                yield self._as_typed(move, read_groups(self.cut, (cast("Card", move["card"]), *cards)))

    def _maximum_captures(self) -> tuple[Move, ...]:
        """Return for each card the capture that holds all others (NOT-4)."""
        largest = (find_maximum_capture(self.options, self.table, self.situation.seat, card) for card in self.cards)
        return tuple(move for move in largest if move)

    def list_matching_moves(self) -> tuple[tuple[tuple[Fit, Move], ...], bool]:
        """Return the first moves that fit in any way, each with how it fits, and whether these are all."""
        moves = list(islice(self._moves(self.table.board), MOST + 1))
        return tuple((how, move) for move in moves[:MOST] if (how := self._fit(move))), len(moves) <= MOST

    def _moves(self, board: Sequence[Card], *, whole: bool = False) -> Iterator[Move]:
        return list_narrowed_moves(self.options, self.table, self.situation.seat, Asked(self.cards, board, self.kinds, self.value, whole))

    def _fit(self, move: Move) -> Fit | None:
        return fit_any_order(self.cut, self.situation.notation.units(move))

    def _as_typed(self, move: Move, typed: Groups) -> Move:
        groups = typed if move["type"] in ("build", "add") else other_groups(typed)
        values = VALUES[self.options.variant]
        fits = any(all(value in values.makes(group) for group in groups) for value in self._values_of(move))
        return {**move, "groups": groups} if fits else move

    def _values_of(self, move: Move) -> tuple[int, ...]:
        """Return the values that the groups of the move may have."""
        builds = self.table.builds
        match move:
            case {"type": "capture", "card": str(card), "builds": tuple(taken)}:
                captures = VALUES[self.options.variant].captures[card]
                return tuple(value for value in captures if all(builds[build].value == value for build in cast("tuple[int, ...]", taken)))
            case {"type": "add", "build": int(build)}:
                return (builds[build].value,)
            case {"value": int(value)}:
                return (value,)
            case _:
                return ()


def _choices(tokens: Sequence[CardToken], board: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
    """Yield the loose cards that the tokens may be, in their order, every set of cards once."""
    alike = Counter(token.faces for token in tokens)
    seen = set()
    for chosen in product(*(combinations([card for card in board if card in faces], number) for faces, number in alike.items())):
        cards = frozenset(chain.from_iterable(chosen))
        if len(cards) == len(tokens) and cards not in seen:
            seen.add(cards)
            coming = {faces: iter(some) for faces, some in zip(alike, chosen, strict=True)}
            yield tuple(next(coming[token.faces]) for token in tokens)
