"""Integrity checks of an audit that need no rulebook: missing or changed events, missing cards, and the order and chances of fair decks."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal, TypeAlias

from msgspec import Struct

from domain import dealing, ruling
from domain.cards import HIDDEN, Card
from domain.codec import expected_link
from domain.effects import dealt_deck
from domain.errors import Refused
from domain.events import NAMES, UPCASTS, Event, Recorded
from domain.events.base import Unreadable
from domain.events.game import Act, DisputeRuled, HandDealt, OrderLifted, PointsAdjusted, RewindRecorded
from domain.events.shuffles import ShuffleCommitmentMade, ShuffleEvent, ShuffleJoined, ShuffleOpened, ShuffleRevealed, ShuffleTyped
from domain.game import Game
from domain.rules import Rulebook
from domain.shuffling import pending
from domain.table import Table
from replay.audit_result import AuditCollector, DivergenceKind
from replay.content import Sides, as_stored, in_cards, shorten

_READABLE = frozenset({*NAMES.values(), *UPCASTS})

Links: TypeAlias = Literal["bound", "bare", "elsewhere"]
"""The kind of links in a stream: as today; as older versions made them, by bytes alone; or for another stream than this one."""


def links_of(history: Sequence[Recorded]) -> Links:
    """Return the kind of links, by the first link that fits in either way, so that one changed event does not make all others wrong."""
    first = history[0]
    if _fits(None, first, bound=True):
        return "bound"
    for before, recorded in pairwise(history):
        if recorded.position == before.position + 1:
            if _fits(before, recorded, bound=True):
                return "bound"
            if _fits(before, recorded, bound=False):
                return "bare"
    if first.link is None or first.position > 1:
        return "bare"
    return "elsewhere" if len(history) > 1 else "bound"


def _fits(before: Recorded | None, recorded: Recorded, *, bound: bool) -> bool:
    return recorded.link == _expected_link(before, recorded, bound=bound)


def _expected_link(before: Recorded | None, recorded: Recorded, *, bound: bool) -> str | None:
    return expected_link(recorded.stream, recorded.position, recorded.name, before.state if before else None, bound=bound)


class Chain:
    """Checks the events one after the other, each linked to the one before it."""

    def __init__(self, findings: AuditCollector, history: Sequence[Recorded]) -> None:
        self._findings = findings
        self._links = links_of(history)
        self.last: Recorded | None = None

    def check_link(self, recorded: Recorded) -> bool:
        """Check one event. Return whether nothing is missing between the event before and this one, and this one can be read."""
        before, self.last = self.last, recorded
        due = before.position + 1 if before else 1
        if recorded.position != due:
            self._findings.add_mismatch(recorded.position, "gap", f"position {recorded.position}", f"position {due}")
        if isinstance(recorded.event, Unreadable):
            self._unreadable(recorded, recorded.event)
            return False
        self._check_link(before, recorded, due)
        return recorded.position == due

    def _check_link(self, before: Recorded | None, recorded: Recorded, due: int) -> None:
        link = _expected_link(before, recorded, bound=self._links != "bare")
        if self._links == "elsewhere":
            # All of them name another stream: it is reported once.
            if before is None:
                self._findings.add_mismatch(recorded.position, "stream", str(recorded.link), str(link))
        elif recorded.position == due and recorded.link != link:
            self._findings.add_mismatch(recorded.position, "link", str(recorded.link), str(link))
        if before and recorded.stamp.at < before.stamp.at:
            text = f"recorded at {recorded.stamp.at}, the event before it at {before.stamp.at}"
            self._findings.add_remark(recorded.position, text)

    def _unreadable(self, recorded: Recorded, event: Unreadable) -> None:
        excerpt = shorten(recorded.state[:1000].decode(errors="replace"))
        kind: DivergenceKind = "unreadable" if recorded.name in _READABLE else "unknown_name"
        self._findings.add_mismatch(recorded.position, kind, excerpt, event.problem)


class Pack:
    """Checks the cards of the game, which have to lie somewhere on the table at every position."""

    def __init__(self, findings: AuditCollector) -> None:
        self._findings = findings
        self._deck: tuple[Card, ...] = ()
        self._in_order: list[Card] = []
        self._amiss: Sides | None = None

    def expect(self, deck: tuple[Card, ...]) -> None:
        self._deck, self._in_order, self._amiss = deck, sorted(deck), None

    def check(self, position: int, table: Table) -> None:
        """Report where cards first go missing, and where that changes; not at every position in between."""
        if not table.zones:
            return
        lying = [card for zone in table.zones.values() for card in zone.cards]
        amiss = None if sorted(_with_faces(lying, self._deck)) == self._in_order else in_cards(lying, self._deck)
        if amiss and amiss != self._amiss:
            self._findings.add_mismatch(position, "cards", *amiss)
        self._amiss = amiss


def _with_faces(lying: list[Card], deck: tuple[Card, ...]) -> list[Card]:
    """Return the cards with faces for the unknown ones: those of the deck that are known to lie nowhere. Their assignment makes no
    difference here.
    """
    if len(lying) != len(deck) or HIDDEN not in (*lying, *deck):
        return lying
    if HIDDEN in deck:  # without a rulebook the cards of the deck are not known
        return list(deck)
    known = [card for card in lying if card != HIDDEN]
    return known + list((Counter(deck) - Counter(known)).elements())[: len(lying) - len(known)]


# Audit of fair shuffles: the order of commitments and chances, and whether the dealt deck follows from them.


class _Dealt(Struct, frozen=True):
    """The deck of the deal at ``position``, and the rulebook under which it was dealt."""

    position: int
    deck: tuple[str, ...]
    rulebook: Rulebook


class Decks:
    """The decks of one game, by the positions of the commitments."""

    def __init__(self, findings: AuditCollector) -> None:
        self._findings = findings
        self._dealt: dict[int, _Dealt] = {}

    def judge(self, before: Game, position: int, event: ShuffleEvent, rulebook: Rulebook) -> None:
        """Judge an event of a shuffle. Raises ``Refused`` for one that cannot have been recorded then."""
        match event:
            case ShuffleCommitmentMade():
                dealing.begin(before, rulebook, event.dealer, event.commitment, event.dice)
            case ShuffleJoined():
                dealing.join(before, event.seat, event.commitment)
            case ShuffleOpened():
                dealing.open_chance(before, event.seat, event.chance)
            case ShuffleTyped():
                dealing.type_dice(before, event.dice)
            case ShuffleRevealed():
                self._compare(before, position, event)

    def deal(self, before: Game, position: int, dealt: HandDealt, rulebook: Rulebook) -> None:
        """Judge a deal. A game with fair decks has no others, and other games have none. Raises ``Refused``."""
        if dealing.is_fair(before) != (dealt.how == "fair"):
            raise Refused("shuffle_is_fair" if dealing.is_fair(before) else "no_fair_shuffle")
        now = pending(before.tries)
        if dealt.how == "fair" and now is not None:
            # Kept even if chances are missing: that is a finding of its own, and so is a deck that does not follow.
            self._dealt[now.position] = _Dealt(position, dealt_deck(dealt.effects), rulebook)
            due, recorded = (now.dealer, dealing.count_attempts(before, now)), (dealt.dealer, dealt.tries)
            if recorded != due:
                self._findings.add_mismatch(position, "deck", "dealer {}, tries {}".format(*recorded), "dealer {}, tries {}".format(*due))
            dealing.check_deal(before)
        elif dealt.how == "fair":
            dealing.check_deal(before)

    def finish(self, game: Game) -> None:
        """Leave unjudged each deck whose hand is over and whose secret was not revealed: it cannot be checked."""
        for one in dealing.list_secrets_to_reveal(game):
            if one.dealt is not None:
                self._findings.leaves(one.dealt, f"the secret of the deck of hand {one.hand} was not revealed, though the hand is over")

    def _compare(self, before: Game, position: int, event: ShuffleRevealed) -> None:
        told = dealing.check_reveal(before, event)
        dealt = self._dealt.get(event.position)
        if dealt is None or event.secret is None:
            return
        due = dealing.deck_of(before, told, bytes.fromhex(event.secret), dealt.rulebook)
        if due != dealt.deck:
            self._findings.add_mismatch(position, "deck", as_stored(dealt.deck), as_stored(due))


def check_rewind(game: Game, rewound: RewindRecorded) -> None:
    """Raise ``Refused`` if neither the recorder nor the ruling could rewind the game to there."""
    if rewound.ruling is None:
        game.check_rewind(rewound.to)
        return
    ruling.rewind(game, rewound.to, rewound.reason, rewound.ruling, rewound.restored)
    if all(one.number != rewound.ruling or one.decision != "rewind" for one in game.docket.rulings):
        raise Refused("no_such_ruling", ruling=rewound.ruling)


def has_next_act(act: Act) -> bool:
    """Return whether the act says that another of its kind follows."""
    return isinstance(act, PointsAdjusted | OrderLifted) and act.further is True


def find_missing_event(ruled: Event, following: Event | None) -> str | None:
    """Return the missing event that a ruling orders, or that has to follow a change of points, if it does not follow at once: all are in
    one commit.
    """
    if isinstance(ruled, PointsAdjusted | OrderLifted):
        same = isinstance(following, PointsAdjusted | OrderLifted) and type(following) is type(ruled) and following.ruling == ruled.ruling
        return None if same else f"{NAMES[type(ruled)]} of the same order"
    if not isinstance(ruled, DisputeRuled):
        return None
    _, ordered = ruling.ORDERED[ruled.decision]
    if ordered is None or (isinstance(following, ruling.Ordered) and type(following) is ordered and following.ruling == ruled.ruling):
        return None
    return f"{NAMES[ordered]} of ruling {ruled.ruling}"
