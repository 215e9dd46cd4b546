"""Legality checks of alcasan moves, one check a line, in the order in which they decide (ALC-7)."""

from domain.cards import Card, Seat, without
from domain.errors import Refused
from domain.games.alcasan.kinds import COPIES, WATER, find_mismatch, in_order, minimum_counts, restrict_counts
from domain.games.alcasan.moves import AnyMove, ChooseOpen, Decline, Lay, Reveal, Take
from domain.games.alcasan.options import Options
from domain.games.alcasan.table import POSITIONS, AlcasanTable


def check(options: Options, table: AlcasanTable, seat: Seat, move: AnyMove) -> None:
    """Check a move by the game's own rules. Raises ``Refused``."""
    if isinstance(move, ChooseOpen) != (table.table.phase == "choose_open"):
        raise Refused("wrong_phase", "COM-26", "ALC-7", "ALC-13", phase=table.table.phase)
    match move:
        case ChooseOpen(cards=cards):
            check_choice(table, seat, cards)
        case Lay(cards=cards):
            check_lay(options, table, seat, cards)
        case Take():
            check_take(options, table, seat)
        case Reveal(position=position):
            check_reveal(table, seat, position)
        case Decline():
            check_decline(options, table)


def check_choice(table: AlcasanTable, seat: Seat, cards: tuple[Card, ...]) -> None:
    if len(cards) != 3:
        raise Refused("wrong_card_count", "ALC-12", cards=cards, number=len(cards))
    if missing := without(cards, table.hand(seat)):
        raise Refused("card_not_in_hand", "ALC-12", card=missing[0], held=in_order(table.hand(seat)))


def check_lay(options: Options, table: AlcasanTable, seat: Seat, cards: tuple[Card, ...]) -> None:
    place = table.place(seat)
    if place == "down":
        raise Refused("must_reveal", "ALC-36", positions=positions(table, seat))
    if len(set(cards)) > 1:
        raise Refused("cards_not_identical", "ALC-20", cards=cards)
    if place == "hand" and without(cards, table.hand(seat)):
        raise Refused("card_not_in_hand", "ALC-18", card=cards[0], held=in_order(table.hand(seat)))
    if place == "open" and without(cards, table.open(seat)):
        raise Refused("card_not_in_open", "ALC-33", "ALC-18", card=cards[0], held=in_order(table.open(seat)))
    if table.extra_lay and options.extra_lay == "single" and len(cards) > 1:
        raise Refused("single_card_only", "ALC-29", card=cards[0])
    match find_mismatch(cards[0], table.effective, compared=options.four_fit == "compared" and len(cards) == COPIES):
        case "card_too_low":
            raise Refused("card_too_low", "ALC-28" if table.effective == WATER else "ALC-21", card=cards[0], on=table.effective)
        case "card_too_high":
            raise Refused("card_too_high", "ALC-22", card=cards[0], on=table.effective)
        case None:
            pass


def check_take(options: Options, table: AlcasanTable, seat: Seat) -> None:
    if table.place(seat) == "down":
        raise Refused("must_reveal", "ALC-36", positions=positions(table, seat))
    fitting, held = table.list_matching(options), table.held(seat)
    if known := restrict_counts(fitting, held.known.count):
        only_four = all(numbers == (COPIES,) for numbers in known.values())
        raise Refused("must_lay", "ALC-30", *(("ALC-28",) if only_four else ()), cards=tuple(known))
    if not held.can_be_missing(minimum_counts(fitting)):
        raise Refused("must_lay", "ALC-30", "ALC-47", cards=tuple(restrict_counts(fitting, held.most)))


def check_reveal(table: AlcasanTable, seat: Seat, position: int) -> None:
    if (place := table.place(seat)) != "down":
        raise Refused("down_cards_blocked", "ALC-18", "ALC-35", "ALC-37", place=place)
    if position not in positions(table, seat):
        raise Refused("bad_position", "ALC-36", position=position, positions=positions(table, seat))


def check_decline(options: Options, table: AlcasanTable) -> None:
    if not table.extra_lay:
        raise Refused("nothing_to_decline", "ALC-45")
    if options.extra_lay_right == "must":
        raise Refused("nothing_to_decline", "ALC-45", problem="must")


def positions(table: AlcasanTable, seat: Seat) -> tuple[int, ...]:
    """Return the places at which the seat still has face-down cards."""
    down = table.down(seat)
    return tuple(position for position in POSITIONS if down[position] is not None)
