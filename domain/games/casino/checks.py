"""Legality checks of Casino moves (section 5 of the rules: moves), one check a line, in the order in which they decide."""

from collections.abc import Iterable
from itertools import chain

from domain.cards import Card, Seat
from domain.errors import Refused
from domain.games.casino.moves import Add, AnyMove, Capture, MakeBuild, Raise, Trail
from domain.games.casino.options import Options
from domain.games.casino.table import VALUES, Build, CasinoTable, Groups, Values


def check(options: Options, table: CasinoTable, seat: Seat, move: AnyMove) -> None:
    """Check a move by the game's own rules (CNO-80). Raises ``Refused``."""
    values = VALUES[options.variant]
    if move.card not in table.hand(seat):
        raise Refused("card_not_in_hand", "CNO-15", "CNO-80", card=move.card)
    match move:
        case Trail():
            check_trail(table, seat, move)
        case Capture():
            check_capture(values, table, seat, move)
        case MakeBuild():
            check_build(values, table, seat, move)
        case Raise():
            check_raise(values, table, seat, move)
        case Add():
            check_add(values, table, seat, move)


def check_trail(table: CasinoTable, seat: Seat, move: Trail) -> None:
    if owned := table.builds_owned_by(seat):
        raise Refused("must_not_trail", "CNO-41", card=move.card, build=owned[0].id, value=owned[0].value)


def check_capture(values: Values, table: CasinoTable, seat: Seat, move: Capture) -> None:
    if not move.groups and not move.builds:
        raise Refused("nothing_captured", "CNO-21", card=move.card)
    cards = _flat(move.groups)
    _check_once((*cards, *move.builds))
    _check_on_table(table, cards, "CNO-21", "CNO-28")
    for build in move.builds:
        _build(table, build, "CNO-21")
    if values.is_court_card(move.card):
        _check_court_capture(move, cards)
    else:
        _check_value_capture(values, table, move, cards)
    kept = [build.value for build in table.builds_owned_by(seat) if build.id not in move.builds]
    _check_covered(values, table, seat, move.card, kept)


def _check_court_capture(move: Capture, cards: tuple[Card, ...]) -> None:
    if move.builds:
        raise Refused("build_value_mismatch", "CNO-22", card=move.card, build=move.builds[0])
    if len(cards) > 1:
        raise Refused("one_picture_only", "CNO-22", card=move.card, cards=cards)
    if cards[0][0] != move.card[0]:
        raise Refused("no_match", "CNO-22", card=move.card, other=cards[0])


def _check_value_capture(values: Values, table: CasinoTable, move: Capture, cards: tuple[Card, ...]) -> None:
    captures = values.captures[move.card]
    for card in cards:
        if values.is_court_card(card):
            raise Refused("picture_no_value", "CNO-4", card=move.card, picture=card)
    for build in move.builds:
        if (value := table.builds[build].value) not in captures:
            raise Refused("build_value_mismatch", "CNO-28", card=move.card, build=build, value=value, captures=captures)
    for group in move.groups:
        if set(captures).isdisjoint(made := values.makes(group)):
            raise Refused("wrong_sum", "CNO-23", card=move.card, group=group, made=made, value=captures)
    if not capture_values(values, table, move):
        raise Refused("mixed_values", "CNO-25", card=move.card, captures=captures)


def capture_values(values: Values, table: CasinoTable, move: Capture) -> tuple[int, ...]:
    """Return the values that fit all groups and builds together, from the smallest, where each of them fits; none for a classic picture."""
    fitting = values.captures[move.card]
    if len(fitting) > 1:  # only an ace of Royal Casino captures with more than one
        for group in move.groups:
            fitting = _common(fitting, values.makes(group))
        for build in move.builds:
            fitting = _common(fitting, (table.builds[build].value,))
    return fitting


def check_build(values: Values, table: CasinoTable, seat: Seat, move: MakeBuild) -> None:
    _check_no_court_card(values, (move.card,))
    others = _check_named(values, table, move)
    _check_sums(values, move.groups, move.value, "CNO-30", "CNO-31")
    if not others:
        raise Refused("build_needs_table_card", "CNO-34", card=move.card)
    _check_held(values, table, seat, move.card, move.value)
    _check_covered(values, table, seat, move.card, [move.value, *_list_other_values(table, seat)])


