"""Effects of legal Canasta moves on the table."""

from domain.cards import Card, Seat
from domain.effects import CardsMoved, DetailAnnounced, Effect, MarkSet, Plain, Sight, SightSet, TurnPassed, ZoneAdded
from domain.games.canasta.cards import BLACK_THREE, RED_THREES, Rank, is_wild, points
from domain.games.canasta.close import clear_turn_marks, close_hand, has_reached_target
from domain.games.canasta.moves import Answer, AnyMove, Ask, Discard, Draw, Group, Lay, Pass, Take, list_meld_cards
from domain.games.canasta.options import Options
from domain.games.canasta.table import CanastaTable, meld_zone
from domain.table import Draft, Table


def play(draft: Draft, options: Options, table: CanastaTable, seat: Seat, move: AnyMove, *, small_pile_open: bool = True) -> None:
    """Play a legal move, and what follows from it: the end of the hand, or the next seat to act."""
    exhausted = _act(draft, options, table, seat, move)
    if small_pile_open:
        draft.emit(*update_pile_sight(table.sight, draft.table))
    if exhausted:
        close_hand(draft, options, "stock_exhausted")
    elif isinstance(move, Take | Lay | Discard) and not CanastaTable(draft.table).hand(seat):
        close_hand(draft, options, "went_out", seat)
    elif has_reached_target(draft.table, options):
        close_hand(draft, options, "target_reached")
    else:
        _pass_turn(draft, seat, move)


def _act(draft: Draft, options: Options, table: CanastaTable, seat: Seat, move: AnyMove) -> bool:
    """Play the move itself. Return whether the stock has run dry with it (CAN-12, CAN-18)."""
    match move:
        case Draw():
            return not draw(draft, seat)
        case Pass():
            return True
        case Take():
            _take(draft, options, table, seat, move)
        case Lay():
            _lay(draft, table, seat, move.melds)
        case Discard():
            _discard(draft, table, seat, move.card)
        case Ask():
            draft.emit(DetailAnnounced(seat, "question_asked", {"partner": partner(seat)}), MarkSet("question", "pending"))
        case Answer():
            _answer(draft, seat, consent=move.consent)
    return False


def update_pile_sight(before: Sight, table: Table) -> list[Effect]:
    """Return the change of sight of the pile: one that has grown is covered, one that was taken starts again (CAN-38)."""
    now = CanastaTable(table).sight
    return [SightSet("pile", now)] if now != before else []


def partner(seat: Seat) -> Seat:
    return (seat + 2) % 4


def draw(draft: Draft, seat: Seat) -> bool:
    """Draw the next card that is no red three, and lay red threes on the way (CAN-12). Return whether there was one."""
    red = f"red:{seat % 2}"
    for card in reversed(draft.table.cards("stock")):
        if card not in RED_THREES:
            draft.emit(CardsMoved((card,), "stock", f"hand:{seat}"))
            return True
        draft.emit(CardsMoved((card,), "stock", red))
    return False


def lay_red_threes(draft: Draft, seat: Seat, *, replaced: bool) -> None:
    """Lay the red threes of a hand, each replaced by the next card as long as there is one (CAN-9, CAN-13)."""
    for card in draft.table.cards(f"hand:{seat}"):
        if card in RED_THREES:
            draft.emit(CardsMoved((card,), f"hand:{seat}", f"red:{seat % 2}"))
            if replaced:
                draw(draft, seat)


def _take(draft: Draft, options: Options, table: CanastaTable, seat: Seat, move: Take) -> None:
    """Move the top card to its meld, the groups after it, and the rest of the pile to the hand (CAN-29)."""
    _lay(draft, table, seat, (Group(move.rank, move.cards), *move.melds), table.top)
    if rest := table.pile[:-1]:
        draft.emit(CardsMoved(rest, "pile", f"hand:{seat}"))
    draft.emit(*(MarkSet(mark, None, "pile") for mark in CanastaTable(draft.table).pile_marks))
    if not RED_THREES.isdisjoint(rest):
        lay_red_threes(draft, seat, replaced=options.pile_red_three_replaced)


def _lay(draft: Draft, before: CanastaTable, seat: Seat, groups: tuple[Group, ...], top: Card | None = None) -> None:
    """Lay the groups. ``top`` is the top card of the pile; it goes with the first group."""
    party = seat % 2
    for place, group in enumerate(groups):
        draft.emit(*_lay_group(before, seat, group, None if place else top))
    after = CanastaTable(draft.table)
    draft.emit(*(_canasta(seat, group.rank, after) for group in groups if _is_new(before, after, party, group.rank)))
    if not before.has_opened(party):
        value = points(list_meld_cards(groups)) + points((top,) if top else ())
        said: dict[str, Plain] = {"party": party, "points": value, "minimum": before.minimums[party]}
        draft.emit(DetailAnnounced(seat, "initial_meld", said), MarkSet("opening", True))
    if any(group.rank == BLACK_THREE for group in groups) and not before.must_go_out:
        draft.emit(MarkSet("must_go_out", True))


def _lay_group(table: CanastaTable, seat: Seat, group: Group, top: Card | None) -> list[Effect]:
    """Return the effects of one group, on the meld of its rank or on a new one."""
    zone = meld_zone(seat % 2, group.rank)
    effects: list[Effect] = [] if zone in table.table.zones else [ZoneAdded(zone, "all", None)]
    if top is not None:
        effects.append(CardsMoved((top,), "pile", zone))
    if group.cards:
        effects.append(CardsMoved(group.cards, f"hand:{seat}", zone))
    return effects


def _is_new(before: CanastaTable, after: CanastaTable, party: int, rank: Rank) -> bool:
    """Return whether a meld has become a canasta, or a natural one mixed (CAN-25)."""
    meld = before.melds[party].get(rank)
    return after.melds[party][rank].canasta != (meld and meld.canasta)


def _canasta(seat: Seat, rank: Rank, after: CanastaTable) -> DetailAnnounced:
    return DetailAnnounced(seat, "canasta", {"party": seat % 2, "rank": rank, "kind": after.melds[seat % 2][rank].canasta})


def _discard(draft: Draft, table: CanastaTable, seat: Seat, card: Card) -> None:
    draft.emit(CardsMoved((card,), f"hand:{seat}", "pile", shown=True))
    if is_wild(card) and not table.frozen:
        draft.emit(MarkSet("frozen", card, "pile"))  # the first wild card stays the one that froze it


def _answer(draft: Draft, seat: Seat, *, consent: bool) -> None:
    said: dict[str, Plain] = {"asker": partner(seat), "consent": consent}
    draft.emit(DetailAnnounced(seat, "question_answered", said), MarkSet("question", "granted" if consent else "denied"))
    if consent:
        draft.emit(MarkSet("must_go_out", True))


def _pass_turn(draft: Draft, seat: Seat, move: AnyMove) -> None:
    match move:
        case Discard():
            following = (seat + 1) % draft.table.setup.seats
            draft.emit(*clear_turn_marks(draft.table), TurnPassed("draw", following, (following,)))
        case Ask():
            draft.emit(TurnPassed("answer", seat, (partner(seat),)))
        case Answer():
            draft.emit(TurnPassed("play", partner(seat), (partner(seat),)))
        case Draw() | Take() | Pass() | Lay():
            draft.emit(TurnPassed("play", seat, (seat,)))
