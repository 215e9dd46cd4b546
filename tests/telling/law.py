"""COM-77: whatever hand is recorded again with cards that nobody told, telling only what a bystander sees when he sees it, goes as it went.

It is accepted move by move; everybody is told and sees the same; no zone is believed to hold what it does not hold; and the record asks
for what everybody has just seen, or for hands that are counted, and for nothing else.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from random import Random
from typing import Any, Literal, NamedTuple, TypeAlias, cast, get_args

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from domain import codec
from domain.binding import BoundRules
from domain.cards import HIDDEN, Card
from domain.checks import read_move
from domain.effects import CardsMoved, Effect, Effects, HandClosed
from domain.errors import Refused
from domain.events import Event, Recorded, digest
from domain.events.game import GameOpened
from domain.game import Game, project
from domain.moves import play_moves
from domain.rules import KnownFaces
from domain.score import sheet
from domain.sight import PUBLIC, Viewer, masked, redact_effects, visible_from
from domain.table import Table, fold
from domain.unknown_cards.support import UnknownCardsSupport
from tests.laws import CLOCK, GAME, Breaches, Playout, Step
from tests.telling.bystanders import BYSTANDERS, Bystander, Known

Part: TypeAlias = Literal["hands", "nothing", "anything"]
"""What is known of the deck before it is dealt: the hands, nothing, or any part of it."""

PARTS: tuple[Part, ...] = get_args(Part)
_MOST_QUESTIONS = 8
_LISTED = 12


class Again(NamedTuple):
    """A step recorded again: what came of it, and how often the record asked."""

    effects: Effects
    after: Table
    known: Known
    lacks: Known
    asked: int


class Done(NamedTuple):
    """A step as it was recorded again, with what was told; no step: something told between two moves."""

    step: Step | None
    known: Known
    lacks: Known


class Breach(Exception):
    """The step could not be recorded again."""


class Recording:
    """A game that is recorded again, with less known of it."""

    def __init__(self, playout: Playout, part: Part, chance: Random) -> None:
        self.rules = cast("BoundRules[Any, Any, Any]", playout.rulebook)
        self.playout = playout
        self.part = part
        self.chance = chance
        self.table = Table(self.rules.setup)
        self.asked = 0
        self.done: list[Done] = []

    @property
    def bystander(self) -> Bystander:
        return BYSTANDERS[self.rules.setup.ruleset]

    @property
    def telling(self) -> UnknownCardsSupport[Any, Any, Any]:
        assert self.rules.game.telling
        return self.rules.game.telling

    def breaches(self) -> Breaches:
        for number, step in enumerate(self.playout.steps):
            place = f"{self.part} known, step {number}, {step.move or 'deal'}"
            before = self.table
            try:
                again = self._again(step)
            except Breach as breach:
                yield f"{place}: {breach}"
                return
            self.table, self.asked = again.after, self.asked + again.asked
            self.done.append(Done(step, again.known, again.lacks))
            yield from (f"{place}: {breach}" for breach in self._compared(step, before, again))
            if not step.after.in_hand:
                self._tell_what_lies_open(step)
            yield from (f"{place}: {breach}" for breach in self._lying(step))

    def _again(self, step: Step) -> Again:
        known = self.bystander.tells(self.rules, step)
        lacks: Known = {}
        for asked in range(_MOST_QUESTIONS):
            try:
                effects = self._recorded(step, known, lacks)
            except Refused as refused:
                if refused.code != "card_unknown":
                    raise Breach(f"is refused with {refused.code} {refused.detail}, told {known}") from refused
                for ask in refused.detail["asks"]:  # pyrefly: ignore[not-iterable]
                    self._answer(step, ask, known, lacks)
            else:
                return Again(effects, fold(self.table, effects), known, lacks, asked)
        raise Breach(f"asks again and again, told {known}, {lacks}")

    def _recorded(self, step: Step, known: Known, lacks: Known) -> Effects:
        if step.move is None:
            return self.rules.deal(self.table, step.seat, self._deck(step), known or UNSET)
        return self.rules.resolve(self.table, step.seat, step.move, KnownFaces(known or UNSET, lacks or UNSET))

    def _deck(self, step: Step) -> tuple[Card, ...]:
        """The deck as far as it is known before the deal; the same however often the deal is tried."""
        match self.part:
            case "nothing":
                return (HIDDEN,) * len(step.deck)
            case "hands":
                kept = {place for zone, places in self._dealt(step).items() if zone.startswith("hand:") for place in places}
            case "anything":
                chance = Random("".join(step.deck))
                kept = set(chance.sample(range(len(step.deck)), chance.randrange(len(step.deck))))
        known = tuple(card if place in kept else HIDDEN for place, card in enumerate(step.deck))
        return self.bystander.writes(self.rules, step.deck, known) if self.part == "anything" else known

    def _dealt(self, step: Step) -> Mapping[str, tuple[int, ...]]:
        return self.telling.dealt(self.rules.settled, step.before, step.seat, step.deck)

    def history(self) -> tuple[Recorded, ...]:
        """The game as it would be stored, decided once more by the aggregate."""
        setup, edition = self.rules.setup, self.playout.ruleset.edition
        recorded = [codec.encode_event(GAME, 1, None, CLOCK, GameOpened(setup, edition, (None,) * setup.seats, "game_over"))]
        game = project(None, recorded)
        for done in self.done:
            assert game
            event = self._event(game, edition, done)
            recorded.append(codec.encode_event(GAME, game.position + 1, digest(game.last), CLOCK, event))
            game = project(game, recorded[-1:])
        return tuple(recorded)

    def _event(self, game: Game, edition: int, done: Done) -> Event:
        told = KnownFaces(done.known or UNSET, done.lacks or UNSET)
        if done.step is None:
            return play_moves(game, self.rules, [told])[0]
        if done.step.move is None:
            return game.deal(self.rules, edition, done.step.seat, self._deck(done.step), "recorded", told.known)
        return play_moves(game, self.rules, [(done.step.seat, done.step.move, told)])[0]

    # What is asked, and answered from the hand that is fully known

    def _answer(self, step: Step, ask: Mapping[str, Any], known: Known, lacks: Known) -> None:
        zone = ask["zone"]
        lying = self._lying_before(step, zone)
        match ask:
            case {"places": places}:
                seen = _just_seen(step)
                if missing := Counter(lying[place] for place in places) - seen:
                    raise Breach(f"asks for {sorted(missing)} of {zone}, which nobody has just seen")
                if self._ordered(step, zone):
                    told = known.get(zone, ())
                    count = max(*places, len(told) - 1) + 1
                    known[zone] = tuple(
                        lying[place] if place in places else told[place] if place < len(told) else HIDDEN for place in range(count)
                    )
                else:
                    known[zone] = (*known.get(zone, ()), *(lying[place] for place in places))
            case {"face": face}:
                target = known if face in lying else lacks
                target[zone] = (*target.get(zone, ()), face)
            case {"count": count}:
                if not zone.startswith("hand:") or len(step.after.cards(zone)) != count:
                    raise Breach(f"asks for {count} cards of {zone}, where {len(step.after.cards(zone))} are left")
                known[zone] = lying

    def _lying_before(self, step: Step, zone: str) -> tuple[Card, ...]:
        """The cards of the zone before the act, the next to leave first; of a deal in the order in which they are told."""
        if step.move is None:
            return tuple(step.deck[place] for place in self._dealt(step)[zone])
        turned = self.telling.turned(self.rules.game.on_table(step.before), read_move(step.move, self.rules.moves, self.rules.game.codes))
        return step.before.cards(turned[zone]) if zone in turned else step.before.cards(zone)[::-1]

    def _ordered(self, step: Step, zone: str) -> bool:
        if step.move is None:
            return self.telling.dealt_in_order(zone, len(self._dealt(step)[zone]))
        return self.telling.zones(self.rules.settled, self.table)[zone] == "ordered"

    def _tell_what_lies_open(self, step: Step) -> None:
        """What lies open only because the hand is over may be told after it (COM-73)."""
        for name, zone in self.table.zones.items():
            start = visible_from(PUBLIC, zone)
            if HIDDEN in zone.cards[start:] and name in self.telling.zones(self.rules.settled, self.table):
                told = {name: step.after.cards(name)[start:][::-1]}
                self.table = fold(self.table, self.rules.tell(self.table, told))
                self.done.append(Done(None, told, {}))

    # What must be the same

    def _compared(self, step: Step, before: Table, again: Again) -> Iterator[str]:
        after = again.after
        ended = any(isinstance(effect, HandClosed) for effect in step.effects) and after.has_unknown_cards
        tales = self._told(step, step.before, step.effects), self._told(step, before, again.effects)
        if not ended and tales[0] != tales[1]:
            yield f"the public is told {tales[1]}, due is {tales[0]}"
        for viewer in (PUBLIC, *map(Viewer, range(self.rules.setup.seats))):
            told = redact_effects(viewer, before, again.effects)
            if masked(fold(masked(before, viewer), told), viewer) != masked(after, viewer):
                yield f"{viewer.who} is told {told}, which does not fold to what he sees"
        if sheet(after.setup, after.score) != sheet(step.after.setup, step.after.score):
            yield "the sheet is another one"
        if step.after.in_hand:
            yield from self._listed(after)

    def _told(self, step: Step, before: Table, effects: Effects) -> Effects:
        """What the public is told, apart from the order of cards within a dealt hand: nobody tells it."""
        told = redact_effects(PUBLIC, before, effects)
        if step.move is not None:
            return told
        orders = self.telling.zones(self.rules.settled, step.after)
        out: dict[str, list[Card]] = {zone: [] for zone, order in orders.items() if order == "unordered"}
        for effect in told:
            if isinstance(effect, CardsMoved) and effect.source in out:
                out[effect.source] = sorted([*out[effect.source], *effect.cards])
        return tuple(_orderless(effect, out) for effect in told)

    def _lying(self, step: Step) -> Iterator[str]:
        table = self.table
        views = [msgspec.to_builtins(self.rules.view(masked(one, PUBLIC))) for one in (step.after, table)]
        if views[0] != views[1]:
            yield f"the public sees {views[1]}, due is {views[0]}"
        orders = self.telling.zones(self.rules.settled, step.after)
        for name, zone in step.after.zones.items():
            lying = table.cards(name)
            if len(lying) != len(zone.cards) or Counter(card for card in lying if card != HIDDEN) - Counter(zone.cards):
                yield f"{name} is believed to hold {lying}, but holds {zone.cards}"
            elif orders.get(name) == "ordered" and any(card not in (HIDDEN, due) for card, due in zip(lying, zone.cards, strict=True)):
                yield f"{name} is believed to lie as {lying}, but lies as {zone.cards}"

    def _listed(self, table: Table) -> Iterator[str]:
        """Asked with the whole table, every listed move is acceptable, with a suitable telling (COM-76)."""
        for seat in table.to_act:
            moves = list(islice(self.rules.legal(table, seat), 200))
            if not moves:
                yield f"seat {seat} is to act and has no move"
            for move in self.chance.sample(moves, min(len(moves), _LISTED)):
                try:
                    self.rules.resolve(table, seat, move)
                except Refused as refused:
                    if refused.code != "card_unknown":
                        yield f"{move} of seat {seat} is listed, but refused: {refused.code} {refused.detail}"


def _orderless(effect: Effect, out: Mapping[str, list[Card]]) -> Effect:
    """``out``: what leaves each hand; it goes out sorted, and comes in sorted."""
    if isinstance(effect, CardsMoved) and effect.source in out:
        return replace(effect, cards=tuple(out[effect.source].pop(0) for _ in effect.cards))
    return replace(effect, cards=tuple(sorted(effect.cards))) if isinstance(effect, CardsMoved) and effect.target in out else effect


def _just_seen(step: Step) -> Counter[Card]:
    """The cards that everybody sees with this step: they move openly, or lie open after it."""
    seen: Counter[Card] = Counter()
    for effect in step.effects:
        if isinstance(effect, CardsMoved) and effect.shown:
            seen.update(effect.cards)
    for zone in masked(step.after, PUBLIC).zones.values():
        seen.update(card for card in zone.cards if card != HIDDEN)
    return seen


def it_goes_as_it_went(playout: Playout, part: Part) -> Breaches:
    """The law, for a game that was played with its full deck."""
    return Recording(playout, part, playout.random(f"again/{part}")).breaches()