def check_raise(values: Values, table: CasinoTable, seat: Seat, move: Raise) -> None:
    _check_no_court_card(values, (move.card,))
    build = _build(table, move.build, "CNO-35")
    if build.kind == "multiple":
        raise Refused("multiple_build_fixed", "CNO-36", build=build.id, value=build.value)
    cards = _flat(move.groups)
    _check_once(cards)
    _check_on_table(table, cards, "CNO-35", "CNO-39")
    _check_no_court_card(values, cards)
    if move.value != build.value + values.worth[move.card]:
        raised = build.value + values.worth[move.card]
        raise Refused("wrong_raise_value", "CNO-35", card=move.card, build=build.id, value=move.value, raised=raised, was=build.value)
    _check_sums(values, move.groups, move.value, "CNO-35")
    _check_held(values, table, seat, move.card, move.value)
    _check_covered(values, table, seat, move.card, [move.value, *_list_other_values(table, seat, build)])


def check_add(values: Values, table: CasinoTable, seat: Seat, move: Add) -> None:
    _check_no_court_card(values, (move.card,))
    build = _build(table, move.build, "CNO-39")
    _check_named(values, table, move)
    _check_sums(values, move.groups, build.value, "CNO-39")
    _check_held(values, table, seat, move.card, build.value)
    _check_covered(values, table, seat, move.card, [build.value, *_list_other_values(table, seat, build)])


# Shared by several moves


def _check_named(values: Values, table: CasinoTable, move: MakeBuild | Add) -> tuple[Card, ...]:
    """Return the cards named beside the played one, which lie on the table. Refuses a move of which no group holds the card played."""
    cards = _flat(move.groups)
    _check_once(cards)
    if move.card not in cards:
        raise Refused("played_card_missing", "CNO-34", card=move.card)
    others = tuple([card for card in cards if card != move.card])
    _check_on_table(table, others, "CNO-34", "CNO-39")
    _check_no_court_card(values, others)
    return others


def _check_once(named: Iterable[Card | int]) -> None:
    """Refuse a card or a build that is named twice."""
    seen: set[Card | int] = set()
    for name in named:
        if name in seen:
            raise Refused("card_used_twice", "CNO-24", twice=name, problem="build" if isinstance(name, int) else "card")
        seen.add(name)


def _check_on_table(table: CasinoTable, cards: tuple[Card, ...], not_on_table: str, in_build: str) -> None:
    """Refuse cards that do not all lie on the table, loose."""
    built = table.in_builds
    for card in cards:
        if card not in table.board and card not in built:
            raise Refused("card_not_on_table", not_on_table, card=card)
    for card in cards:
        if card in built:
            raise Refused("card_in_build", in_build, card=card)


def _check_no_court_card(values: Values, cards: tuple[Card, ...]) -> None:
    for card in cards:
        if values.is_court_card(card):
            raise Refused("picture_in_build", "CNO-4", picture=card)


def _check_sums(values: Values, groups: Groups, value: int, *rules: str) -> None:
    for group in groups:
        if value not in (made := values.makes(group)):
            raise Refused("wrong_sum", *rules, group=group, made=made, value=value)


def _check_held(values: Values, table: CasinoTable, seat: Seat, card: Card, value: int) -> None:
    left = _left(table, seat, card)
    if not values.cover(left, {value}, table.may_capture(values, left)):
        raise Refused("no_capturing_card", "CNO-32", card=card, value=value)


def _check_covered(values: Values, table: CasinoTable, seat: Seat, card: Card, owned: list[int]) -> None:
    if not owned:
        return
    left = _left(table, seat, card)
    if not values.cover(left, set(owned), table.may_capture(values, left)):
        raise Refused("build_uncovered", "CNO-42", "CNO-43", values=tuple(sorted(set(owned))))


def _build(table: CasinoTable, build: int, rule: str) -> Build:
    if build not in table.builds:
        lying = tuple(table.builds)
        raise Refused("no_such_build", rule, build=build, builds=lying, problem="some" if lying else "none")
    return table.builds[build]


def _list_other_values(table: CasinoTable, seat: Seat, build: Build | None = None) -> list[int]:
    """Return the values of the builds that the seat owns, except for the one that changes."""
    return [owned.value for owned in table.builds_owned_by(seat) if owned is not build]


def _left(table: CasinoTable, seat: Seat, card: Card) -> tuple[Card, ...]:
    """Return the hand after the card was played."""
    return tuple([held for held in table.hand(seat) if held != card])


def _flat(groups: Groups) -> tuple[Card, ...]:
    return tuple(chain.from_iterable(groups))


def _common(left: tuple[int, ...], right: tuple[int, ...]) -> tuple[int, ...]:
    return tuple([value for value in left if value in right])
