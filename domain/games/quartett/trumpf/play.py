"""What a deal and a move do to the table, up to the comparison of a round."""

from domain.cards import Card, Seat
from domain.effects import CardsMoved, Effect, HandOpened, MarkSet, Said, TurnPassed, ZoneLaid
from domain.games.quartett.deck import Deck
from domain.games.quartett.options import Agreed
from domain.games.quartett.trumpf.moves import Announce, AnyMove, Draw, Reply
from domain.games.quartett.trumpf.options import Options
from domain.games.quartett.trumpf.table import ASIDE, FEW, MIDDLE, ROUND, TrumpfTable, stack_zone
from domain.games.quartett.trumpf.tricks import resighted, tie, tie_break, win
from domain.table import Draft


def open_hand(draft: Draft, agreed: Agreed[Options], dealer: Seat, cards: tuple[Card, ...]) -> None:
    """One card at a time from the dealer's left; what cannot be dealt evenly is set aside or dealt on (QTR-4 to QTR-6)."""
    seats = draft.table.setup.seats
    dealt = len(cards) if agreed.options.remainder == "deal" else len(cards) - len(cards) % seats
    order = tuple((dealer + 1 + step) % seats for step in range(seats))
    stacks = {seat: cards[step:dealt:seats] for step, seat in enumerate(order)}
    draft.emit(
        HandOpened(draft.table.hand + 1, dealer),
        ZoneLaid("stock", "none", None, cards[::-1]),
        *(ZoneLaid(stack_zone(seat), "owner" if len(stacks[seat]) <= FEW else "owner-top", seat) for seat in range(seats)),
        ZoneLaid(ROUND, "all", None),
        ZoneLaid(MIDDLE, "all", None),
        ZoneLaid(ASIDE, "none", None),
        *(CardsMoved(stack[::-1], "stock", stack_zone(seat)) for seat, stack in stacks.items()),
        *([CardsMoved(cards[dealt:], "stock", ASIDE)] if dealt < len(cards) else []),
        MarkSet("trick", order),
        TurnPassed("announce", order[0], order[:1]),
    )


def play(draft: Draft, agreed: Agreed[Options], table: TrumpfTable, seat: Seat, move: AnyMove) -> None:
    """A legal move, and what follows from it without a choice."""
    deck = agreed.deck
    match move:
        case Announce(category=category, card=card):
            shown = card if isinstance(card, str) else table.stack(seat)[-1]
            draft.emit(MarkSet("category", category), *_showing(deck, table, seat, shown, category))
            go_round(draft, agreed)
        case Reply(card=card):
            draft.emit(*_showing(deck, table, seat, card, table.category or ""))
            go_round(draft, agreed)
        case Draw(position=position):
            draw(draft, agreed.options, table, seat, position)


def go_round(draft: Draft, agreed: Agreed[Options]) -> None:
    """The seats of the trick show their cards one after the other, until one has to choose or all have shown (QTR-11)."""
    table = TrumpfTable(draft.table)
    for seat in table.trick[len(table.shown) :]:
        stack = table.stack(seat)
        if 1 < len(stack) <= FEW:
            draft.emit(TurnPassed("reply", seat, (seat,)))
            return
        draft.emit(*_showing(agreed.deck, table, seat, stack[-1], table.category or ""))
    compare(draft, agreed)


def _showing(deck: Deck, table: TrumpfTable, seat: Seat, card: Card, category: str) -> list[Effect]:
    count = len(table.stack(seat))
    shown = CardsMoved((card,), stack_zone(seat), ROUND, shown=True)
    value = deck.values[category][card]
    said = Said(seat, "no_value") if value is None else Said(seat, "shown", value)
    return [shown, said, *resighted(seat, count, count - 1)]


def compare(draft: Draft, agreed: Agreed[Options]) -> None:
    """The best value of the category wins the trick; two of them are a tie (QTR-10, QTR-12, QTR-14). A dash loses to all (QDK-10)."""
    table = TrumpfTable(draft.table)
    category, deck = table.category or "", agreed.deck
    values = {seat: value for seat, card in table.shown if (value := deck.values[category][card]) is not None}
    best = deck.categories[category].best(values.values())
    leaders = tuple(seat for seat, value in values.items() if value == best)
    draft.emit(MarkSet("rounds", table.rounds + 1), MarkSet("category", None))
    if len(leaders) == 1:
        win(draft, agreed.options, leaders[0])
    else:
        tie(draft, agreed.options, leaders)


def draw(draft: Draft, options: Options, table: TrumpfTable, seat: Seat, position: int) -> None:
    """A card of the announcer's stack becomes the only card of the seat (QTR-18, QTR-19)."""
    announcer = table.trick[0]
    stack = table.stack(announcer)
    draft.emit(
        Said(seat, "drawn", {"from": announcer, "position": position}),
        CardsMoved((stack[-1 - position],), stack_zone(announcer), stack_zone(seat)),
        *resighted(announcer, len(stack), len(stack) - 1),
        *resighted(seat, 0, 1),
    )
    tie_break(draft, options)
