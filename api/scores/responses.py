"""What goes out about score lines."""

from msgspec import Struct

from api.scores.schema import ScoreLine
from projections.models.score_lines.score_history import Month, PlayerGame, Totals


class ScorePage(Struct, frozen=True):
    """The lines are those that were true at the sequence ``as_of``, on this page and on all that follow. ``next`` is a cursor."""

    schema: str
    as_of: int
    lines: tuple[ScoreLine, ...]
    next: str | None


class PlayerScores(Struct, frozen=True):
    """``player`` is the id that the person is known by, after mergers. Totals and months are of all games that fit the filters.

    Games of which a finished hand counts, and tables whose result was entered, newest first; ``next`` is the cursor of the following page.
    """

    player: str
    as_of: int
    totals: tuple[Totals, ...]
    months: tuple[Month, ...]
    games: tuple[PlayerGame, ...]
    next: str | None
