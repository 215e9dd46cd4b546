"""Effects of Trumpfspiel deals and moves, up to the comparison of a round, and its legal moves."""

from collections.abc import Iterable, Iterator
from itertools import chain, filterfalse, takewhile

from domain.blocks import Block, block_at
from domain.cards import HIDDEN, Card, Seat
from domain.effects import BlockAdded, CardsMoved, DetailAnnounced, Effect, HandOpened, Known, MarkSet, TurnPassed, ZoneAdded
from domain.errors import Refused
from domain.games.quartett.options import Deck, QuartettTerms
from domain.games.quartett.trumpf.codes import CODES
from domain.games.quartett.trumpf.moves import Announce, AnyMove, Draw, Reply
from domain.games.quartett.trumpf.options import Options
from domain.games.quartett.trumpf.table import ASIDE, FEW, MIDDLE, ROUND, TrumpfTable, stack_zone
from domain.games.quartett.trumpf.tricks import tie, tie_break, update_stack_sight, win
from domain.rules import Move
from domain.table import Draft, Table
from domain.unknown_cards.asking import card_unknown
from domain.unknown_cards.support import faces


def open_hand(draft: Draft, agreed: QuartettTerms[Options], dealer: Seat, cards: tuple[Card, ...], *, in_blocks: bool = True) -> None:
    """Deal one card at a time from the dealer's left; cards that cannot be dealt evenly are set aside or dealt on (QTR-4 to QTR-6).
    ``in_blocks``: false in editions that know no other order under a stack than that of QTR-12.
    """
    seats = draft.table.setup.seats
    dealt = _number_dealt(agreed, seats, len(cards))
    order = tuple((dealer + 1 + step) % seats for step in range(seats))
    stacks = {seat: cards[step:dealt:seats] for step, seat in enumerate(order)}
    draft.emit(
        HandOpened(draft.table.hand + 1, dealer),
        ZoneAdded("stock", "none", None, cards[::-1]),
        *(ZoneAdded(stack_zone(seat), "owner" if len(stacks[seat]) <= FEW else "owner-top", seat) for seat in range(seats)),
        ZoneAdded(ROUND, "all", None),
        ZoneAdded(MIDDLE, "all", None),
        ZoneAdded(ASIDE, "none", None),
        *(CardsMoved(stack[::-1], "stock", stack_zone(seat)) for seat, stack in stacks.items()),
        *([CardsMoved(cards[dealt:], "stock", ASIDE)] if dealt < len(cards) else []),
        *([BlockAdded((), {})] if in_blocks and (agreed.options.tuck == "free" or HIDDEN in cards) else []),
        MarkSet("trick", order),
        TurnPassed("announce", order[0], order[:1]),
    )


def first_zones(agreed: QuartettTerms[Options], table: Table, dealer: Seat, deck: tuple[Card, ...]) -> dict[str, tuple[int, ...]]:
    """Return where the cards of a deal go, by their indices in the deck: of a stack the top card first (QTR-4, QTR-5)."""
    seats = table.setup.seats
    dealt = _number_dealt(agreed, seats, len(deck))
    stacks = {stack_zone((dealer + 1 + step) % seats): tuple(range(step, dealt, seats)) for step in range(seats)}
    return {**stacks, ASIDE: tuple(range(dealt, len(deck)))}


def _number_dealt(agreed: QuartettTerms[Options], seats: int, cards: int) -> int:
    return cards if agreed.options.remainder == "deal" else cards - cards % seats


def play(draft: Draft, agreed: QuartettTerms[Options], table: TrumpfTable, seat: Seat, move: AnyMove) -> None:
    """Play a legal move, and what follows from it without a choice."""
    deck = agreed.deck
    match move:
        case Announce(category=category, card=card):
            shown = card if isinstance(card, str) else table.stack(seat)[-1]
            if shown == HIDDEN:
                raise _untold(table, table.trick[1:], seat)
            draft.emit(
                MarkSet("category", category),
                *_showing(deck, table, seat, shown, category),
                *_forget_moved_card(draft.before, seat, shown),
            )
            go_round(draft, agreed)
        case Reply(card=card):
            draft.emit(*_showing(deck, table, seat, card, table.category or ""), *_forget_moved_card(draft.before, seat, card))
            go_round(draft, agreed)
        case Draw(position=position):
            draw(draft, agreed.options, table, seat, position)


def go_round(draft: Draft, agreed: QuartettTerms[Options]) -> None:
    """Let the seats of the trick show their cards one after the other, until one has to choose or all have shown (QTR-11)."""
    table = TrumpfTable(draft.table)
    for seat in table.trick[len(table.round_cards) :]:
        stack = table.stack(seat)
        if 1 < len(stack) <= FEW:
            draft.emit(TurnPassed("reply", seat, (seat,)))
            return
        if stack[-1] == HIDDEN:
            raise _untold(table, table.trick[len(table.round_cards) :])
        draft.emit(*_showing(agreed.deck, table, seat, stack[-1], table.category or ""))
    compare(draft, agreed)


def _untold(table: TrumpfTable, following: Iterable[Seat], *announcer: Seat) -> Refused:
    """Return the refusal that asks for unknown cards. All cards shown without a choice, up to the next seat that chooses, are asked for at
    once (QTR-30).
    """
    showing = (*announcer, *takewhile(lambda seat: not table.chooses(seat), following))
    untold = (seat for seat in showing if table.stack(seat)[-1] == HIDDEN)
    return card_unknown(CODES, ({"zone": stack_zone(seat), "places": (0,)} for seat in untold), "QTR-30")


