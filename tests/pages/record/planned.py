"""Whole hands as people play them, planned in the domain: who captures what lies there, melds what fits, and lays down what is left."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, pairwise
from random import Random
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.json import decode, encode
from msgspec.structs import replace

from domain.cards import HIDDEN, Card
from domain.games import RULESETS
from domain.games.canasta.cards import COUNTED
from domain.notation.letters import CardUnit, NumberUnit, SignUnit, Unit
from domain.notation.writing import notation_of, units, write
from domain.rules import Move, Rulebook
from domain.sight import Viewer, masked
from domain.table import Table, fold
from tests.laws import Playout, Step
from tests.telling.bystanders import Bystander, Known
from tests.telling.law import Again, Recording

Answer: TypeAlias = tuple[dict[str, Any], tuple[Card, ...]]
"""What is asked (``{"laid": zone}``: who laid cards with the deal, None where nobody did any more), and the cards there."""

Worth: TypeAlias = Callable[[Table, Any], float]
MOST = 400
"""Legal moves that a player looks at, and moves of a hand."""


def value_casino(_: Table, move: Any) -> float:
    """Takes as much as possible, else builds."""
    taken = len(move.get("builds", ())) + sum(map(len, move.get("groups", ())))
    kinds: Mapping[str, int] = {"add": 12, "capture": 10, "build": 9, "raise": 9, "trail": 0}
    return kinds[move["type"]] + taken


def value_alcasan(_: Table, move: Any) -> float:
    """Lays low cards, several at once; takes the pile where nothing else is left."""
    low = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "1", "fire", "earth", "air")
    return 30 - low.index(move["cards"][0]) + 3 * len(move["cards"]) if move["type"] == "lay" else float(move["type"] != "take")


def value_canasta(_: Table, move: Any) -> float:
    """Melds natural cards first; wild ones are kept where they are not needed."""
    cards = [move["card"]] if move["type"] == "discard" else [card for group in move.get("melds", ()) for card in group["cards"]]
    wild = sum(card == "JK" or card[0] == "2" for card in cards)
    return float({"take": 30, "meld": 20, "draw": 10, "discard": 9}.get(move["type"], 0) + len(cards) - 6 * wild)


def value_cascades(_: Table, move: Any) -> float:
    return float(("resign", "turn", "play").index(move["type"]))


def value_question(table: Table, move: Any) -> float:
    """Asks for what is there."""
    return float(move["card"] in table.cards(f"hand:{move['target']}"))


WORTHS: Mapping[str, Worth] = {
    "alcasan": value_alcasan,
    "canasta": value_canasta,
    "cascades": value_cascades,
    "casino": value_casino,
    "quartett-classic": value_question,
    "quartett-trumpf": lambda *_: 0,
}
"""How good a move seems to who plays the game; of the best ones chance takes one."""


def plan_hand(ruleset: str, options: Mapping[str, Any], seats: int, seed: str) -> Playout:
    """One hand, from the deal to its count."""
    rules, chance = RULESETS[ruleset], Random(seed)
    rulebook = rules.bind(dict(options), seats)
    deck, table = tuple(chance.sample(rulebook.deck, len(rulebook.deck))), Table(rulebook.setup)
    effects = rulebook.deal(table, 0, deck)
    steps = [Step(table, 0, None, effects, fold(table, effects), deck)]
    while steps[-1].after.in_hand and len(steps) < MOST:
        steps.append(_next_step(rulebook, steps[-1].after, ruleset, deck, chance))
    return Playout(rules, rulebook, tuple(steps), seed)


def _next_step(rulebook: Rulebook, table: Table, ruleset: str, deck: tuple[str, ...], chance: Random) -> Step:
    seat = chance.choice(table.to_act[:1])
    moves = list(islice(rulebook.legal(masked(table, Viewer(seat)), seat), MOST))
    worth = WORTHS[ruleset]
    move = max(moves, key=lambda one: (worth(table, one), chance.random()))
    effects = rulebook.resolve(table, seat, move)
    return Step(table, seat, move, effects, fold(table, effects), deck)


class Act(Struct, frozen=True):
    """What is recorded: a deal or a move. ``taps``: its cards, ``+T`` for the meld to which those after it go, ``x`` for the pile, ``#2``
    for a card that lies face down; ``answers``: what the recorder answers; ``completes``: whether a quartet is complete with the card that
    is asked for; ``drawn``: the cards that are laid as soon as they are drawn.
    """

    seat: int
    move: Move | None
    written: str
    taps: tuple[str, ...]
    answers: tuple[Answer, ...] = ()
    completes: bool = False
    drawn: tuple[Card, ...] = ()


class Watched(Recording):
    """A hand of which nothing is known, and what was asked."""

    def __init__(self, playout: Playout) -> None:
        super().__init__(playout, "nothing", playout.random("watched"))
        self.acts: list[Act] = []
        self._asked: list[Answer] = []

    def _again(self, step: Step) -> Again:
        self._asked = [] if step.move else self._list_laid(step)
        before = self.table
        again = super()._again(step)
        drawn = tuple(card for card in again.known.get("stock", ()) if card != HIDDEN) if notation_of(self.rules).laid and step.move else ()
        completes = any(zone.startswith("hand:") for zone in self._tell_laid(step))
        self.acts.append(replace(describe_act(self.rules, before, step), answers=tuple(self._asked), drawn=drawn, completes=completes))
        return again

    @property
    def bystander(self) -> Bystander:
        """Who tells of a deal only what was laid, and is asked for the rest."""
        return Bystander(lambda rules, step: self._tell_laid(step))

    def _tell_laid(self, step: Step) -> Known:
        told = super().bystander.tells(self.rules, step)
        return told if step.move else {zone: cards for zone, cards in told.items() if zone.startswith("hand:")}

    def _list_laid(self, step: Step) -> list[Answer]:
        """Who laid what with the deal, until nobody laid more."""
        told, groups = self._tell_laid(step), notation_of(self.rules).laid
        laid: list[Answer] = [({"laid": zone}, group) for zone, cards in told.items() for group in groups if set(group) <= set(cards)]
        return [*laid, ({"laid": None}, ())] if groups else []

    def _answer(self, step: Step, ask: Mapping[str, Any], known: Known, lacks: Known) -> None:
        lying = self._lying_before(step, ask["zone"])
        self._asked.append((dict(ask), tuple(lying[place] for place in ask["places"]) if "places" in ask else lying))
        super()._answer(step, ask, known, lacks)


def describe_act(rulebook: Rulebook, before: Table, step: Step) -> Act:
    """Return the act as somebody records it who is asked nothing."""
    if step.move is None:
        return Act(step.seat, None, "", ())
    spelled, written = units(rulebook, step.move, (before, step.seat)), write(rulebook, step.move, "en", (before, step.seat))
    return Act(step.seat, decode(encode(step.move)), written, tuple(_list_taps(rulebook.deck, spelled)))


def _list_taps(deck: Sequence[Card], spelled: Sequence[Unit]) -> Iterator[str]:
    """Yield what is tapped for a move: see ``Act``."""
    for unit, following in pairwise((*spelled, None)):
        match unit, following:
            case SignUnit(sign="x"), _ if unit is spelled[0]:
                yield "x"
            case SignUnit(sign="#"), NumberUnit(number=number) if unit is spelled[0]:
                yield f"#{number}"
            case CardUnit(card=card), SignUnit(sign="+") if card not in deck:
                yield f"+{card}"
            case CardUnit(card=card), _ if card in deck:
                yield card


def watch(playout: Playout) -> list[Act]:
    """Return the acts of a hand of which nothing is known but what lies open."""
    watched = Watched(playout)
    assert list(watched.breaches()) == []
    return watched.acts


def name_keys(rulebook: Rulebook) -> Mapping[Card, str]:
    """Return by each card what the key of its rank says."""
    alphabet = notation_of(rulebook).letters.of("en")
    split = {card: card if card in alphabet.ranks else alphabet.split(card)[0] for card in rulebook.deck}
    letters = {card: alphabet.ranks[rank].split() for card, rank in split.items()}
    return {card: next((one for one in typed if one.isdigit()), typed[0].upper()) for card, typed in letters.items()}


def count_hand(cards: tuple[Card, ...]) -> int:
    """Return what a hand of Canasta is worth that is only counted."""
    return COUNTED.sum(Counter(COUNTED.ranks[card] for card in cards))
