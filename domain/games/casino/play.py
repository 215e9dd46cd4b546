"""Effects of Casino deals and moves, and of the end of a hand."""

from collections.abc import Sequence

from domain.cards import HIDDEN, Card, Seat
from domain.effects import (
    CardsMoved,
    DetailAnnounced,
    Effect,
    GameClosed,
    HandClosed,
    HandOpened,
    MarkSet,
    Scored,
    SightSet,
    TurnPassed,
    ZoneAdded,
)
from domain.games.casino import score
from domain.games.casino.checks import capture_values
from domain.games.casino.codes import CODES
from domain.games.casino.moves import Add, AnyMove, Capture, MakeBuild, Raise, Trail
from domain.games.casino.options import Options
from domain.games.casino.table import VALUES, CasinoTable, Group, Groups, deal_number, group_zone
from domain.score import Sheet, totals
from domain.table import Draft, Table
from domain.unknown_cards.asking import card_unknown


def open_hand(draft: Draft, _: object, dealer: Seat, deck: tuple[Card, ...]) -> None:
    """Make the first deal of a hand (CNO-9)."""
    setup = draft.table.setup
    draft.emit(
        HandOpened(draft.table.hand + 1, dealer),
        ZoneAdded("stock", "none", None, deck[::-1]),
        *(ZoneAdded(f"hand:{seat}", "owner", seat) for seat in range(setup.seats)),
        ZoneAdded("board", "all", None),
        *(ZoneAdded(f"won:{party}", "none", None) for party in range(len(setup.parties))),
    )
    deal_cards(draft, with_board=True)


def first_zones(_: object, table: Table, dealer: Seat, deck: tuple[Card, ...]) -> dict[str, tuple[int, ...]]:
    """Return where the cards of the first deal go, by their indices in the deck (CNO-10); the stock keeps the others."""
    order, number = _zones_of_pass(table, dealer, with_board=True), 4 * (table.setup.seats + 1)
    pairs = [(2 * place, 2 * place + 1, target) for place, target in enumerate(order * 2)]
    dealt = {zone: tuple(index for *pair, target in pairs if target == zone for index in pair) for zone in order}
    return {**dealt, "stock": tuple(range(number, len(deck)))}


def _zones_of_pass(table: Table, dealer: Seat, *, with_board: bool) -> list[str]:
    """Return the zones of one pass: from the dealer's left, the board before the dealer (CNO-9, CNO-11)."""
    seats = table.setup.seats
    return [f"hand:{(dealer + step) % seats}" for step in range(1, seats)] + ["board"] * with_board + [f"hand:{dealer}"]


def deal_cards(draft: Draft, *, with_board: bool) -> None:
    """Deal four cards to every seat in two passes of two; the board gets its cards before the dealer does (CNO-9, CNO-11)."""
    table = draft.table
    dealer, seats = table.dealer or 0, table.setup.seats
    order = _zones_of_pass(table, dealer, with_board=with_board)
    coming = table.cards("stock")[::-1]
    twos = [(coming[2 * place : 2 * place + 2], target) for place, target in enumerate(order * 2)]
    draft.emit(*(CardsMoved(two, "stock", target) for two, target in twos if two))
    left, first = len(coming[2 * len(twos) :]), (dealer + 1) % seats
    draft.emit(
        DetailAnnounced(dealer, "dealt", {"deal": deal_number(table.setup, left), "last": not left}), TurnPassed("play", first, (first,))
    )


def play(draft: Draft, options: Options, table: CasinoTable, seat: Seat, move: AnyMove) -> None:
    """Play a legal move, and what follows from it: the next seat's turn, the next deal, or the end of the hand."""
    draft.emit(*_effects(options, table, seat, move))
    following = (seat + 1) % table.table.setup.seats
    if table.hand_card_count > 1:  # the card played was not the last one
        draft.emit(TurnPassed("play", following, (following,)))
    elif table.stock:
        deal_cards(draft, with_board=False)
    else:
        _close_hand(draft, options)


