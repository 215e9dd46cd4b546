"""Notation of Canasta moves: how they are typed and written.

There can be too many melds to list, so a line is not compared with the legal moves: the move is built from the line. Its ranks become cards
of the hand, and the rules are asked once, because suits make no difference to what may be laid. Where cards of the hand are unknown,
another choice of cards may occasionally be refused when it is made: it lays more of the unknown ones.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import NamedTuple, TypeAlias, cast

from domain.cards import SUITS, Card, Seat
from domain.games.canasta.cards import MELD_RANKS, WILD_RANKS, Rank, in_order, is_wild, rank_of
from domain.games.canasta.held import HeldCards, Named
from domain.games.canasta.melds import SMALLEST
from domain.games.canasta.options import Options
from domain.games.canasta.table import CanastaTable
from domain.games.canasta.typed_groups import TypedGroup, of_one_rank, rank_of_token, read_groups
from domain.notation.letters import FRENCH, CardToken, CardUnit, Cut, Move, Sign, SignToken, SignUnit, Unit, cards_of
from domain.notation.syntax import FaceClause, Meaning, MoveContext, MoveFaces, NotationSyntax

# Spelling, for example ``x 9s9h K=KsKhKd2s``, ``7+7d``, ``9s -``.


SPOKEN: Mapping[Sign, Move] = {
    ".": {"type": "draw"},
    "~": {"type": "pass"},
    "?": {"type": "ask"},
    "y": {"type": "answer", "consent": True},
    "n": {"type": "answer", "consent": False},
}
"""The moves without cards, by their signs."""

Cards: TypeAlias = tuple[Card, ...]


def units_of_move(_: object, move: Move) -> tuple[Unit, ...]:
    """Spell a move without its table: three cards or more are spelled as a meld of their own, fewer as laid off."""
    return _format_move(move, lambda rank, cards: len(cards) >= SMALLEST)


def units_at_table(_: object, table: CanastaTable, seat: Seat, move: Move) -> tuple[Unit, ...]:
    """Spell a move on its table: ``=`` for a new meld, ``+`` for cards laid off."""
    melded = table.meld_cards[table.party(seat)]
    return _format_move(move, lambda rank, cards: rank not in melded)


def _format_move(move: Move, is_new: Callable[[Rank, Cards], bool]) -> tuple[Unit, ...]:
    match move:
        case {"type": "discard", "card": str(card)}:
            return CardUnit(card, role="played"), SignUnit("-")
        case {"type": "meld", "melds": melds}:
            return _groups(melds, is_new)
        case {"type": "take", "cards": cards}:
            return SignUnit("x"), *_cards(cast("Cards", cards)), *_groups(move.get("melds", ()), is_new)
        case _:
            return tuple(SignUnit(sign) for sign, spoken in SPOKEN.items() if spoken == move)


def _groups(melds: object, is_new: Callable[[Rank, Cards], bool]) -> tuple[Unit, ...]:
    """Spell the groups from the aces down, in whatever order they were named."""
    named = [(str(group["rank"]), tuple(group["cards"])) for group in cast("tuple[dict[str, Cards], ...]", melds)]
    return tuple(chain.from_iterable(_group(rank, cards, new=is_new(rank, cards)) for rank, cards in sorted(named, key=_place)))


def _group(rank: Rank, cards: Cards, *, new: bool) -> Iterator[Unit]:
    yield CardUnit(rank, role="free")
    yield SignUnit("=" if new else "+", joined=True)
    first, *others = _cards(cards)
    yield CardUnit(first.card, joined=True)
    yield from others


def _cards(cards: Cards) -> tuple[CardUnit, ...]:
    """Spell the cards, the natural ones first."""
    ordered = sorted(in_order(cards), key=is_wild)
    return tuple(CardUnit(card, joined=place > 0) for place, card in enumerate(ordered))


def _place(named: tuple[Rank, Cards]) -> int:
    return MELD_RANKS.find(named[0])


MOST_TRIED = 12
"""The most choices of cards, ways to take the pile, or ranks of cards that are tried for a line that leaves them open."""


class _Read(NamedTuple):
    """A line that names cards, or takes the pile, as far as it can be read without looking at the hand."""

    type: str
    groups: tuple[TypedGroup, ...]

    @property
    def ranks(self) -> Hashable:
        """The part of a line that decides its legality, beside how many unknown cards it lays."""
        return self.type, tuple((group.rank, tuple(sorted(map(rank_of_token, group.cards)))) for group in self.groups)

    def move(self, named: Named) -> Move:
        laid: tuple[Move, ...] = tuple({"rank": group.rank, "cards": cards} for group, cards in zip(self.groups, named, strict=True))
        match self.type:
            case "discard":
                return {"type": "discard", "card": named[0][0]}
            case "take":
                return {"type": "take", **laid[0], "melds": laid[1:]}
            case _:
                return {"type": "meld", "melds": laid}


def _match_groups(situation: MoveContext, cut: Cut) -> Meaning:
    match cut:
        case (SignToken(sign="-" | "=" | "+" as sign),):
            return Meaning(longer=_first(situation, "discard" if sign == "-" else "meld"))
        case (SignToken(sign=sign),) if sign in SPOKEN:
            return Meaning(_legal(situation, [SPOKEN[sign]]))
        case _:
            found = [_meaning(situation, read) for read in _reads(situation.table_view, cut)]
            meant = tuple(move for meaning in found for move in meaning.meant)
            return Meaning(meant, sure=all(meaning.sure for meaning in found)) if meant or len(cut) > 1 else _taking(situation, cut)


def _meaning(situation: MoveContext, read: _Read) -> Meaning:
    """Return the moves with every suit that was left open, if the move is legal with cards that the hand is known to hold: such a choice
    leaves the hand the most.
    """
    seen = CanastaTable(situation.visible_table)
    held = HeldCards(seen.hand(situation.seat), seen)
    first = next(held.namings(read.groups), None)
    if first is None or not situation.is_legal(read.move(first), (read.ranks, held.unknown_of(first))):
        return Meaning()
    namings = list(islice(held.namings(read.groups), MOST_TRIED + 1))
    return Meaning(tuple(map(read.move, namings[:MOST_TRIED])), sure=len(namings) <= MOST_TRIED)


def _taking(situation: MoveContext, cut: Cut) -> Meaning:
    """Return the ways to take the pile, where its top card alone cannot be laid (NOT-4)."""
    takes = _first(situation, "take") if _signs(cut) == ("x",) else ()
    return Meaning(takes[:MOST_TRIED], sure=len(takes) <= MOST_TRIED)


def _legal(situation: MoveContext, moves: Iterable[Move]) -> tuple[Move, ...]:
    return tuple(move for move in moves if situation.refusal(move) is None)


def _first(situation: MoveContext, kind: str) -> tuple[Move, ...]:
    """Return the first legal moves of a type. No long list can come before them in this part of a turn."""
    if (situation.table.phase == "draw") != (kind == "take"):
        return ()
    moves = situation.notation.legal(situation.visible_table, situation.seat)
    return tuple(islice((move for move in moves if move["type"] == kind), MOST_TRIED + 1))


def _literal(_: object, lying: CanastaTable, seat: Seat, cut: Cut) -> Iterator[Move]:
    match cut:
        case (SignToken(sign=sign),) if sign in SPOKEN:
            yield SPOKEN[sign]
        case _:
            held = HeldCards(lying.hand(seat), lying)
            for read in (*_reads(lying, cut, literal=True), *_reads(lying, cut)):
                yield read.move(held.literal(read.groups))


def _reads(lying: CanastaTable, cut: Cut, *, literal: bool = False) -> Iterator[_Read]:
    for one in islice(of_one_rank(cut), MOST_TRIED):
        yield from _reads_of(lying, one, literal=literal)


def _reads_of(lying: CanastaTable, cut: Cut, *, literal: bool) -> Iterator[_Read]:
    """Yield the readings of a line. One card alone is a discard; with ``=`` or ``+`` it is laid."""
    cards, signs = cards_of(cut), _signs(cut)
    match cut:
        case (SignToken(sign="x"), *_):
            if {*signs[1:]} <= {"=", "+"}:
                yield from (_Read("take", groups) for groups in read_groups(cut[1:], _rank_of_take(lying, cards), literal=literal))
        case _ if len(cards) == 1 and signs in ((), ("-",)):
            yield _Read("discard", (TypedGroup(rank_of_token(cards[0]), cards),))
        case _ if cards and {*signs} <= {"=", "+"}:
            yield from (_Read("meld", groups) for groups in read_groups(cut, literal=literal))


def _rank_of_take(lying: CanastaTable, cards: tuple[CardToken, ...]) -> Rank:
    """Return the rank of the top card; if it is wild, that of the first natural card."""
    top = lying.top
    if top is not None and not is_wild(top):
        return rank_of(top)
    return next((rank for token in cards if (rank := rank_of_token(token)) not in WILD_RANKS), rank_of(top or "A"))


def _signs(cut: Cut) -> tuple[Sign, ...]:
    return tuple(token.sign for token in cut if isinstance(token, SignToken))


def _tells(_: object, __: CanastaTable, ___: Seat, move: Move, said: FaceClause) -> MoveFaces | None:
    """Return the red threes that are drawn, and the cards that replace them."""
    return MoveFaces({"stock": said.faces}) if move["type"] in ("draw", "take") else None


GRAMMAR = NotationSyntax[Options, CanastaTable](
    letters=FRENCH,
    suits=SUITS,
    signs=("x", "-", "=", "+", "?", "~", ".", "y", "n"),
    spell=units_of_move,
    spell_there=units_at_table,
    literal=_literal,
    plain="draw",
    words={
        "en": {".": "draw,draws", "x": "take,takes", "-": "discard,discards", "~": "pass,passes", "?": "ask,asks", "y": "yes", "n": "no"},
        "de": {
            ".": "ziehen,ziehe,zieht",
            "x": "nehmen,nimm,nimmt",
            "-": "abwerfen,ablegen",
            "~": "passen,passe,passt",
            "?": "fragen,frage,fragt",
            "y": "ja",
            "n": "nein",
        },
    },
    order=("draw", "pass", "discard", "meld", "take", "ask", "answer"),
    cured=("meld_too_small", "initial_meld_too_low", "natural_pair_needed", "two_cards_needed", "pile_frozen"),
    tells=_tells,
    fitting=_match_groups,
    examples=(
        {"type": "draw"},
        {"type": "take", "rank": "9", "cards": ("9S", "9H"), "melds": ({"rank": "K", "cards": ("KS", "KH", "KD", "2S")},)},
        {"type": "meld", "melds": ({"rank": "K", "cards": ("KS", "KH", "JK")}, {"rank": "7", "cards": ("7D", "7C", "7S")})},
        {"type": "discard", "card": "9S"},
        {"type": "ask"},
        {"type": "answer", "consent": True},
        {"type": "pass"},
    ),
)
