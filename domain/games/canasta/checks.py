"""Legality checks of Canasta moves (section 5 of the specification), one check a line, in the order in which they decide."""

from domain.cards import HIDDEN, Card, Seat
from domain.errors import Refused
from domain.games.canasta.cards import rank_of
from domain.games.canasta.check_laying import check_lay, check_take, join_melds, must_rule
from domain.games.canasta.melds import can_go_out
from domain.games.canasta.moves import Answer, AnyMove, Ask, Discard, Draw, Lay, Pass, Take
from domain.games.canasta.options import Options
from domain.games.canasta.table import CanastaTable


def check(options: Options, table: CanastaTable, seat: Seat, move: AnyMove) -> None:
    """Check a move by the game's own rules. Raises ``Refused``."""
    check_phase(table, move)
    match move:
        case Draw():
            if not table.stock:
                raise Refused("stock_empty", "CAN-16")
        case Take():
            check_take(options, table, seat, move)
        case Pass():
            check_pass(options, table, seat)
        case Lay():
            check_lay(table, seat, move)
        case Discard():
            check_discard(table, seat, move)
        case Ask():
            check_ask(table, seat)
        case Answer():
            pass


def check_phase(table: CanastaTable, move: AnyMove) -> None:
    """Refuse a move of another phase, before anything else (CAN-52)."""
    phase = table.table.phase
    if phase == "answer" and not isinstance(move, Answer):
        raise Refused("answer_pending", "CAN-39", "CAN-52")
    if phase != "answer" and isinstance(move, Answer):
        raise Refused("no_question", "CAN-39")
    if phase != "draw" and isinstance(move, Draw | Take | Pass):
        raise Refused("already_drawn", "CAN-15")
    if phase != "play" and isinstance(move, Lay | Discard | Ask):
        raise Refused("not_drawn", "CAN-15")


def check_pass(options: Options, table: CanastaTable, seat: Seat) -> None:
    if table.stock:
        raise Refused("stock_not_empty", "CAN-18", stock=len(table.stock))
    if must_take(options, table, seat):
        raise Refused("must_take", "CAN-19", card=table.top)


def must_take(options: Options, table: CanastaTable, seat: Seat) -> bool:
    """Return whether the pile must be taken because everybody can see that its top card can be laid off (CAN-19)."""
    top = table.top
    if top is None or table.frozen or rank_of(top) not in table.melds[table.party(seat)]:
        return False
    try:
        check_take(options, table, seat, Take(rank_of(top), ()))  # pyrefly: ignore[bad-argument-type]
    except Refused:
        return False
    return not (table.hand(seat) == (HIDDEN,) and not table.rest_count) or _can_go_out(table, table.party(seat), top)


def _can_go_out(table: CanastaTable, party: int, top: Card) -> bool:
    """Return whether a player who takes a pile of one card with a single unknown card can go out, whatever that card is (CAN-56)."""
    after = join_melds(table.melds[party], ((rank_of(top), (top,)),))
    return all(can_go_out({rank: 1}, after) for rank in table.pool.numbers)


def check_discard(table: CanastaTable, seat: Seat, move: Discard) -> None:
    hand = table.hand(seat)
    if move.card not in hand:
        raise Refused("card_not_in_hand", "CAN-23", card=move.card)
    if len(hand) == 1 and not table.has_canasta(table.party(seat)):
        raise Refused("going_out_needs_canasta", "CAN-36", card=move.card)
    if len(hand) > 1 and table.must_go_out:
        raise Refused("must_go_out", must_rule(table), card=move.card)


def check_ask(table: CanastaTable, seat: Seat) -> None:
    if table.table.setup.seats == 2:
        raise Refused("no_partner", "CAN-39")
    if table.pending_request is not None:
        raise Refused("already_asked", "CAN-39")
    if len(table.hand(seat)) < 2 or table.must_go_out:
        raise Refused("ask_too_late", "CAN-39")
    party = table.party(seat)
    if not table.goes_out(table.hand(seat), table.melds[party], table.missing(party)):
        raise Refused("cannot_go_out", "CAN-37", "CAN-39")
