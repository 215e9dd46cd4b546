"""Ruleset and rulebook of any game, bound together from the game's own functions and tables.

Every function of a game takes the settled options first, then the typed view of the table, whether it needs them or not. So all games can
be called alike.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, Generic, Literal, TypeVar

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from domain import texts
from domain.cards import HIDDEN, Card, Seat, copies_of
from domain.checks import any_dealer, check_cards, check_dealer, check_start, check_turn, moves_by_type, read_move, refusal, resolve_preset
from domain.effects import Effects, GameClosed
from domain.errors import Refused
from domain.layout import layout_of
from domain.notation.card_names import CardNames, Named, NamedByLanguage, card_names
from domain.notation.letters import Letters, Words, list_card_words
from domain.notation.syntax import MoveFaces, Notation, NotationSyntax
from domain.reporting import effects_of_report, end_of, read_result
from domain.rules import NOTHING_TOLD, About, Codes, KnownFaces, Move, Rule, StopEffects, common_view
from domain.score import Sheet, places_by, sheet
from domain.setup import PresetRow, Presets, Setup, collect_preset_rows, names_preset
from domain.signs import Signs
from domain.table import Draft, Table
from domain.texts.rule_sections import RuleSection, examples, load_sections
from domain.unknown_cards.asking import check_cards_known, lift_changed, read_hand_values, read_known_faces, tell_hands
from domain.unknown_cards.decks import complete_deck, group_known_cards
from domain.unknown_cards.face_entry import Telling
from domain.unknown_cards.support import CardValues, UnknownCardsSupport, Zones, is_never_excluded, not_in_hands

Settled = TypeVar("Settled")
"""The options as the game works with them, mostly the Struct of the options itself."""

OnTable = TypeVar("OnTable")
"""The typed view of a game on a table."""

Played = TypeVar("Played")
"""The union of a game's moves."""


def by_totals(settled: object, sheet: Sheet) -> tuple[int | None, ...]:
    """Return the places of the parties: the most points are the first place; equal totals share a place."""
    return places_by(sheet.totals)


def by_hands_only(settled: object, sheet: Sheet) -> None:
    """Return no end: nothing on the sheet ends the game."""


def accept_any_move(settled: object, table: object, seat: Seat, move: object) -> None:
    """Accept every move, also one that the game refuses."""


_OF_OTHER_VALUES = ("bad_option", "unknown_move")
"""Refusals whose details are shown as they came, without names of cards."""


