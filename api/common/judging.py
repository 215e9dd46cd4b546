"""What a caller's questions and moves are judged on. Who does not see all the cards learns from no verdict what he does not see
(docs/decisions/0042-players-eyes.md).
"""

from collections.abc import Sequence

from api.common.reading import eyes_on
from api.common.rulebooks import consulting_rules
from api.http.request import Request
from domain.entries import Line, Made, entered, made_of_line
from domain.errors import Refused
from domain.events.game import CardsTold, MovePlayed
from domain.game import Game
from domain.rules import Rulebook
from domain.sight import COVERED, Viewer, imagined, masked
from domain.table import Table, fold

_UNDECIDED = ("card_unknown", "damaged_table")
"""Refusals with which what the caller sees decides nothing: it depends on cards that he does not see."""


def asked_on(rulebook: Rulebook, table: Table, viewer: Viewer) -> Table:
    """The table on which it is judged what somebody may play, or might: the whole one for who sees all; for a seat a whole one that it
    cannot tell from this one; for who sees what everybody sees this one, where a hidden card is one that nobody has told (COM-76).
    """
    if viewer.sees_all:
        return table
    return masked(table, viewer) if viewer.who == "public" else imagined(table, viewer, rulebook.deck)


def player_or_public(request: Request, game: Game) -> Viewer:
    """Who makes a move now, if he does not see all the cards. Whatever opens meanwhile, he is answered from what he sees without it."""
    who = eyes_on(request, game).at(game.position)
    return Viewer(who, covered=who == "public" and bool(game.boards))


def played_in_sight(
    request: Request, game: Game, rulebook: Rulebook, viewer: Viewer, moves: Sequence[Made]
) -> tuple[MovePlayed | CardsTold, ...]:
    """The events of ``Game.play``, for who does not see all. First his moves are judged on what he sees, and a refusal is told as there.
    If only the whole table refuses them, he is told no more than that, whatever it was.

    Raises ``Refused``, also with ``out_of_sight``.
    """
    game.docket.check_play()
    seen = asked_on(rulebook, game.table, viewer)
    made, asks = (moves, None) if seen.phase == COVERED else _judged(request, rulebook, seen, moves)
    try:
        return game.play(rulebook, made)
    except Refused:
        raise asks or Refused("out_of_sight") from None


def _judged(request: Request, rulebook: Rulebook, seen: Table, moves: Sequence[Made]) -> tuple[list[Made], Refused | None]:
    """The moves, with lines read on what is seen, and the first question that has to be answered there: what comes after it is judged on
    the whole table alone. Raises ``Refused`` with the ``index`` of the move.
    """
    made: list[Made] = []
    for index, one in enumerate(moves):
        try:
            with consulting_rules(request, seen):
                made.append(made_of_line(rulebook, seen, one) if isinstance(one, Line) else one)
                seen = fold(seen, entered(rulebook, seen, made[-1]).effects)
        except Refused as refused:
            refused.index = index
            if refused.code not in _UNDECIDED or any(isinstance(later, Line) for later in moves[len(made) :]):
                raise
            return [*made, *moves[len(made) :]], refused if refused.code == "card_unknown" else None
    return made, None
