"""Captions: sentences that describe a frame in a language.

A caption is made from a frame alone, which is redacted already; so it cannot name a hidden card. This module knows no game: the sentences
are in the catalogues, those of the moves in the game's own.

A sentence has variants, ``caption.draw`` and ``caption.draw+to_hand``: of those whose tags all apply the one with the most tags is used.
Tags and placeholders of a move are

- its fields, as far as they are not redacted: ``card``, ``value`` …; an empty list, false and null are no tags;
- ``from_<zone>`` and ``to_<zone>``: the faces that went there, as far as they are visible (``from_build`` for ``build:3:0``);
  ``n_to_<zone>`` is how many cards went;
- announcements: ``captured``, and of an object its fields, ``raised_from_value``; marks that were set: ``mark_frozen``;
- ``many_<name>`` where a list has two items or more.

A value may have a name of its own: ``"name.tier.0" = 'the upper tier'``. After the sentence of the move comes one for each announcement, if
there is a ``said.<what>``, and those that any move may need: cards turned up, points, the end of a hand.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, TypeAlias

import msgspec

from domain import texts
from domain.cards import HIDDEN
from domain.effects import CardsMoved, DetailAnnounced, Effect, Effects, GameClosed, HandClosed, HandOpened, Known, MarkSet, Scored
from domain.events import effects_of
from domain.events.base import TextRef
from domain.rules import About
from domain.setup import Setup
from domain.sight import PUBLIC, visible_from
from domain.table import Table
from domain.texts.wording import FormattedValue, Piece, Seated, format_value, in_words, merge_words, parts_of, seats_in
from domain.unknown_cards.asking import RANKS, WORTH
from replay.game_frames import Frame

Pieces: TypeAlias = tuple[Piece, ...]

_NOBODY: Mapping[str, Pieces] = {}

_SHORT = 5
"""Cards with names no longer than this stand beside each other without commas."""


class FrameTexts:
    """The catalogues of a game in one language. ``about`` is the description of the ruleset; without it a move is named by its type."""

    def __init__(self, about: About | None, language: str) -> None:
        own = about.words if about else {}
        self._language = language
        self._texts: dict[str, str] = {}
        spoken_here = tuple(dict.fromkeys((texts.FALLBACK, language)))
        for spoken in spoken_here:
            self._texts |= {**texts.COMMON.get(spoken, {}), **own.get(spoken, {})}
        self._name = about.names.get(language) if about else None
        # Where a game has no sentence in the language, the English one is used.
        self._before = tuple("|".join(texts.COMMON[one][f"before.{what}"] for one in spoken_here) for what in ("seat", "party"))
        self._variants: dict[str, list[tuple[frozenset[str], str]]] = {}
        for key, text in self._texts.items():
            base, *tags = key.split("+")
            self._variants.setdefault(base, []).append((frozenset(tags), text))

    def pieces(self, frame: Frame) -> Pieces:
        """Return the caption in pieces, which joined are the caption: words, and the seats that they mention. Raises nothing, also on
        damaged history.
        """
        if frame.event is None:
            return self._render_pieces("event.dark", {})
        setup, effects = frame.table.setup, effects_of(frame.event)
        sentences = chain(
            self._head(frame, effects), *(self._tell_announcement(effect, setup) for effect in effects), self._then(frame, effects)
        )
        return _join_pieces(" ", sentences)

    def move(self, setup: Setup, seat: int, move: Mapping[str, Any], effects: Effects) -> Pieces:
        """Return the sentence of a move that was not made, the first one that would describe it; without its effects as far as it describes
        itself.
        """
        facts = {**move, "seat": seat, **_collect_moves(effects), **_collect_announcements(effects)}
        return self._render_pieces(f"caption.{move.get('type')}", facts, setup) or self._render_pieces("event.move.played", facts, setup)

    def card(self, code: str) -> str:
        """Return a card as people read it: ``7♦``."""
        return texts.card_sign(self._texts, code)

    def name_of(self, kind: str, code: str) -> str:
        """Return the name of a row, an end or the like."""
        return self._texts.get(f"{kind}.{code}", code.replace("_", " "))

    def value(self, kind: str, text: str) -> str:
        """Return a word or a card as it stands beside the name of its field."""
        return self._texts.get(f"name.{kind}.{text}") or self._texts.get(f"{kind}.{text}") or self.card(text)

    def party(self, seats: Sequence[int]) -> str:
        return self.say("party", {"seats": tuple(seats)})

    def say(self, base: str, facts: Mapping[str, Any]) -> str:
        """Return the sentence with the facts in it; nothing where there is no such sentence."""
        return in_words(self._render_pieces(base, facts))

    def _render_pieces(
        self, base: str, facts: Mapping[str, Any], setup: Setup | None = None, seated: Mapping[str, Pieces] = _NOBODY
    ) -> Pieces:
        """Return the sentence in pieces. ``seated``: the pieces for a placeholder that names seats."""
        tags = {tag for name, value in facts.items() for tag in _tags(name, value)}
        fitting = [(len(wanted), text) for wanted, text in self._variants.get(base, ()) if wanted <= tags]
        if not fitting:
            return ()
        named = {**facts, **dict(_name_defined(facts, setup.options, self._language))} if setup else facts
        text, shown = max(fitting, key=lambda variant: variant[0])[1], _FormattedDetails(named, self._format_value)
        if setup is None:
            return (text.format_map(shown),)
        pieces: list[Piece] = []
        for part in parts_of(text, *self._before):
            words = part.text.format_map(shown)
            if part.of is None or part.of not in facts:
                pieces.append(words)
            elif part.of in seated:
                pieces += seated[part.of] or (words,)
            else:
                seats = seats_in(facts[part.of], setup.seats, setup.parties, by_party=part.by_party)
                pieces.append(Seated(seats, words) if seats else words)
        return tuple(pieces)

    def _head(self, frame: Frame, effects: Effects) -> Iterator[Pieces]:
        """Yield the sentence for the event itself."""
        setup, facts = frame.table.setup, {**_fields(frame.event), **_collect_moves(effects)}
        kind = frame.name.partition("/")[0]
        if kind in ("move.played", "move.stood"):
            move = facts.pop("move", None)
            facts = {**(move if isinstance(move, dict) else {}), **facts, **_collect_announcements(effects)}
            yield self._render_pieces(f"caption.{facts.get('type')}", facts, setup) or self._render_pieces(
                "event.move.played", facts, setup
            )
            if kind == "move.stood":
                yield self._render_pieces("event.move.stood", facts, setup)
            return
        hand = {"hand": frame.table.hand, "open": _list_open_cards(frame.table)} if kind == "hand.dealt" else {}
        hand |= {"hand": frame.table.hand} if kind in ("hand.stopped", "hand.reported") else {}
        name = {"game": self._name or setup.ruleset, "seats": setup.seats} if kind == "game.opened" else {}
        told = {"told": _list_known_cards(effects), "hands": _list_counted_hands(effects)} if kind == "cards.told" else {}
        seated = {"seats": tuple(range(setup.seats))} if kind == "players.rectified" else {}
        yield self._render_pieces(f"event.{kind}", {**facts, **hand, **name, **told, **seated}, setup) or (f"{kind}.",)

    def _tell_announcement(self, effect: Effect, setup: Setup) -> Iterator[Pieces]:
        if isinstance(effect, DetailAnnounced):
            yield self._render_pieces(f"said.{effect.what}", {"seat": effect.seat, **_words_of(effect)}, setup)

    def _then(self, frame: Frame, effects: Effects) -> Iterator[Pieces]:
        """Yield the sentences that any event may need: cards turned up, points, the end of a hand or game."""
        # The sentence of a deal names the open cards already; at the end of a hand whole piles are opened to be counted.
        other = any(isinstance(effect, HandOpened | HandClosed) for effect in effects)
        turned = tuple(card for effect in effects for card in _list_turned_cards(effect) if card != HIDDEN)
        if turned and not other:
            yield self._render_pieces("then.turned", {"turned": turned})
        if scored := [effect for effect in effects if isinstance(effect, Scored) and any(effect.points)]:
            rows = ", ".join(f"{self.name_of('row', line.row)} {_points(line.points)}" for line in scored)
            yield self._render_pieces("then.scored", {"rows": rows})
        for effect in effects:
            if isinstance(effect, HandClosed):
                yield self._tell_closed_hand(frame.table, effect)
            elif isinstance(effect, GameClosed):
                yield self._over(frame.table.setup, effect)

    def _tell_closed_hand(self, table: Table, closed: HandClosed) -> Pieces:
        last = table.score.hands[-1] if table.score.hands else None
        if last is None or last.hand != table.hand:
            return ()  # it counts for nothing
        facts = {"hand": table.hand, "end": self.name_of("end", closed.end), "points": _points(last.points), "totals": _points(last.totals)}
        return self._render_pieces("then.closed", facts)

    def _over(self, setup: Setup, over: GameClosed) -> Pieces:
        winners = (seats for seats, place in zip(setup.parties, over.places, strict=False) if place == 1)
        told = _join_pieces(f" {self._texts['and']} ", (self._render_pieces("party", {"seats": tuple(seats)}, setup) for seats in winners))
        return self._render_pieces("then.over", {"winners": in_words(told) or None}, setup, {"winners": told})

    def _format_value(self, name: str, value: object) -> FormattedValue:
        made = FormattedValue(self._read(name, value))
        made.number = len(value) if isinstance(value, (list, tuple)) else value if isinstance(value, int) else None
        return made

    def _read(self, name: str, value: object) -> str:
        match value:
            case bool() | None:
                return format_value(value, self._texts)
            case list() | tuple() if all(isinstance(item, int) for item in value):
                return f" {self._texts['and']} ".join(map(str, value))
            case list() | tuple():
                items = [self._read(name, item) for item in value]
                return (" " if all(isinstance(item, str) for item in value) and max(map(len, items)) <= _SHORT else ", ").join(items)
            case dict():
                return self._read(name, value.get("cards", ()))
            case int():
                return self._texts.get(f"name.{name}.{value}") or str(value)
            case _:
                text = str(value)
                return self._texts.get(f"name.{name}.{text}") or self.card(text)


_DEFINED = {"category": "categories"}
"""What a move names by the id of an item that the options of the game define (QDK-4), and the list of these items."""


def _name_defined(facts: Mapping[str, Any], options: Mapping[str, Any], language: str) -> Iterator[tuple[str, str]]:
    """Yield such facts by the names of their items in the language, or by the names without one."""
    for field, items in _DEFINED.items():
        definitions = (option for option in options.values() if isinstance(option, dict)) if field in facts else ()
        for item in chain.from_iterable(definition.get(items, ()) for definition in definitions):
            if item["id"] == facts[field]:
                yield field, item.get(f"name_{language}", item["name"])


class _FormattedDetails(dict[str, FormattedValue]):
    """The facts that a sentence names, as they are shown; missing ones are dots."""

    def __init__(self, facts: Mapping[str, Any], show: Callable[[str, object], FormattedValue]) -> None:
        self._facts = facts
        self._show = show

    def __missing__(self, name: str) -> FormattedValue:
        self[name] = made = self._show(name, self._facts[name]) if name in self._facts else FormattedValue("…")
        return made


def _tags(name: str, value: object) -> Iterator[str]:
    """Yield the tags of a value. A seat or a party 0 is one; empty, false and none are no tags."""
    if value is not None and value is not False and value not in ((), []):
        yield name
    if isinstance(value, (list, tuple)) and len(value) > 1:
        yield f"many_{name}"


_UNTOLD = ("effects", "setup", "known", "lacks", "worth")


def _fields(event: object) -> dict[str, Any]:
    """Return the plain fields of the event that are there, without effects and references to texts."""
    if not isinstance(event, msgspec.Struct):
        return {}
    fields = msgspec.structs.asdict(event)
    return {
        name: value for name, value in fields.items() if name not in _UNTOLD and not isinstance(value, TextRef | Table | msgspec.UnsetType)
    }


def _collect_moves(effects: Effects) -> dict[str, Any]:
    """Return per kind of zone the faces that went from it and to it, and how many cards."""
    facts: dict[str, Any] = {}
    for effect in effects:
        if isinstance(effect, CardsMoved) and effect.source != effect.target:
            faces = tuple(card for card in effect.cards if card != HIDDEN)
            for way in (f"from_{_kind(effect.source)}", f"to_{_kind(effect.target)}"):
                facts[way] = facts.get(way, ()) + faces
                facts[f"n_{way}"] = facts.get(f"n_{way}", 0) + len(effect.cards)
    return facts


def _kind(zone: str) -> str:
    return zone.partition(":")[0]


def _collect_announcements(effects: Effects) -> dict[str, Any]:
    """Return announcements, and the marks that were set."""
    facts: dict[str, Any] = {}
    for effect in effects:
        if isinstance(effect, DetailAnnounced):
            facts |= _words_of(effect)
        elif isinstance(effect, MarkSet) and effect.value is not None:
            facts[f"mark_{effect.mark}"] = True
    return facts


def _words_of(said: DetailAnnounced) -> dict[str, Any]:
    """Return the facts of an announcement. One without a value becomes ``True``, so that it is a tag."""
    facts: dict[str, Any] = {said.what: True if said.value is None else said.value}
    if isinstance(said.value, dict):
        facts |= {f"{said.what}_{name}": value for name, value in said.value.items()}
    return facts


def _list_open_cards(table: Table) -> tuple[str, ...]:
    """Return the cards that everybody sees on the table."""
    return tuple(card for zone in table.zones.values() for card in zone.cards[visible_from(PUBLIC, zone) :])


def _list_known_cards(effects: Effects) -> tuple[str, ...]:
    """Return each told card once: if several of a zone are told, each effect names those before it again."""
    by_zone: dict[str, Counter[str]] = {}
    for effect in effects:
        if isinstance(effect, Known):
            by_zone[effect.zone] = by_zone.get(effect.zone, Counter()) | Counter(card for card in effect.cards if card != HIDDEN)
    return tuple(card for cards in by_zone.values() for card in cards.elements())


def _list_counted_hands(effects: Effects) -> tuple[str, ...]:
    """Return what was told of counted hands in the place of faces: ranks with blanks between, and sums."""
    told = (effect.value for effect in effects if isinstance(effect, MarkSet) and effect.mark in (RANKS, WORTH))
    return tuple(" ".join(map(str, value)) if isinstance(value, tuple) else str(value) for value in told if value is not None)


def _list_turned_cards(effect: Effect) -> tuple[str, ...]:
    return effect.cards if isinstance(effect, CardsMoved) and effect.source == effect.target else ()


def _join_pieces(between: str, sentences: Iterable[Pieces]) -> Pieces:
    pieces: list[Piece] = []
    for sentence in filter(in_words, sentences):
        pieces += (between, *sentence) if pieces else sentence
    return tuple(merge_words(pieces))


def _points(numbers: Iterable[int]) -> str:
    return " : ".join(map(str, numbers))