class GameRules(Struct, Generic[Settled, OnTable, Played], frozen=True, eq=False):
    """The ``Ruleset`` of a game: what differs from game to game, in the order in which it is used."""

    key: str
    package: str
    """Holds ``RULES.md`` and the catalogues."""

    options: type[Struct]
    moves: Any
    """The moves, a union of tagged Structs, or the only one."""

    codes: Codes
    deck: tuple[Card, ...]
    """The full deck in canonical order. If the deck depends on the options, ``deck_of`` gives it, and this one is only shown to clients."""

    settle: Callable[[object, object], tuple[Settled, Setup]]
    """Reads options and seats (COM-10 to COM-12). Raises ``Refused``."""

    on_table: Callable[[Table], OnTable]
    open_hand: Callable[[Draft, Settled, Seat, tuple[Card, ...]], None]
    """The effects of a deal, with a dealer and a deck that were checked."""

    named_cards: Callable[[Settled, Played], tuple[Card, ...]]
    """Every card that a move names, in the order in which they are checked."""

    check: Callable[[Settled, OnTable, Seat, Played], None]
    """The game's own checks of a move (COM-26). Raises ``Refused``."""

    play: Callable[[Draft, Settled, OnTable, Seat, Played], None]
    """The effects of a legal move, and what follows from it by rule."""

    stop: Callable[[Draft, Settled], bool]
    """Ends the hand in progress because time is up, and answers whether it counts (COM-43)."""

    ends: Callable[[Settled, tuple[int, ...]], tuple[str, ...]]
    """The ends that a hand with these points, if it counts, may have had (COM-67). None: no hand brings these points."""

    legal_moves: Callable[[Settled, OnTable, Seat], Iterator[Move]]
    """Every distinct legal move of a seat that may act."""

    hands: Callable[[Settled, OnTable], dict[str, Any]]
    """The fields of the state view that stand beside the common ones also before the first hand."""

    view: Callable[[Settled, OnTable], dict[str, Any]]
    """The game's own fields of the state view, shown once a hand was dealt (COM-31)."""

    signs: Callable[[Settled], Signs]
    """The marks, phases and further zones of the game, with these options."""

    telling: UnknownCardsSupport[Settled, OnTable, Played] | None = None
    """The game's rules for cards that nobody has told; without it a hand is recorded with its whole deck or not at all."""

    notation: NotationSyntax[Settled, OnTable] | None = None
    """The grammar in which its moves are typed and written; without it a game is recorded from lists of moves."""

    edition: int = 1
    deck_of: Callable[[Settled], tuple[Card, ...]] | None = None
    names_of: Callable[[Settled], tuple[Named, NamedByLanguage]] | None = None
    """The names of its cards, no two of them equal, and further ones, where the deck brings them with it; else the catalogues name them.
    """

    dealer: Callable[[Table], Seat | None] = any_dealer
    """The seat that has to deal the next hand, if the game says so."""

    closing: Callable[[Settled, Sheet], GameClosed | None] = by_hands_only
    """The end of the game, if points or the number of hands bring it (COM-42, COM-67). The sheet holds a finished hand."""

    places: Callable[[Settled, Sheet], tuple[int | None, ...]] = by_totals
    preset_rows: tuple[PresetRow, ...] = (PresetRow(),)
    """What its presets hold beside the defaults of the options (COM-45)."""

    rule_prefixes: tuple[str, ...] = ("",)
    """Prefixes of the rule numbers in ``RULES.md`` that belong to this game; by default all. Two games may share a page."""

    def bind(self, options: object, seats: object) -> "BoundRules[Settled, OnTable, Played]":
        chosen = resolve_preset(self.preset_choices, options, self.codes) if names_preset(options) else options
        settled, setup = self.settle(chosen, seats)
        deck = self.deck_of(settled) if self.deck_of else self.deck
        return BoundRules(self, settled, setup, deck, frozenset(deck), moves_by_type(self.moves))

    @property
    def preset_choices(self) -> Presets:
        return collect_preset_rows(self.options, self.preset_rows)

    def about(self, language: str = texts.FALLBACK) -> About:
        """Return the description of the game. The rules of every game come first, then the game's own."""
        layout = layout_of(self.package, self.key)
        own = [rule for rule in texts.list_numbered_rules(self.package, language) if rule[0].startswith(self.rule_prefixes)]
        return About(
            names=texts.game_names(self.package, self.key),
            options=msgspec.json.schema(self.options),
            presets=self.preset_choices,
            moves=msgspec.json.schema(self.moves),
            rules=tuple(Rule(number, text) for number, text in (*texts.list_numbered_rules("domain", language), *own)),
            marks=texts.marks("domain", language)
            | {number: made for number, made in texts.marks(self.package, language).items() if number.startswith(self.rule_prefixes)},
            codes=dict(self.codes),
            deck=self.deck,
            words=texts.names_by_language(self.package, self.deck),
            layout=layout.hints,
            deck_kind=layout.deck,
            chapters=(*self._list_sections(language), *load_sections("domain", language)),
            examples=tuple(one for one in examples(self.package) if one.rule.startswith(self.rule_prefixes)),
        )

    def _list_sections(self, language: str) -> Iterator[RuleSection]:
        """Return the chapters without those of another game on the same page."""
        for chapter in load_sections(self.package, language):
            own = tuple(rule for rule in chapter.rules if rule[0].startswith(self.rule_prefixes))
            decided = tuple(one for one in chapter.decided if any(number.startswith(self.rule_prefixes) for number in one.rules))
            if own or decided or not (chapter.rules or chapter.decided):
                yield replace(chapter, rules=own, decided=decided)

    def sentence(self, refused: Refused, language: str) -> str:
        """Return the sentence of a refusal. Cards are named as captions show them."""
        catalogue, detail = texts.load_catalog(self.package), refused.detail
        if refused.code not in _OF_OTHER_VALUES:
            words = texts.words_with_cards(self.package, self.deck, language)
            detail = {name: self._describe_detail(words, name, value) for name, value in detail.items()}
        told = texts.sentence(refused.code, detail, language, (catalogue, texts.COMMON), refused.rules)
        return told[:1].upper() + told[1:]

    def _describe_detail(self, words: Mapping[str, str], name: str, value: object) -> object:
        """Return a detail in words: cards as captions show them, and a value that has a name , ``"name.tier.0"``, by that name."""
        match value:
            case tuple():
                return tuple(self._describe_detail(words, name, item) for item in value)
            case texts.Phrase():
                return replace(value, detail={inner: self._describe_detail(words, inner, item) for inner, item in value.detail.items()})
            case str() if value in self.deck:
                return texts.card_sign(words, value)
            case str() | int():
                return words.get(f"name.{name}.{value}", value)
            case _:
                return value


