"""The law of unknown cards has teeth: a game that is wrong in one thing is found."""

from collections.abc import Callable, Mapping
from typing import Any, cast

import pytest
from msgspec.structs import replace

from domain.binding import BoundRules
from domain.cards import Card
from domain.effects import DetailAnnounced
from domain.errors import Refused
from domain.games import RULESETS
from domain.table import Draft, Table
from domain.unknown_cards.asking import card_unknown
from domain.unknown_cards.support import UnknownCardsSupport
from tests.laws import Playout, play
from tests.telling.law import Part, it_goes_as_it_went

Rules = BoundRules[Any, Any, Any]


def tellable(rules: Rules) -> UnknownCardsSupport[Any, Any, Any]:
    assert rules.game.telling
    return rules.game.telling


def with_telling(rules: Rules, **changed: Any) -> Rules:
    return replace(rules, game=replace(rules.game, telling=replace(tellable(rules), **changed)))


def deals_otherwise_than_it_says(rules: Rules) -> Rules:
    def dealt(settled: Any, table: Table, dealer: int, deck: tuple[Card, ...]) -> Mapping[str, tuple[int, ...]]:
        zones = dict(tellable(rules).dealt(settled, table, dealer, deck))
        return {**zones, "board": zones["stock"][:4]}

    return with_telling(rules, dealt=dealt)


def learns_nothing_from_a_move(rules: Rules) -> Rules:
    return with_telling(rules, named=lambda *_: {})


def believes_what_is_not_so(rules: Rules) -> Rules:
    """Of whatever is played it thinks that a second card lies in the same hand."""

    def named(settled: Any, lying: Any, seat: int, move: Any) -> Mapping[str, tuple[Card, ...]]:
        pool = [card for card in lying.pool if card != move.card]
        return {f"hand:{seat}": (move.card, *pool[-1:])}

    return with_telling(rules, named=named)


def asks_for_what_nobody_has_seen(rules: Rules) -> Rules:
    def check(settled: Any, lying: Any, seat: int, move: Any) -> None:
        rules.game.check(settled, lying, seat, move)
        if "?" in lying.stock[-1:]:
            raise card_unknown({}, ({"zone": "stock", "places": (0,)},))

    return replace(rules, game=replace(rules.game, check=check))


def refuses_what_may_be(rules: Rules) -> Rules:
    def check(settled: Any, lying: Any, seat: int, move: Any) -> None:
        rules.game.check(settled, lying, seat, move)
        if len(lying.pool) > 20:
            raise Refused("no_capturing_card", "CNO-32", card=move.card, value=1)

    return replace(rules, game=replace(rules.game, check=check))


def tells_the_public_how_much_it_knows(rules: Rules) -> Rules:
    def play(draft: Draft, settled: Any, lying: Any, seat: int, move: Any) -> None:
        draft.emit(DetailAnnounced(None, "unknown", len(lying.pool)))
        rules.game.play(draft, settled, lying, seat, move)

    return replace(rules, game=replace(rules.game, play=play))


PLANTED: list[tuple[Callable[[Rules], Rules], Part]] = [
    (deals_otherwise_than_it_says, "nothing"),
    (learns_nothing_from_a_move, "nothing"),
    (believes_what_is_not_so, "nothing"),
    (asks_for_what_nobody_has_seen, "hands"),
    (refuses_what_may_be, "nothing"),
    (tells_the_public_how_much_it_knows, "nothing"),
]


@pytest.fixture(scope="module")
def true() -> Playout:
    playout = play(RULESETS["casino"], RULESETS["casino"].bind({"target": 1}, 2), "teeth", 200)
    assert next(it_goes_as_it_went(playout, "nothing"), None) is None
    return playout


@pytest.mark.parametrize(("planted", "part"), PLANTED, ids=lambda planted: getattr(planted, "__name__", planted))
def test_a_planted_error_is_found(planted: Callable[[Rules], Rules], part: Part, true: Playout):
    wrong = true._replace(rulebook=planted(cast("Rules", true.rulebook)))
    assert next(it_goes_as_it_went(wrong, part), None) is not None