def _effects(options: Options, table: CasinoTable, seat: Seat, move: AnyMove) -> list[Effect]:
    match move:
        case Trail(card=card):
            return [_play_card(seat, card, "board")]
        case Capture():
            return _capture(options, table, seat, move)
        case MakeBuild():
            return _build(table, seat, move)
        case Raise():
            return _raise(table, seat, move)
        case Add():
            return _add(table, seat, move)


def _play_card(seat: Seat, card: Card, target: str) -> CardsMoved:
    return CardsMoved((card,), f"hand:{seat}", target, shown=True)


def _capture(options: Options, table: CasinoTable, seat: Seat, move: Capture) -> list[Effect]:
    """Return the effects of a capture: groups and builds go to the pile in the order named, the played card on top of them."""
    party = table.party(seat)
    pile = f"won:{party}"
    effects: list[Effect] = [CardsMoved(group, "board", pile) for group in move.groups]
    for build in move.builds:
        groups = enumerate(table.builds[build].groups)
        effects += [CardsMoved(group, group_zone(build, place), pile) for place, group in groups]
    fitting = capture_values(VALUES[options.variant], table, move)
    effects += [_play_card(seat, move.card, pile), DetailAnnounced(seat, "captured", min(fitting, default=None))]
    if table.last_capturer != seat:
        effects.append(MarkSet("last_capturer", seat))
    if options.sweeps and _clears(table, move) and (options.last_sweep == "counts" or not _is_last(table)):
        effects += [DetailAnnounced(seat, "swept", move.card), MarkSet("sweeps", (*table.sweeps(party), move.card), pile)]
    return effects


def _clears(table: CasinoTable, move: Capture) -> bool:
    """Return whether nothing is left on the table."""
    return sum([len(group) for group in move.groups]) == len(table.board) and len(move.builds) == len(table.builds)


def _is_last(table: CasinoTable) -> bool:
    """Return whether the card that is played is the very last one (CNO-53): nobody has to trail after it."""
    return table.hand_card_count == 1 and not table.stock


def _build(table: CasinoTable, seat: Seat, move: MakeBuild) -> list[Effect]:
    build = table.last_build_number + 1
    effects = _lay_groups(build, 0, seat, move.card, move.groups)
    first = group_zone(build, 0)
    effects += [MarkSet("value", move.value, first), MarkSet("owner", seat, first)]
    effects.append(DetailAnnounced(seat, "built", {"build": build, "value": move.value, "kind": _kind(len(move.groups))}))
    return effects


def _raise(table: CasinoTable, seat: Seat, move: Raise) -> list[Effect]:
    """Return the effects of a raise: the card goes on the one group of the build, the extra groups beside it."""
    first = group_zone(move.build, 0)
    effects: list[Effect] = [_play_card(seat, move.card, first)]
    effects += _lay_groups(move.build, 1, seat, move.card, move.groups)
    effects.append(MarkSet("value", move.value, first))
    return effects + _take_over_build(table, seat, "raised", move.build, move.value, 1 + len(move.groups))


def _add(table: CasinoTable, seat: Seat, move: Add) -> list[Effect]:
    build = table.builds[move.build]
    lying = len(build.groups)
    effects = _lay_groups(move.build, lying, seat, move.card, move.groups)
    return effects + _take_over_build(table, seat, "added", move.build, build.value, lying + len(move.groups))


def _take_over_build(table: CasinoTable, seat: Seat, what: str, build: int, value: int, groups: int) -> list[Effect]:
    """Return the effects of a changed build: the seat that changes it owns it from then on (CNO-40)."""
    before = table.builds[build]
    said = DetailAnnounced(
        seat,
        what,
        {"build": build, "from_value": before.value, "value": value, "previous_owner": before.owner, "kind": _kind(groups)},
    )
    return [said] if before.owner == seat else [MarkSet("owner", seat, group_zone(build, 0)), said]


