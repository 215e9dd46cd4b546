"""The grammar of a game's notation: a table of data and few functions, bound to the rulebook that reads and writes with it."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import islice
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from domain.cards import Card, Seat
from domain.errors import Refused
from domain.notation.card_names import CardNames, Names
from domain.notation.letters import Cut, Letters, Move, Sign, StepWords, Unit, Words, list_step_words
from domain.sight import Viewer, masked
from domain.table import Table

Settled = TypeVar("Settled")
OnTable = TypeVar("OnTable")

Faces: TypeAlias = dict[str, tuple[Card, ...]]
"""Faces by zone, as ``known`` and ``lacks`` of a move hold them."""

MOST_LISTED = 5_000
"""Moves of a list that are looked at; a list that was cut off proves no uniqueness (NOT-6)."""


class FaceClause(Struct, frozen=True):
    """The text behind a move that tells cards: ``!`` (``denied``: ``~``) and faces; ``laid``: ``!=``, a quartet is complete."""

    faces: tuple[Card, ...] = ()
    denied: bool = False
    laid: bool = False


class MoveFaces(Struct, frozen=True):
    """``known`` and ``lacks`` of a move."""

    known: Faces = {}
    lacks: Faces = {}


class NamedNumbers(Struct, frozen=True):
    """Names that stand for a number behind a sign, by the number: ``=3`` by the name of the third category."""

    sign: Sign
    names: Names


class Meaning(Struct, frozen=True):
    """The meaning of one cut of a line.

    ``meant``: the legal moves that fit equally. ``longer``: those that a longer line would mean. ``sure``: whether every move was looked
    at, so that a single one is certainly the only one.
    """

    meant: tuple[Move, ...] = ()
    longer: tuple[Move, ...] = ()
    sure: bool = True


class NotationSyntax(Struct, Generic[Settled, OnTable], frozen=True, eq=False, kw_only=True):
    """The notation of a game. Every function takes the settled options first, as all functions of a game do."""

    letters: Letters | Callable[[Settled], Letters]
    """The letters of its cards; a function where the deck is an option."""

    signs: tuple[Sign, ...]
    """The signs that it uses; another one means nothing here."""

    spell: Callable[[Settled, Move], tuple[Unit, ...]]
    """The full form of a well-formed move, independent of other legal moves (NOT-9)."""

    spell_there: Callable[[Settled, OnTable, Seat, Move], tuple[Unit, ...]] | None = None
    """The same with the table before the move, where what lies open decides on a sign: whether a meld is new or added to."""

    literal: Callable[[Settled, OnTable, Seat, Cut], Iterable[Move]]
    """The moves that a line says literally, whether they are legal or not, the likeliest first; none, if a move cannot be so (NOT-8).
    Asked only where no legal move fits. The view is of the whole table: nothing of it may be told but what the seat sees."""

    numbered: tuple[Sign, ...] = ()
    """The signs that a number follows, as far as its digits go."""

    bare: bool = False
    """True if a number may stand without its sign."""

    named_numbers: Callable[[Settled], NamedNumbers] | None = None
    """The numbers that may be typed by name; none without it."""

    plain: str | None = None
    """The type of the plain next step, which the empty line means (NOT-5)."""

    order: tuple[str, ...] = ()
    """The types of moves as they are usual, where several fit."""

    cured: tuple[str, ...] = ()
    """The codes that more cards cure: their refusal makes a line incomplete and not impossible (NOT-8)."""

    denies: bool = False
    """True if ``~`` behind a move says that a card does not lie there."""

    suits: str = ""
    """The suits of the deck in the order in which a hand is written, where each card has a rank and one of them (French cards)."""

    words: StepWords | Callable[[Settled], StepWords] = {}
    """Words for its signs, by language: the text that may be typed, and its words, separated by commas. A function where they depend on an
    option (NOT-15).
    """

    tells: Callable[[Settled, OnTable, Seat, Move, FaceClause], MoveFaces | None] | None = None
    """The meaning of faces behind a move for the table before it. Without it, or if it returns None, they are the cards that are asked for.
    """

    same: Callable[[Settled, Move], Hashable] | None = None
    """The common key of moves that are the same play though they are spelled in other ways; without it only those spelled alike are equal.
    """

    examples: tuple[Move, ...] = ()
    """A move of every type, and more where a type is written in several ways: by them the notation is explained."""

    fitting: Callable[["MoveContext", Cut], Meaning] | None = None
    """Replaces the narrowing of the list of legal moves: returns the moves that a cut means. For games with too many moves to list, or
    whose cards have to be named otherwise than all or none.
    """


class Notation(Struct, frozen=True, eq=False):
    """The grammar of a game with the rulebook that it is bound to, for reading and writing."""

    grammar: NotationSyntax[Any, Any]
    settled: Any
    deck: tuple[Card, ...]
    names: CardNames
    card_words: Callable[[Letters, str], Words]
    """The words for cards in the place of letters of a language."""

    on_table: Callable[[Table], Any]
    legal: Callable[[Table, Seat], Iterator[Move]]
    judge: Callable[[Table, Seat, Move, MoveFaces], None]
    """Raises ``Refused``. Asked with the whole table only: on a masked one consequences break."""

    sentence: Callable[[Refused, str], str]
    called: Callable[[Card, str], str]
    """A card as sentences of a language show it."""

    laid: tuple[tuple[Card, ...], ...] = ()
    """Groups of cards that a seat has to lay as soon as it holds them."""

    there: tuple[Any, Seat] | None = None
    """The typed table before the moves that are spelled, and whose moves they are, if that is known."""

    def at(self, table: Table, seat: Seat) -> "Notation":
        """Return the notation that spells moves of the seat on the table."""
        return replace(self, there=(self.on_table(table), seat)) if self.grammar.spell_there else self

    @property
    def letters(self) -> Letters:
        letters = self.grammar.letters
        return letters if isinstance(letters, Letters) else letters(self.settled)

    @property
    def named_numbers(self) -> NamedNumbers | None:
        return self.grammar.named_numbers(self.settled) if self.grammar.named_numbers else None

    def cards_by_text(self, language: str) -> Mapping[str, frozenset[Card]]:
        return self.letters.cards_by_text(self.deck, language)

    def words(self, language: str) -> Words:
        """Return the words of cards and signs in every language, each with what may be typed for it in this one (NOT-15)."""
        return {**self.card_words(self.letters, language), **list_step_words(self.step_words)}

    @property
    def step_words(self) -> StepWords:
        words = self.grammar.words
        return words if isinstance(words, Mapping) else words(self.settled)

    def units(self, move: Move) -> tuple[Unit, ...]:
        if self.there is None or self.grammar.spell_there is None:
            return self.grammar.spell(self.settled, move)
        return self.grammar.spell_there(self.settled, *self.there, move)

    def same(self, move: Move) -> Hashable:
        """Return a key that is equal for moves that are the same play."""
        return self.grammar.same(self.settled, move) if self.grammar.same else self.units(move)


class NotationRulebook(Protocol):
    """A rulebook, as far as the notation needs it."""

    @property
    def notation(self) -> Notation | None: ...


class MoveContext:
    """A seat about to move: the input of a game's own ``fitting`` and of the common reading."""

    def __init__(self, notation: Notation, table: Table, seat: Seat, told: MoveFaces = MoveFaces()) -> None:  # noqa: B008
        self.notation = notation.at(table, seat)
        self.table = table
        self.seat = seat
        self.told = told
        self._legal: dict[Hashable, bool] = {}

    @property
    def game_options(self) -> Any:
        return self.notation.settled

    @cached_property
    def table_view(self) -> Any:
        """The typed view of the whole table."""
        return self.notation.on_table(self.table)

    @cached_property
    def visible_table(self) -> Table:
        """The table as the seat sees it."""
        return masked(self.table, Viewer(self.seat))

    def first(self, number: int) -> Iterator[Move]:
        """Return the first legal moves, as the seat could see them, one at a time."""
        return islice(self.notation.legal(self.visible_table, self.seat), number)

    @cached_property
    def candidate_moves(self) -> tuple[Move, ...]:
        return tuple(self.first(MOST_LISTED))

    @cached_property
    def candidate_units(self) -> tuple[tuple[Unit, ...], ...]:
        """The units of the listed moves."""
        return tuple(map(self.notation.units, self.candidate_moves))

    @cached_property
    def longest(self) -> int:
        """The number of units of the longest listed move: a line of more tokens fits none."""
        return max(map(len, self.candidate_units), default=0)

    @cached_property
    def all_listed(self) -> bool:
        return len(self.candidate_moves) < MOST_LISTED

    def is_legal(self, move: Move, alike: Hashable) -> bool:
        """Return whether the move is legal. ``alike``: a key of moves all legal or all illegal; of these only the first is judged."""
        if alike not in self._legal:
            self._legal[alike] = self.refusal(move) is None
        return self._legal[alike]

    def refusal(self, move: Move) -> Refused | None:
        """Return the refusal of the move by the rules; a card that has still to be told is no refusal."""
        try:
            self.notation.judge(self.table, self.seat, move, self.told)
        except Refused as refused:
            return None if refused.code == "card_unknown" else refused
        return None
