"""SQL conditions for dark games (in progress and not live): lists for the public show only that they are on.

They mirror ``Game.is_dark``, on the row of the game in the index of games.
"""

from collections.abc import Mapping


def is_hidden_until_over(row: str) -> str:
    """Return the condition for a dark game. ``row``: the name of the row of the index in the statement."""
    return f"({row}.live = 0 AND {row}.disclosed = 0 AND {row}.phase <> 'game_over' AND {row}.standing IN ('open', 'suspended'))"


def public_condition(game: str, *, public: bool) -> Mapping[str, object]:
    """Return the condition on a column with the id of a game: the public sees nothing of a game that is dark, or not in the index yet."""
    lit = f"EXISTS (SELECT 1 FROM game_index AS lit WHERE lit.game = {game} AND NOT {is_hidden_until_over('lit')} AND ? = 1)"
    return {lit: 1 if public else None}