def _showing(deck: Deck, table: TrumpfTable, seat: Seat, card: Card, category: str) -> list[Effect]:
    count = len(table.stack(seat))
    shown = CardsMoved((card,), stack_zone(seat), ROUND, shown=True)
    value = deck.values[category][card]
    said = DetailAnnounced(seat, "no_value") if value is None else DetailAnnounced(seat, "shown", value)
    return [shown, said, *update_stack_sight(seat, count, count - 1)]


def _forget_moved_card(before: Table, seat: Seat, shown: Card) -> list[Effect]:
    """Return the effects of a known card that may have moved. Of three cards only the middle one was known, and another one was shown:
    nobody has seen which place is left empty, so the middle card may be either of the two now (QTR-31). If both places belong to one
    block, it has become one of this block (QTR-32).
    """
    zone, stack = stack_zone(seat), before.cards(stack_zone(seat))
    block, lowest = (block_at(before.blocks or (), zone, place) for place in (0, FEW - 1))
    if len(stack) != FEW or not stack[0] == stack[2] == HIDDEN != stack[1] != shown or block is not lowest:
        return []
    forgotten = Known(zone, (HIDDEN, HIDDEN))
    if block is None:
        return [forgotten]
    faces = (*(face for face in block.faces if face != shown), stack[1])
    return [forgotten, BlockAdded(tuple(sorted(faces)), {**block.places, zone: (0, 1)})]


def compare(draft: Draft, agreed: QuartettTerms[Options]) -> None:
    """Compare the cards of a round. The best value of the category wins the trick; two of them are a tie (QTR-10, QTR-12, QTR-14).

    A dash loses to all; if after an announcement that stood nobody has a number, all are tied (QDK-10).
    """
    table = TrumpfTable(draft.table)
    category, deck = table.category or "", agreed.deck
    values = {seat: value for seat, card in table.round_cards if (value := deck.values[category][card]) is not None}
    best = deck.categories[category].best(values.values()) if values else None
    leaders = tuple(seat for seat, _ in table.round_cards if values.get(seat) == best)
    draft.emit(MarkSet("rounds", table.rounds + 1), MarkSet("category", None))
    if len(leaders) == 1:
        win(draft, agreed.options, leaders[0])
    else:
        tie(draft, agreed.options, leaders)


def draw(draft: Draft, options: Options, table: TrumpfTable, seat: Seat, position: int) -> None:
    """Move a card of the announcer's stack to the seat as its only card (QTR-18, QTR-19)."""
    announcer = table.trick[0]
    stack = table.stack(announcer)
    draft.emit(
        DetailAnnounced(seat, "drawn", {"from": announcer, "position": position}),
        CardsMoved((stack[-1 - position],), stack_zone(announcer), stack_zone(seat)),
        *update_stack_sight(announcer, len(stack), len(stack) - 1),
        *update_stack_sight(seat, 0, 1),
    )
    place = len(stack) - 1 - position
    left = stack[:place] + stack[place + 1 :]
    if draft.table.cards(stack_zone(announcer)) != left:
        # Of unknown cards the top-most one goes; this one lay deeper, and the others keep their places (QTR-31).
        draft.emit(Known(stack_zone(announcer), left))
    draft.emit(*_draw_from_blocks(draft, stack_zone(announcer), position, stack_zone(seat)))
    tie_break(draft, options)


def _draw_from_blocks(draft: Draft, source: str, position: int, target: str) -> Iterator[Effect]:
    """Yield the blocks whose places are others than the fold takes them to be: it was not the top-most unknown card that was drawn. One
    drawn from a block takes a place along and not a face (QTR-32).
    """
    for block in draft.before.blocks or ():
        if source in block.places:
            staying = tuple(place - (place > position) for place in block.places[source] if place != position)
            places = {**block.places, source: staying, target: (0,) if block.contains_place(source, position) else ()}
            moved = Block(block.faces, {zone: held for zone, held in places.items() if held})
            if moved not in (draft.table.blocks or ()):
                yield BlockAdded(moved.faces, moved.places)


# Every legal move of a seat, category by category and from the top card down.


def legal_moves(agreed: QuartettTerms[Options], table: TrumpfTable, seat: Seat) -> Iterator[Move]:
    """List the legal moves. Announcements name their card, also where it is the top one and could be left out (QTR-9)."""
    deck = agreed.deck
    match table.table.phase:
        case "announce":
            cards = tuple(_to_show(deck, table, seat))
            for category, values in deck.values.items():
                for card in cards:
                    if values[card] is not None:
                        yield {"type": "announce", "category": category, "card": card}
        case "reply":
            for card in _to_show(deck, table, seat):
                yield {"type": "reply", "card": card}
        case "draw":
            for position in range(len(table.stack(table.trick[0]))):
                yield {"type": "draw", "position": position}
        case _:
            return


def _to_show(deck: Deck, table: TrumpfTable, seat: Seat) -> Iterable[Card]:
    """Return the cards that the seat may show; one without a face may be any of its block (QTR-32), else any that the seat does not see
    (COM-76).
    """
    stack = table.stack(seat)
    lying = (stack if len(stack) <= FEW else stack[-1:])[::-1]
    if HIDDEN not in lying:
        return lying
    blocks = [block_at(table.table.blocks or (), stack_zone(seat), place) for place, card in enumerate(lying) if card == HIDDEN]
    tucked = dict.fromkeys(face for block in blocks if block for face in block.faces)
    unseen = filterfalse(faces(table.table).__contains__, deck.cards) if None in blocks else ()
    return chain(filter(HIDDEN.__ne__, lying), tucked, unseen)
