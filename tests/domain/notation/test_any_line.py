"""Whatever is typed is answered: reading raises nothing, in any game, at any point of it, with known and with unknown hands."""

from functools import cache
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.games import RULESETS
from domain.notation.reading import read
from domain.notation.reading_types import Reading
from domain.notation.writing import write
from domain.sight import PUBLIC, masked
from domain.texts import LANGUAGES
from tests.domain.games.conftest import random_game
from tests.domain.games.setups import TRIED
from tests.laws import Playout

SIGNS = "x-=+^#@?~.!*;%§ \t0123456789akqjtshdcfewlpbcorymnzuv♠"
LINES = st.text(st.sampled_from(SIGNS), max_size=12) | st.text(max_size=6)


@cache
def played(key: str) -> Playout:
    return random_game(key, TRIED[key]().set_ups[0]._replace(longest=25), f"lines of {key}")


@pytest.mark.parametrize("key", sorted(RULESETS))
@settings(deadline=None)
@given(line=LINES, place=st.integers(0, 10**6), language=st.sampled_from(LANGUAGES), unknown=st.booleans(), cut=st.integers(0, 10))
def test_every_line_has_an_answer(key: str, line: str, place: int, language: str, unknown: bool, cut: int):
    playout = played(key)
    moves = list(playout.moves())
    step, move = moves[place % len(moves)]
    table = masked(step.before, PUBLIC) if unknown else step.before
    begun = write(playout.rulebook, move, language, (step.before, step.seat))[: cut if cut < 8 else 0]
    for typed in (line, begun + line):
        assert isinstance(read(playout.rulebook, table, step.seat, typed, language), get_args(Reading))
