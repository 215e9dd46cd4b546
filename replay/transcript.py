"""Captions: what happened in a frame, in sentences of a language.

A caption is made from a frame alone, which is redacted already; so it cannot name a hidden card. This module knows no game: the
sentences are in the catalogues, those of the moves in the game's own.

A sentence has variants, ``caption.draw`` and ``caption.draw+to_hand``: of those whose tags all apply the one with the most tags
is used. Tags and placeholders of a move are

- its fields, as far as they are not redacted: ``card``, ``value`` …; an empty list, false and null are no tags;
- ``from_<zone>`` and ``to_<zone>``: the faces that went there, as far as they are visible (``from_build`` for ``build:3:0``);
  ``n_to_<zone>`` is how many cards went;
- what was said: ``captured``, and of an object its fields, ``raised_from_value``; marks that were set: ``mark_frozen``;
- ``many_<name>`` where a list has two items or more.

A value may have a name of its own: ``"name.tier.0" = 'the upper tier'``. After the sentence of the move comes one for whatever was
said, if there is a ``said.<what>``, and what follows from every move alike: cards turned up, points, the end of a hand.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import msgspec

from domain import texts
from domain.cards import HIDDEN
from domain.effects import CardsMoved, Effect, Effects, GameClosed, HandClosed, HandOpened, Known, MarkSet, Said, Scored
from domain.events import effects_of
from domain.events.base import TextRef
from domain.rules import About
from domain.sight import PUBLIC, visible_from
from domain.table import Table
from domain.texts.wording import Shown, shown
from replay.timeline import Frame

_SHORT = 5
"""Cards with names no longer than this stand beside each other without commas."""


class Transcript:
    """The catalogues of a game in one language. ``about`` is the description of the ruleset; without it a move is named by its type."""

    def __init__(self, about: About | None, language: str) -> None:
        own = about.words if about else {}
        self._texts: dict[str, str] = {}
        for spoken in dict.fromkeys((texts.FALLBACK, language)):
            self._texts |= {**texts.COMMON.get(spoken, {}), **own.get(spoken, {})}
        self._name = about.names.get(language) if about else None
        self._variants: dict[str, list[tuple[frozenset[str], str]]] = {}
        for key, text in self._texts.items():
            base, *tags = key.split("+")
            self._variants.setdefault(base, []).append((frozenset(tags), text))

    def caption(self, frame: Frame) -> str:
        """Raises nothing, also on damaged history."""
        if frame.event is None:
            return self.say("event.dark", {})
        effects = effects_of(frame.event)
        sentences = chain([self._head(frame, effects)], *(self._said(effect) for effect in effects), self._then(frame, effects))
        return " ".join(filter(None, sentences))

    def card(self, code: str) -> str:
        """A card as people read it: ``7♦``."""
        return texts.card_sign(self._texts, code)

    def named(self, kind: str, code: str) -> str:
        """The name of a row, an end or the like."""
        return self._texts.get(f"{kind}.{code}", code.replace("_", " "))

    def value(self, kind: str, text: str) -> str:
        """A word or a card where it stands beside the name of its field."""
        return self._texts.get(f"name.{kind}.{text}") or self._texts.get(f"{kind}.{text}") or self.card(text)

    def party(self, seats: Sequence[int]) -> str:
        return self.say("party", {"seats": tuple(seats)})

    def say(self, base: str, facts: Mapping[str, Any]) -> str:
        """The sentence with the facts in it; nothing where there is no such sentence."""
        tags = {tag for name, value in facts.items() for tag in _tags(name, value)}
        fitting = [(len(wanted), text) for wanted, text in self._variants.get(base, ()) if wanted <= tags]
        if not fitting:
            return ""
        return max(fitting, key=lambda variant: variant[0])[1].format_map(_Dots({name: self._shown(name, facts[name]) for name in facts}))

    def _head(self, frame: Frame, effects: Effects) -> str:
        """The sentence for the event itself."""
        facts = {**_fields(frame.event), **_moved(effects)}
        kind = frame.name.partition("/")[0]
        if kind in ("move.played", "move.stood"):
            move = facts.pop("move", None)
            facts = {**(move if isinstance(move, dict) else {}), **facts, **_announced(effects)}
            sentence = self.say(f"caption.{facts.get('type')}", facts) or self.say("event.move.played", facts)
            return sentence if kind == "move.played" else f"{sentence} {self.say('event.move.stood', facts)}"
        hand = {"hand": frame.table.hand, "open": _lying_open(frame.table)} if kind == "hand.dealt" else {}
        hand |= {"hand": frame.table.hand} if kind in ("hand.stopped", "hand.reported") else {}
        name = {"game": self._name or frame.table.setup.ruleset, "seats": frame.table.setup.seats} if kind == "game.opened" else {}
        told = {"told": _told(effects)} if kind == "cards.told" else {}
        return self.say(f"event.{kind}", {**facts, **hand, **name, **told}) or f"{kind}."

    def _said(self, effect: Effect) -> Iterator[str]:
        if isinstance(effect, Said):
            yield self.say(f"said.{effect.what}", {"seat": effect.seat, **_words_of(effect)})

    def _then(self, frame: Frame, effects: Effects) -> Iterator[str]:
        """The sentences that any event may need: cards turned up, points, the end of a hand or game."""
        # The sentence of a deal names the open cards already; at the end of a hand whole piles are opened to be counted.
        other = any(isinstance(effect, HandOpened | HandClosed) for effect in effects)
        turned = tuple(card for effect in effects for card in _turned(effect) if card != HIDDEN)
        if turned and not other:
            yield self.say("then.turned", {"turned": turned})
        if scored := [effect for effect in effects if isinstance(effect, Scored) and any(effect.points)]:
            rows = ", ".join(f"{self.named('row', line.row)} {_points(line.points)}" for line in scored)
            yield self.say("then.scored", {"rows": rows})
        for effect in effects:
            if isinstance(effect, HandClosed):
                yield self._closed(frame.table, effect)
            elif isinstance(effect, GameClosed):
                yield self._over(frame.table, effect)

    def _closed(self, table: Table, closed: HandClosed) -> str:
        last = table.score.hands[-1] if table.score.hands else None
        if last is None or last.hand != table.hand:
            return ""  # it counts for nothing
        facts = {"hand": table.hand, "end": self.named("end", closed.end), "points": _points(last.points), "totals": _points(last.totals)}
        return self.say("then.closed", facts)

    def _over(self, table: Table, over: GameClosed) -> str:
        winners = [seats for seats, place in zip(table.setup.parties, over.places, strict=False) if place == 1]
        return self.say("then.over", {"winners": f" {self._texts['and']} ".join(self.party(seats) for seats in winners) or None})

    def _shown(self, name: str, value: object) -> Shown:
        made = Shown(self._read(name, value))
        made.number = len(value) if isinstance(value, list | tuple) else value if isinstance(value, int) else None
        return made

    def _read(self, name: str, value: object) -> str:
        match value:
            case bool() | None:
                return shown(value, self._texts)
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


class _Dots(dict[str, Shown]):
    """Missing facts are shown as dots."""

    def __missing__(self, name: str) -> Shown:
        return Shown("…")


def _tags(name: str, value: object) -> Iterator[str]:
    """A seat or a party 0 is one; nothing, no and none are none."""
    if value is not None and value is not False and value not in ((), []):
        yield name
    if isinstance(value, list | tuple) and len(value) > 1:
        yield f"many_{name}"


_UNTOLD = ("effects", "setup", "known", "lacks")


def _fields(event: object) -> dict[str, Any]:
    """The plain fields of the event that are there, without effects and references to texts."""
    if not isinstance(event, msgspec.Struct):
        return {}
    fields = msgspec.structs.asdict(event)
    return {
        name: value for name, value in fields.items() if name not in _UNTOLD and not isinstance(value, TextRef | Table | msgspec.UnsetType)
    }


def _moved(effects: Effects) -> dict[str, Any]:
    """Per kind of zone the faces that went from it and to it, and how many cards."""
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


def _announced(effects: Effects) -> dict[str, Any]:
    """Announcements, and the marks that were set."""
    facts: dict[str, Any] = {}
    for effect in effects:
        if isinstance(effect, Said):
            facts |= _words_of(effect)
        elif isinstance(effect, MarkSet) and effect.value is not None:
            facts[f"mark_{effect.mark}"] = True
    return facts


def _words_of(said: Said) -> dict[str, Any]:
    """An announcement without a value becomes ``True``, so that it is a tag."""
    facts: dict[str, Any] = {said.what: True if said.value is None else said.value}
    if isinstance(said.value, dict):
        facts |= {f"{said.what}_{name}": value for name, value in said.value.items()}
    return facts


def _lying_open(table: Table) -> tuple[str, ...]:
    """The cards that everybody sees on the table."""
    return tuple(card for zone in table.zones.values() for card in zone.cards[visible_from(PUBLIC, zone) :])


def _told(effects: Effects) -> tuple[str, ...]:
    """Each card once: where several of a zone are told, each effect names those before it again."""
    by_zone: dict[str, Counter[str]] = {}
    for effect in effects:
        if isinstance(effect, Known):
            by_zone[effect.zone] = by_zone.get(effect.zone, Counter()) | Counter(card for card in effect.cards if card != HIDDEN)
    return tuple(card for cards in by_zone.values() for card in cards.elements())


def _turned(effect: Effect) -> tuple[str, ...]:
    return effect.cards if isinstance(effect, CardsMoved) and effect.source == effect.target else ()


def _points(numbers: Iterable[int]) -> str:
    return " : ".join(map(str, numbers))
