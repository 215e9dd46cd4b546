"""Whatever is written is read again: moves of the worked cases, and of random games with hands that are known and unknown."""

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any, NamedTuple, cast

import pytest

from domain.errors import Refused
from domain.games.casino.table import Groups
from domain.notation.reading import read
from domain.notation.reading_types import IllegalReading, Incomplete, MoveReading
from domain.notation.writing import units, write
from domain.rules import NOTHING_TOLD, KnownFaces, Move, Rulebook
from domain.sight import PUBLIC, masked
from domain.table import Table, fold
from domain.texts import LANGUAGES
from replay.cases import full_deck, get_known_deck, parse_entry
from tests.domain.games.casino.positions import CASINO
from tests.domain.games.conftest import random_game
from tests.domain.games.setups import TRIED
from tests.domain.games.test_cases import PLAYABLE
from tests.each import each
from tests.laws import Playout

SET_UPS = (0, 1, 18, 27)  # both variants, for two, three and four, and partners
CASES = [name for name, case in PLAYABLE.items() if name.startswith("casino/") and case["hands"]]


# The worked cases


class Entry(NamedTuple):
    """A move of a case on the table before it; ``code``, if it is refused."""

    rulebook: Rulebook
    table: Table
    seat: int
    move: Move
    told: KnownFaces
    code: str | None


def entries(case: dict[str, Any]) -> Iterator[Entry]:
    rulebook = CASINO.bind(case.get("options", {}), case["seats"])
    table = Table(rulebook.setup)
    for hand in case["hands"]:
        try:
            table = fold(table, rulebook.deal(table, hand["dealer"], full_deck(hand, rulebook), get_known_deck(hand)))
        except Refused:
            return
        for given in hand["moves"]:
            act = parse_entry(given)
            if isinstance(act, KnownFaces):
                table = fold(table, rulebook.tell(table, act.known))
                continue
            assert isinstance(act, tuple)
            seat, move, *told = act
            entry = Entry(rulebook, table, cast("int", seat), cast("Move", move), told[0] if told else NOTHING_TOLD, None)
            try:
                effects = rulebook.resolve(table, entry.seat, entry.move, entry.told)
            except Refused as refused:
                yield entry._replace(code=refused.code)
                return
            yield entry
            table = fold(table, effects)


@each("name", CASES)
@each("language", LANGUAGES)
def test_every_move_of_a_case_is_read_back_from_its_full_form(name: str, language: str):  # NOT-9
    for rulebook, table, seat, move, told, code in entries(PLAYABLE[name]):
        found = read(rulebook, table, seat, write(rulebook, move, language), language)
        if code and not isinstance(found, MoveReading):
            assert isinstance(found, IllegalReading | Incomplete)
            assert found.refused
            assert found.refused.code == code
            continue
        assert isinstance(found, MoveReading)
        assert units(rulebook, found.move) == units(rulebook, move)
        if code:  # what is told beside it is refused
            with pytest.raises(Refused, match=code):
                rulebook.resolve(table, seat, found.move, told)


# Random games


@cache
def played(number: int) -> Playout:
    """One of each set-up, the same in every run."""
    return random_game("casino", TRIED["casino"]().set_ups[number]._replace(longest=40), f"notation {number}")


def regrouped(move: Move, chance: Random) -> Move:
    """The same play with its groups and their cards in another order, as somebody else would name them."""
    groups = [chance.sample(group, len(group)) for group in cast("Groups", move.get("groups", ()))]
    chance.shuffle(groups)
    # The played card begins the line, and so its group.
    groups.sort(key=lambda group: move["card"] not in group)
    ordered = tuple(tuple(sorted(group, key=lambda card: card != move["card"])) for group in groups)
    return {**move, "groups": ordered} if groups else move


@pytest.mark.parametrize("number", SET_UPS)
@pytest.mark.parametrize("unknown", [False, True], ids=["known", "unknown"])
def test_a_full_form_is_read_as_the_move_with_its_groups(number: int, *, unknown: bool):  # NOT-9, NOT-12
    rulebook, chance = played(number).rulebook, Random(number)
    for step, listed in played(number).moves():
        table, move = masked(step.before, PUBLIC) if unknown else step.before, regrouped(listed, chance)
        for language in LANGUAGES:
            found = read(rulebook, table, step.seat, write(rulebook, move, language), language)
            assert isinstance(found, MoveReading)
            assert found.move == move
