"""Games in progress that are not live: in lists for the public their rows tell nothing but that they are on, and what they did is left out.

A condition of SQL, like ``Game.is_dark``, on the row of the game in the index of games.
"""

from collections.abc import Mapping


def is_dark(row: str) -> str:
    """``row``: the name of the row of the index in the statement."""
    return f"({row}.live = 0 AND {row}.disclosed = 0 AND {row}.phase <> 'game_over' AND {row}.standing IN ('open', 'suspended'))"


def told_of(game: str, *, public: bool) -> Mapping[str, object]:
    """The condition on a column with the id of a game: of one that is dark, or not in the index yet, the public is told nothing."""
    lit = f"EXISTS (SELECT 1 FROM game_index AS lit WHERE lit.game = {game} AND NOT {is_dark('lit')} AND ? = 1)"
    return {lit: 1 if public else None}
