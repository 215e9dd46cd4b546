"""The laws of ``tests/laws.py`` over every game, and planted errors that they must find."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from typing import Any

import pytest
from msgspec import UNSET

from domain.cards import HIDDEN, Card, Seat
from domain.effects import CardsMoved, DetailAnnounced, Effects, GameClosed, MarkSet, SightSet, TurnPassed, ZoneAdded
from domain.errors import Refused
from domain.games import RULESETS
from domain.notation.card_names import CardNames
from domain.notation.syntax import Notation
from domain.rules import NOTHING_TOLD, KnownFaces, Move, Rulebook, StopEffects
from domain.score import Sheet
from domain.setup import Setup
from domain.sight import PUBLIC, masked
from domain.signs import Signs
from domain.table import Table, fold
from tests import laws
from tests.domain.games.conftest import played
from tests.domain.games.every_law import EVERY_LAW, QUICK_LAWS, breaches, hidden_columns
from tests.domain.games.setups import TRIED
from tests.laws import Breaches, Playout

LOOKS, LONGEST = 2, 200  # steps; of a game that takes longer the next hands are as the ones before


def found(breaches: Iterator[str]) -> list[str]:
    """The first few: enough to see what is wrong."""
    return list(islice(breaches, 5))


def covering(playouts: Sequence[Playout]) -> Iterator[Playout]:
    """The shortest games that have every number of seats and every value of an option among them, but for the longest."""
    seen: set[object] = set()
    for playout in sorted((one for one in playouts if len(one.steps) <= LONGEST), key=lambda playout: len(playout.steps)):
        setup = playout.rulebook.setup
        has = {setup.seats, *((name, laws.strictly(value)) for name, value in setup.options.items())}
        if not has <= seen:
            yield playout._replace(looks=LOOKS)
        seen |= has


@pytest.mark.parametrize("key", sorted(RULESETS))
def test_the_laws_hold_in_random_games(key: str):
    """More by ``./run law``."""
    playouts = played(key)
    assert found(chain.from_iterable(in_game(playout, QUICK_LAWS) for playout in playouts)) == []
    assert found(chain.from_iterable(in_game(playout, EVERY_LAW) for playout in covering(playouts))) == []


def in_game(playout: Playout, held: Sequence[Callable[[Playout], Breaches]]) -> Iterator[str]:
    return (f"{playout.seed}: {breach}" for breach in breaches(playout, held))


def test_every_ruleset_is_tried():
    assert set(TRIED) == set(RULESETS)


@pytest.mark.parametrize("key", sorted(RULESETS))
def test_a_deck_has_no_card_called_what_a_hidden_card_is_called(key: str):
    assert HIDDEN not in played(key)[0].rulebook.deck


@pytest.fixture(params=["cascades", "casino"])
def any_playout(request: pytest.FixtureRequest) -> Playout:
    """A short game of several seats, and one of a solitaire: laws know no other differences."""
    return min(played(request.param)[:4], key=lambda game: len(game.steps))


# The laws have teeth: a rulebook that is wrong in one thing is found


class Planted:
    """Says what the true rulebook says; what a subclass spoils is the error."""

    def __init__(self, true: Rulebook) -> None:
        self.true = true

    @property
    def setup(self) -> Setup:
        return self.true.setup

    @property
    def deck(self) -> tuple[Card, ...]:
        return self.true.deck

    @property
    def signs(self) -> Signs:
        return self.true.signs

    @property
    def notation(self) -> Notation | None:
        return self.true.notation

    @property
    def card_names(self) -> CardNames:
        return self.true.card_names

    def with_codes(self, move: object) -> object:
        return self.true.with_codes(move)

    def places(self, sheet: Sheet) -> tuple[int | None, ...]:
        return self.true.places(sheet)

    @property
    def types(self) -> tuple[str, ...]:
        return self.true.types

    def list_named_cards(self, move: Move) -> tuple[Card, ...]:
        return self.true.list_named_cards(move)

    def closing(self, sheet: Sheet) -> GameClosed | None:
        return self.true.closing(sheet)

    def stop(self, table: Table) -> StopEffects:
        return self.true.stop(table)

    def deal(self, table: Table, dealer: object, deck: object, known: object = UNSET) -> Effects:
        return self.true.deal(table, dealer, deck, known)

    def group_known_cards(self, table: Table, dealer: Seat, deck: Sequence[Card]) -> dict[str, tuple[Card, ...]]:
        return self.true.group_known_cards(table, dealer, deck)

    def report(self, table: Table, dealer: object, result: object) -> Effects:
        return self.true.report(table, dealer, result)

    def resolve(self, table: Table, seat: object, move: object, told: KnownFaces = NOTHING_TOLD) -> Effects:
        return self.spoil(table, self.true.resolve(table, seat, move, told))

    def resolve_without_checks(self, table: Table, seat: Seat, move: object) -> Effects:
        return self.true.resolve_without_checks(table, seat, move)

    def tell(self, table: Table, known: object, worth: object = UNSET) -> Effects:
        return self.true.tell(table, known, worth)

    def spoil(self, table: Table, effects: Effects) -> Effects:
        return effects

    def legal(self, table: Table, seat: Seat) -> Iterator[Move]:
        return self.true.legal(table, seat)

    def view(self, table: Table) -> dict[str, Any]:
        return self.true.view(table)


def hidden_cards(table: Table) -> list[Card]:
    """What nobody sees, whoever sits there; where there is nothing like that, what not everybody sees."""
    zones = masked(table, PUBLIC).zones
    hidden = [
        card for name, zone in table.zones.items() for card, seen in zip(zone.cards, zones[name].cards, strict=True) if seen == HIDDEN
    ]
    return [card for zone in table.zones.values() if zone.sight == "none" for card in zone.cards] or hidden


class SaysAHiddenCard(Planted):
    def spoil(self, table: Table, effects: Effects) -> Effects:
        return (*effects, DetailAnnounced(None, "hint", {"cards": (*hidden_cards(table)[:1],)}))


class MarksAHiddenCard(Planted):
    def spoil(self, table: Table, effects: Effects) -> Effects:
        return (*effects, MarkSet("hint", (*hidden_cards(table)[:1],)))


class HintsAtAHiddenCard(Planted):
    """Names no card: only the one that nobody has seen decides what is said."""

    def spoil(self, table: Table, effects: Effects) -> Effects:
        return (*effects, DetailAnnounced(None, "hint", sum(map(ord, "".join(hidden_cards(table)[:1])))))


class LaysEverythingOpen(Planted):
    """More than the specification lets the others see, though nothing leaks from what the zones declare."""

    def deal(self, table: Table, dealer: object, deck: object, known: object = UNSET) -> Effects:
        effects = self.true.deal(table, dealer, deck, known)
        return (*effects, *(SightSet(name, "all") for name in fold(table, effects).zones))


class LosesACard(Planted):
    """With the last move: no rulebook has to go on with a card less."""

    def spoil(self, table: Table, effects: Effects) -> Effects:
        if not isinstance(effects[-1], GameClosed):
            return effects
        name, zone = next((name, zone) for name, zone in fold(table, effects).zones.items() if zone.cards)
        return (*effects, ZoneAdded(name, zone.sight, zone.owner, zone.cards[1:]))


class GainsACard(Planted):
    def spoil(self, table: Table, effects: Effects) -> Effects:
        name = next(iter(table.zones))
        return (*effects, CardsMoved(self.deck[:1], "nowhere", name))


class RefusesWhatItLists(Planted):
    def resolve(self, table: Table, seat: object, move: object, told: KnownFaces = NOTHING_TOLD) -> Effects:
        effects = self.true.resolve(table, seat, move, told)
        if len(table.score.lines) + table.hand == 1 and isinstance(move, dict) and strange(move):
            raise Refused("not_your_turn", "COM-25")
        return effects


def strange(move: object) -> bool:
    """About every fourth move."""
    return sum(laws.strictly(move)) % 4 == 0


class PeeksWhenItJudges(Planted):
    """Refuses a move for what the player cannot see."""

    def resolve(self, table: Table, seat: object, move: object, told: KnownFaces = NOTHING_TOLD) -> Effects:
        effects = self.true.resolve(table, seat, move, told)
        if strange(hidden_cards(table)[:3]):
            raise Refused("not_your_turn", "COM-25")
        return effects


class ExplainsTooMuch(Planted):
    def resolve(self, table: Table, seat: object, move: object, told: KnownFaces = NOTHING_TOLD) -> Effects:
        try:
            return self.true.resolve(table, seat, move, told)
        except Refused as refused:
            refused.detail["hint"] = tuple(hidden_cards(table))
            raise


class RefusesWithoutARule(Planted):
    def resolve(self, table: Table, seat: object, move: object, told: KnownFaces = NOTHING_TOLD) -> Effects:
        try:
            return self.true.resolve(table, seat, move, told)
        except Refused as refused:
            raise Refused(refused.code) from refused


class ListsTooMuch(Planted):
    def legal(self, table: Table, seat: Seat) -> Iterator[Move]:
        yield from self.true.legal(table, seat)
        if seat in table.to_act:
            yield {"type": "unheard of"}


class ListsTwice(Planted):
    def legal(self, table: Table, seat: Seat) -> Iterator[Move]:
        yield from self.true.legal(table, seat)
        yield from self.true.legal(table, seat)


class ListsNothing(Planted):
    def legal(self, table: Table, seat: Seat) -> Iterator[Move]:
        return iter(())


class ListsForTheIdle(Planted):
    def legal(self, table: Table, seat: Seat) -> Iterator[Move]:
        return self.true.legal(table, seat) if seat in table.to_act else iter([{"type": "wait"}])


class ForgetsWhoIsNext(Planted):
    """From the deal on: in a solitaire no move passes the turn."""

    def deal(self, table: Table, dealer: object, deck: object, known: object = UNSET) -> Effects:
        return self.spoil(table, self.true.deal(table, dealer, deck, known))

    def spoil(self, table: Table, effects: Effects) -> Effects:
        return tuple(TurnPassed(effect.phase, effect.turn, ()) if isinstance(effect, TurnPassed) else effect for effect in effects)


class NeverEnds(Planted):
    def spoil(self, table: Table, effects: Effects) -> Effects:
        return tuple(effect for effect in effects if not isinstance(effect, GameClosed))


class ForgetsAParty(Planted):
    def spoil(self, table: Table, effects: Effects) -> Effects:
        return tuple(GameClosed(effect.places[1:], effect.facts) if isinstance(effect, GameClosed) else effect for effect in effects)


class RemembersOutsideTheTable(Planted):
    """Not pure: a second run does not do what the first one did."""

    calls = 0

    def spoil(self, table: Table, effects: Effects) -> Effects:
        self.calls += 1
        return (*effects, MarkSet("calls", self.calls))


class ViewsTooLittle(Planted):
    def view(self, table: Table) -> dict[str, Any]:
        seen = self.true.view(table)
        return {**seen, "totals": "?"} if HIDDEN in laws.lying(table) else seen


PLANTED: list[tuple[type[Planted], Callable[[Playout], Breaches]]] = [
    (SaysAHiddenCard, laws.words_name_open_cards_only),
    (MarksAHiddenCard, laws.words_name_open_cards_only),
    (HintsAtAHiddenCard, laws.cards_that_nobody_has_seen_change_nothing),
    (LosesACard, laws.cards_are_conserved),
    (GainsACard, laws.cards_are_conserved),
    (RefusesWhatItLists, laws.every_listed_move_is_accepted),
    (PeeksWhenItJudges, laws.every_listed_move_is_accepted),
    (ExplainsTooMuch, laws.a_refusal_knows_no_more_than_the_player),
    (RefusesWithoutARule, laws.a_refused_move_says_why_and_changes_nothing),
    (ListsTooMuch, laws.every_listed_move_is_accepted),
    (ListsTwice, laws.legal_moves_are_listed_once_in_a_stable_order),
    (ListsNothing, laws.whoever_is_to_act_has_a_move),
    (ListsForTheIdle, laws.whoever_is_to_act_has_a_move),
    (ForgetsWhoIsNext, laws.the_turn_is_told_well),
    (NeverEnds, laws.the_game_ends),
    (ForgetsAParty, laws.places_fit_the_parties),
    (RemembersOutsideTheTable, laws.the_same_record_gives_the_same_bytes),
    (ViewsTooLittle, hidden_columns),
    (LaysEverythingOpen, hidden_columns),
]


@pytest.mark.parametrize(("planted", "law"), PLANTED, ids=[planted.__name__ for planted, _ in PLANTED])
def test_a_planted_error_is_found(planted: type[Planted], law: Callable[[Playout], Breaches], any_playout: Playout):
    true = any_playout
    if planted is HintsAtAHiddenCard and not any(zone.sight == "none" and zone.cards for zone in true.steps[0].after.zones.values()):
        pytest.skip("in this game every card is seen by somebody")
    wrong = replay(true, planted(true.rulebook))
    assert found(law(wrong)) != []


def replay(true: Playout, wrong: Rulebook) -> Playout:
    """The same game by the wrong rulebook, as far as that lets it come."""
    table, steps = Table(wrong.setup), []
    for step in true.steps:
        try:
            effects = wrong.deal(table, step.seat, step.deck) if step.move is None else wrong.resolve(table, step.seat, step.move)
        except Refused:
            break
        steps.append(step._replace(before=table, effects=effects, after=fold(table, effects)))
        table = steps[-1].after
    return true._replace(rulebook=wrong, steps=tuple(steps))


def test_the_true_game_replayed_breaks_no_law(any_playout: Playout):
    """Otherwise a planted error might be found for another reason."""
    again = replay(any_playout, Planted(any_playout.rulebook))._replace(looks=LOOKS)
    assert again.steps == any_playout.steps
    assert [(law.__name__, found(law(again))) for _, law in PLANTED if found(law(again))] == []