def _lay_groups(build: int, first: int, seat: Seat, played: Card, groups: Groups) -> list[Effect]:
    """Return the effects of new groups of a build, the played card in its place among the loose ones."""
    effects: list[Effect] = []
    for place, group in enumerate(groups, first):
        zone = group_zone(build, place)
        effects.append(ZoneAdded(zone, "all", None))
        effects += _moves_into(zone, seat, played, group)
    return effects


def _moves_into(zone: str, seat: Seat, played: Card, group: Group) -> list[CardsMoved]:
    if played not in group:
        return [CardsMoved(group, "board", zone)]
    place = group.index(played)
    before, after = group[:place], group[place + 1 :]
    moves = [CardsMoved(before, "board", zone)] if before else []
    moves.append(_play_card(seat, played, zone))
    return [*moves, CardsMoved(after, "board", zone)] if after else moves


def _kind(groups: int) -> str:
    return "single" if groups == 1 else "multiple"


def _close_hand(draft: Draft, options: Options) -> None:
    """Close the hand: the residue goes to the last capturer, the piles are shown and counted (CNO-50 to CNO-63)."""
    setup, before = draft.table.setup, totals(draft.table.setup, draft.table.score)
    parties = range(len(setup.parties))
    party, residue = _take_remaining_cards(draft)
    table = CasinoTable(draft.table)
    piles = [table.pile(party) for party in parties]
    _check_pile_known(piles)
    rows = score.hand_rows(piles, [len(table.sweeps(party)) for party in parties])
    draft.emit(
        *(SightSet(f"won:{party}", "all") for party in parties),
        *(Scored(row, rows[row]) for row in score.ROWS),
        HandClosed(
            "played_out",
            {
                "counts": {"cards": score.card_counts(piles), "spades": score.count_suit_cards(piles)},
                "residue": {"party": party, "cards": len(residue)},
            },
        ),
    )
    decided = score.decide_winner(before, rows, options.target, by_order=options.count_out == "order")
    if decided is not None:
        draft.emit(_game_end(draft.table, options, decided))


def _check_pile_known(piles: Sequence[tuple[Card, ...]]) -> None:
    """Refuse piles with unknown cards. A recorded pile holds none; a masked table, as everybody sees it, hides the cards in it."""
    if unseen := [party for party, pile in enumerate(piles) if HIDDEN in pile]:
        raise card_unknown(CODES, ({"zone": f"won:{party}", "count": len(piles[party])} for party in unseen))


def stop(draft: Draft, _: object) -> bool:
    """Stop the hand without counting it: nothing is taken and nothing is counted (COM-43)."""
    draft.emit(HandClosed("stopped", {}))
    return False


def closing(options: Options, sheet: Sheet) -> GameClosed | None:
    """Return the end of the game, if the points as they stand decide the hand that was counted last (COM-42, CNO-64 to CNO-67)."""
    decided = score.decide_last_winner(sheet, options.target, by_order=options.count_out == "order")
    return _close_game(sheet.totals, options, decided) if decided is not None and decided.winner is not None else None


def _take_remaining_cards(draft: Draft) -> tuple[int | None, tuple[Card, ...]]:
    """Move the loose cards that are left to the last capturer. Return the party and the cards; they stay where they lie if nobody captured
    (CNO-51, CNO-54).
    """
    table = CasinoTable(draft.table)
    cards, seat = table.board, table.last_capturer
    party = table.party(seat) if cards and seat is not None else None
    if cards:
        draft.emit(DetailAnnounced(seat, "residue", {"party": party, "cards": cards}))
    if party is not None:
        draft.emit(CardsMoved(cards, "board", f"won:{party}"))
    return party, cards


def _game_end(table: Table, options: Options, decided: score.DecidedHand) -> Effect:
    """Return the end of the game, or the tie that another hand has to decide (CNO-64 to CNO-67)."""
    if decided.winner is None:
        return DetailAnnounced(None, "game_tied", decided.leaders)
    return _close_game(totals(table.setup, table.score), options, decided)


def _close_game(points: score.Points, options: Options, decided: score.DecidedHand) -> GameClosed:
    assert decided.winner is not None
    return GameClosed(score.places(points, decided.winner), {"target": options.target, "decided_by": decided.by})
