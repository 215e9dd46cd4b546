"""Illegal moves: the refusal of one that was typed, and the accepted illegal move, which stood, with its effects on the table."""

from msgspec import UNSET, Struct

from domain.cards import Seat
from domain.effects import Effects, plain
from domain.entries import Line, parse_rejected_line
from domain.errors import Refused
from domain.events.game import IllegalMoveAccepted, RefusedMove
from domain.rules import Rulebook
from domain.table import Table
from domain.table_changes import check_table_change, read_table_change

_NO_MOVES = ("malformed_move", "unknown_move")
"""Refusals of what is no move of the game; an event holds no text that somebody made up."""


class AcceptedMove(Struct, frozen=True):
    """A move that the rules refuse, undecoded or as a line. ``effects``: what it did; unset: what it says, by the rules of legal moves."""

    seat: object
    move: object
    effects: object = UNSET


def reject_move(rulebook: Rulebook, table: Table, seat: object, move: object) -> RefusedMove:
    """Return the refusal of a move or a line. Raises ``Refused``: ``move_is_legal`` for a legal move, and for what is no move."""
    refused = _find_refusal(rulebook, table, seat, move)
    if refused.code in _NO_MOVES:
        rulebook.resolve(table, refused.seat, refused.move)
    return refused


def build_accepted_move(rulebook: Rulebook, table: Table, stood: AcceptedMove) -> IllegalMoveAccepted:
    """Return an illegal move that stood. Raises ``Refused`` with ``move_is_legal`` where there is nothing to let stand."""
    refused = _find_refusal(rulebook, table, stood.seat, stood.move)
    given = stood.effects is not UNSET
    effects = read_table_change(rulebook, table, stood.effects) if given else derive_effects(rulebook, table, refused.seat, refused.move)
    return IllegalMoveAccepted(refused.seat, refused.move, refused.code, refused.rules, effects)


def derive_effects(rulebook: Rulebook, table: Table, seat: Seat, move: object) -> Effects:
    """Return what the move does to the cards as it was made: the effects that it would have if the rules allowed it.

    Raises ``Refused`` with ``effects_unclear`` where that makes no sense on this table, and with ``card_unknown``.
    """
    try:
        effects = rulebook.resolve_without_checks(table, seat, move)
        check_table_change(rulebook, table, effects)
    except Refused as refused:
        if refused.code == "card_unknown":
            raise
        raise Refused("effects_unclear") from refused
    except Exception as error:  # Any error: the game's own code counts on its checks.
        raise Refused("effects_unclear") from error
    return effects


def _find_refusal(rulebook: Rulebook, table: Table, seat: object, move: object) -> RefusedMove:
    """Return the refusal. Raises ``Refused`` for a legal move, and for one that may be legal: that depends on unknown cards."""
    if type(seat) is not int or not 0 <= seat < table.setup.seats:
        raise Refused("no_such_seat", seat=seat)
    move = parse_rejected_line(rulebook, table, move, seat) if isinstance(move, Line) else rulebook.with_codes(move)
    try:
        rulebook.resolve(table, seat, move)
    except Refused as refused:
        if refused.code == "card_unknown":
            raise
        # A move that no store can hold is refused for the reason that the rules gave, not for its form.
        try:
            kept = plain(move)
        except ValueError:
            raise refused from None
        return RefusedMove(seat, kept, refused.code, refused.rules)
    raise Refused("move_is_legal")