class BoundRules(Struct, Generic[Settled, OnTable, Played], frozen=True, dict=True):
    """The ``Rulebook`` of a game with its options and seats. Pure."""

    game: GameRules[Settled, OnTable, Played]
    settled: Settled
    setup: Setup
    deck: tuple[Card, ...]
    known: frozenset[Card]
    moves: Mapping[str, type[Struct]]

    @property
    def signs(self) -> Signs:
        return self.game.signs(self.settled)

    @cached_property
    def card_names(self) -> CardNames:
        # every move asks for them, and the cache of ``card_names`` hashes the whole deck each time
        names_of = self.game.names_of
        return card_names(self.game.package, self.deck, *(names_of(self.settled) if names_of else ()))

    def with_codes(self, move: object) -> object:
        return self.card_names.in_move(move, self.moves)

    def _no_card(self, text: str) -> texts.Phrase:
        return self.card_names.unknown(text)

    @property
    def notation(self) -> Notation | None:
        game = self.game
        if game.notation is None:
            return None
        names = self.card_names
        return Notation(
            grammar=game.notation,
            settled=self.settled,
            deck=self.deck,
            names=names,
            card_words=self._card_words,
            on_table=game.on_table,
            legal=self.legal,
            judge=self._judge,
            sentence=game.sentence,
            called=self._card_sign,
            laid=game.telling.laid(self.settled) if game.telling else (),
        )

    def _card_words(self, letters: Letters, language: str) -> Words:
        return list_card_words(self.game.package, letters, self.deck, language)

    def _card_sign(self, card: Card, language: str) -> str:
        return texts.card_sign(texts.words_with_cards(self.game.package, self.deck, language), card)

    def _judge(self, table: Table, seat: Seat, move: Move, told: MoveFaces) -> None:
        self.resolve(table, seat, move, KnownFaces(told.known or UNSET, told.lacks or UNSET) if told.known or told.lacks else NOTHING_TOLD)

    def deal(self, table: Table, dealer: object, deck: object, known: object = UNSET) -> Effects:
        game, telling = self.game, self.game.telling
        seat, cards = check_start(table, dealer, deck, self.deck, game.codes, game.dealer(table), untold=telling is not None)
        if telling is not None and (known is not UNSET or HIDDEN in cards):
            return self._deal_unknown(telling, table, seat, cards, known)
        draft = Draft(table)
        game.open_hand(draft, self.settled, seat, cards)
        return tuple(draft.effects)

    def group_known_cards(self, table: Table, dealer: Seat, deck: Sequence[Card]) -> dict[str, tuple[Card, ...]]:
        telling, cards = self.game.telling, tuple(deck)
        return group_known_cards(cards, telling.dealt(self.settled, table, dealer, cards), telling.dealt_in_order) if telling else {}

    def _deal_unknown(
        self, telling: UnknownCardsSupport[Settled, OnTable, Played], table: Table, dealer: Seat, deck: tuple[Card, ...], known: object
    ) -> Effects:
        """Deal from a deck of which not every card is known (COM-70)."""
        codes = self.game.codes
        dealt = partial(telling.dealt, self.settled, table, dealer)
        told = self._read_known_zones(self.card_names.in_zones(known), "known", of_deal=True)
        telling.deck(self.settled, deck, told)
        cards = complete_deck(deck, told, dealt, telling.dealt_in_order, self.deck)
        draft = Draft(table)
        self.game.open_hand(draft, self.settled, dealer, cards)
        effects = tuple(draft.effects)
        check_cards_known(table, effects, codes, dealt(cards))
        return effects

    def report(self, table: Table, dealer: object, result: object) -> Effects:
        game, settled, setup = self.game, self.settled, self.setup
        seat = check_dealer(table, dealer, game.codes, game.dealer(table))
        read = read_result(result, setup, game.codes)
        end = end_of(read, game.ends(settled, read.points), game.codes)
        draft = Draft(table)
        draft.emit(*effects_of_report(setup, table.hand + 1, seat, read, end))
        closed = game.closing(settled, sheet(setup, draft.table.score))
        return (*draft.effects, closed) if closed else tuple(draft.effects)

    def resolve(self, table: Table, seat: object, move: object, told: KnownFaces = NOTHING_TOLD) -> Effects:
        """Return the effects of a move, judged in the order of COM-20 to COM-26."""
        read = self._read_move(move)
        return self._play(table, check_turn(table, seat, self.game.codes), read, told, self.game.check)

    def resolve_without_checks(self, table: Table, seat: Seat, move: object) -> Effects:
        return self._play(table, seat, self._read_move(move), NOTHING_TOLD, accept_any_move)

    def _read_move(self, move: object) -> Played:
        """Return the move, typed, after the checks COM-20 to COM-22."""
        game = self.game
        read: Played = read_move(move, self.moves, game.codes)
        check_cards(game.named_cards(self.settled, read), self.known, game.codes, self._no_card)
        return read

    def _play(
        self, table: Table, mover: Seat, move: Played, told: KnownFaces, check: Callable[[Settled, OnTable, Seat, Played], None]
    ) -> Effects:
        if told is not NOTHING_TOLD or table.has_unknown_cards:
            return self._play_unknown(table, mover, move, told, check)
        game, settled = self.game, self.settled
        lying, draft = game.on_table(table), Draft(table)
        check(settled, lying, mover, move)
        game.play(draft, settled, lying, mover, move)
        return tuple(draft.effects)

    def stop(self, table: Table) -> StopEffects:
        draft = Draft(table)
        try:
            counts = self.game.stop(draft, self.settled)
            if table.has_unknown_cards:
                check_cards_known(table, tuple(draft.effects), self.game.codes)
        except Refused as refused:
            # A stop carries no told cards: they have to be told before it.
            if refused.code == "card_unknown":
                refused.detail["problem"] = "stopped"
            raise
        return StopEffects(tuple(draft.effects), counts)

    def _play_unknown(
        self, table: Table, mover: Seat, move: Played, told: KnownFaces, check: Callable[[Settled, OnTable, Seat, Played], None]
    ) -> Effects:
        """Return the effects of a move on a table with unknown cards, or with which cards are told (COM-71 to COM-73)."""
        game, settled, telling = self.game, self.settled, self.game.telling
        draft = Draft(table)
        act = self._telling(draft)
        if telling:
            act.turned = telling.turned(game.on_table(table), move)
        faces, ranks = self._read_known(told.known)
        act.tell(faces)
        lacks = self._read_known_zones(told.lacks, "lacks")
        if telling:
            act.tell_named(telling.named(settled, game.on_table(draft.table), mover, move))
        act.check_missing(lacks)
        self._tell_hands(act, draft, ranks, told.worth)
        before = draft.table
        lying = game.on_table(before)
        if lacks and telling and telling.heeding:
            lying = telling.heeding(lying, lacks)
        check(settled, lying, mover, move)
        game.play(draft, settled, lying, mover, move)
        if self._card_values is not None:
            lift_changed(draft, before)
        check_cards_known(table, tuple(draft.effects), game.codes, turned=act.turned)
        return tuple(draft.effects)

    def tell(self, table: Table, known: object, worth: object = UNSET) -> Effects:
        draft = Draft(table)
        act = self._telling(draft)
        faces, ranks = self._read_known(known)
        act.tell(faces)
        self._tell_hands(act, draft, ranks, worth)
        return tuple(draft.effects)

    @property
    def _card_values(self) -> CardValues | None:
        """The ranks and values by which hands may be told; ``None`` in a game that counts no hands so."""
        return self.game.telling.counted if self.game.telling else None

    def _read_known(self, known: object) -> tuple[Zones, Zones]:
        """Return the told faces by zone, and by hand the ranks that were told in the place of faces (CAN-57)."""
        if (values := self._card_values) is None:
            return self._read_known_zones(known, "known"), {}
        told = self._read_known_zones(known, "known", self.known | values.order.keys())
        ranks = {zone: values.ranks_in(cards) for zone, cards in told.items() if values.names_ranks(cards)}
        for zone in (one for one in ranks if not_in_hands(one, 0)):
            raise refusal(self.game.codes, "malformed_move", "COM-71", problem=self._no_card(ranks[zone][0]))
        return {zone: values.faces_in(cards) for zone, cards in told.items()}, ranks

    def _tell_hands(self, act: Telling, draft: Draft, ranks: Zones, worth: object) -> None:
        """Tell hands by ranks and by their worth (CAN-57). Raises ``Refused``, also if earlier ones do not agree with what is told now."""
        codes, values = self.game.codes, self._card_values
        worths: Mapping[str, int] = {} if worth is UNSET else read_hand_values(worth, codes, is_told=values is not None)
        for zone in (*ranks, *worths):
            act.check_hand(zone)
        if values is not None:
            tell_hands(draft, ranks, worths, values, copies_of(self.deck))

    def _read_known_zones(
        self, told: object, field: Literal["known", "lacks"], faces: frozenset[Card] | None = None, *, of_deal: bool = False
    ) -> Zones:
        return read_known_faces(told, field, faces or self.known, len(self.deck), self.game.codes, self._no_card, of_deal=of_deal)

    def _telling(self, draft: Draft) -> Telling:
        telling, codes = self.game.telling, self.game.codes
        if telling is None:
            return Telling(draft, {}, self.deck, codes, is_never_excluded)
        return Telling(draft, telling.zones(self.settled, draft.table), self.deck, codes, telling.barred)

    def legal(self, table: Table, seat: Seat) -> Iterator[Move]:
        """Return the legal moves of the seat; none for a seat that is not to act."""
        return self.game.legal_moves(self.settled, self.game.on_table(table), seat) if table.can_act(seat) else iter(())

    @property
    def types(self) -> tuple[str, ...]:
        return tuple(self.moves)

    def list_named_cards(self, move: Move) -> tuple[Card, ...]:
        read: Played = read_move(move, self.moves, self.game.codes)
        return self.game.named_cards(self.settled, read)

    def view(self, table: Table) -> dict[str, Any]:
        lying = self.game.on_table(table)
        shown = {**common_view(table), **self.game.hands(self.settled, lying)}
        return {**shown, **self.game.view(self.settled, lying)} if table.zones else shown

    def closing(self, sheet: Sheet) -> GameClosed | None:
        return self.game.closing(self.settled, sheet)

    def places(self, sheet: Sheet) -> tuple[int | None, ...]:
        return self.game.places(self.settled, sheet)
