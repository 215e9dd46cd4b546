"""What a caller's questions and moves are judged on. Who does not see all the cards learns from no verdict what he does not see
(docs/decisions/0042-players-eyes.md).
"""

from collections.abc import Sequence

from msgspec.structs import replace

from api.common.own_seat import check_own_cards, check_own_moves
from api.common.reading import eyes_on
from api.common.rulebooks import consulting_rules, rulebook_of
from api.http.request import Request, services_of
from domain.entries import Line, Made, entered, made_of_line
from domain.errors import Refused
from domain.events.game import CardsTold, MovePlayed
from domain.game import Game, project
from domain.journal.commits import Receipt
from domain.openness import Around
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


def played(request: Request, game: Game, moves: Sequence[Made], *, dry_run: bool = False) -> tuple[MovePlayed | CardsTold, ...]:
    """The events of moves, as ``Game.play`` makes them, of whoever makes them. Tried only by who does not see all the cards, they are
    judged on what he sees, and ``tried_in_sight`` gives the receipt. Raises ``Refused`` and ``Forbidden``.
    """
    rulebook = rulebook_of(services_of(request), game)
    if request.user.sees_all:
        return game.play(rulebook, moves)
    if request.user.role == "player":
        check_own_moves(request, game, moves, dry_run=dry_run)
    if not dry_run:
        return _played_in_sight(request, game, rulebook, moves)
    seen = asked_on(rulebook, game.table, _eyes(request, game))
    with consulting_rules(request, seen):
        return replace(game, table=seen).play(rulebook, moves)


def tried_in_sight(request: Request, receipt: Receipt[Game]) -> Receipt[Game]:
    """The receipt of a dry run by who does not see all the cards: as if what he sees were all there is."""
    if request.user.sees_all:
        return receipt
    before = receipt.before
    assert before is not None
    before = replace(before, table=masked(before.table, _eyes(request, before)))
    after = project(before, receipt.events)
    assert after is not None
    return replace(receipt, before=before, after=after)


def _eyes(request: Request, game: Game) -> Viewer:
    """For who does not see all the cards. Whatever opens meanwhile, he is answered from what he sees without it."""
    return game.viewer(eyes_on(request, game), game.position, Around(game.boards))


def _played_in_sight(request: Request, game: Game, rulebook: Rulebook, moves: Sequence[Made]) -> tuple[MovePlayed | CardsTold, ...]:
    """First the moves are judged on what he sees who makes them, and a refusal is told as there. If only the whole table refuses them, he
    is told no more than that, whatever it was: ``out_of_sight``. ``noting_tries`` sees to it that this is noted, and costs time.
    """
    game.docket.check_play()
    seen = asked_on(rulebook, game.table, _eyes(request, game))
    # Where nothing may be told, not even what lies open is a reason that could be.
    made, asks = (moves, None) if seen.phase == COVERED else _judged(request, rulebook, seen, moves)
    try:
        if request.user.role == "player":
            check_own_cards(request, game, made)
        return game.play(rulebook, made)
    except Refused as refused:
        told = asks or Refused("out_of_sight")
        told.by_unseen = asks is None or refused.code != asks.code  # else the record knows no more than he does
        raise told from None


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
