"""Other public card engines playing random legal moves, for orientation: none of them keeps these games.

pokerkit is a poker engine in Python, OpenSpiel a collection of games in C++ for research. What they are asked for is the same: list
what is legal, choose by chance, make the move. They keep no history, hide no cards and refuse with no reasons; Kiebitz does (the
effects of a move are what is recorded, and moves are listed from the masked table of the seat).
"""

from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import version
from importlib.util import find_spec
from itertools import count
from random import Random
from typing import Any

from tests.benchmarks.measure import Figure, a_second
from tests.benchmarks.playouts import random_moves

SPIELS = ("hearts", "gin_rummy", "crazy_eights")


def figures(quick: bool) -> Iterator[Figure]:
    seconds = 0.3 if quick else 2.0
    own = a_second(random_moves("casino", {}, 2), seconds)
    for name, game in games():
        theirs = a_second(map(game, map(Random, count())), seconds)
        yield Figure("random legal moves, Casino, 2 players", own, "a second", name, theirs, own / theirs, at_least=True)
    for missing in (name for name in ("pokerkit", "pyspiel") if not find_spec(name)):
        yield Figure(f"{missing} is not installed here (./run bench brings it)", 0, "a second")


def games() -> Iterable[tuple[str, Callable[[Random], int]]]:
    """Each plays one game and answers how many moves that took."""
    if find_spec("pokerkit"):
        yield f"pokerkit {version('pokerkit')}, no-limit hold'em, 6 players", _hold_em
    if find_spec("pyspiel"):
        import pyspiel

        for spiel in SPIELS:
            loaded = pyspiel.load_game(spiel)
            name = f"OpenSpiel {version('open-spiel')}, {spiel.replace('_', ' ')}, {loaded.num_players()} players"
            yield name, lambda chance, loaded=loaded: _spiel(loaded, chance)


def _hold_em(chance: Random) -> int:
    """Everything but the players' decisions happens by itself. Who raises, raises by the least."""
    import pokerkit

    state = pokerkit.NoLimitTexasHoldem.create_state(tuple(pokerkit.Automation), True, 0, (1, 2), 2, 200, 6)
    moves = 0
    while state.status:
        chance.choice(_actions(state))()
        moves += 1
    return moves


def _actions(state: Any) -> list[Callable[[], Any]]:
    least = state.min_completion_betting_or_raising_to_amount
    actions = [(state.can_fold(), state.fold), (state.can_check_or_call(), state.check_or_call)]
    actions.append((least is not None and state.can_complete_bet_or_raise_to(), lambda: state.complete_bet_or_raise_to(least)))
    return [action for possible, action in actions if possible]


def _spiel(game: Any, chance: Random) -> int:
    state, moves = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(chance.choices(outcomes, weights)[0])
        else:
            state.apply_action(chance.choice(state.legal_actions()))
            moves += 1
    return moves
