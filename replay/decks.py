"""Audit of fair shuffles: the order of commitments and chances, and whether the dealt deck follows from them."""

from msgspec import Struct

from domain.dealing import (
    begin,
    check_deal,
    check_reveal,
    count_attempts,
    deck_of,
    is_fair,
    join,
    list_secrets_to_reveal,
    open_chance,
    type_dice,
)
from domain.effects import dealt_deck
from domain.errors import Refused
from domain.events.game import HandDealt
from domain.events.shuffles import (
    ShuffleCommitmentMade,
    ShuffleEvent,
    ShuffleJoined,
    ShuffleOpened,
    ShuffleRevealed,
    ShuffleTyped,
)
from domain.game import Game
from domain.rules import Rulebook
from domain.shuffling import pending
from replay.audit_result import AuditCollector
from replay.content import as_stored


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
                begin(before, rulebook, event.dealer, event.commitment, event.dice)
            case ShuffleJoined():
                join(before, event.seat, event.commitment)
            case ShuffleOpened():
                open_chance(before, event.seat, event.chance)
            case ShuffleTyped():
                type_dice(before, event.dice)
            case ShuffleRevealed():
                self._compare(before, position, event)

    def deal(self, before: Game, position: int, dealt: HandDealt, rulebook: Rulebook) -> None:
        """Judge a deal. A game with fair decks has no others, and other games have none. Raises ``Refused``."""
        if is_fair(before) != (dealt.how == "fair"):
            raise Refused("shuffle_is_fair" if is_fair(before) else "no_fair_shuffle")
        now = pending(before.tries)
        if dealt.how == "fair" and now is not None:
            # Kept even if chances are missing: that is a finding of its own, and so is a deck that does not follow.
            self._dealt[now.position] = _Dealt(position, dealt_deck(dealt.effects), rulebook)
            due, recorded = (now.dealer, count_attempts(before, now)), (dealt.dealer, dealt.tries)
            if recorded != due:
                self._findings.add_mismatch(position, "deck", "dealer {}, tries {}".format(*recorded), "dealer {}, tries {}".format(*due))
            check_deal(before)
        elif dealt.how == "fair":
            check_deal(before)

    def finish(self, game: Game) -> None:
        """Leave unjudged each deck whose hand is over and whose secret was not revealed: it cannot be checked."""
        for one in list_secrets_to_reveal(game):
            if one.dealt is not None:
                self._findings.leaves(one.dealt, f"the secret of the deck of hand {one.hand} was not revealed, though the hand is over")

    def _compare(self, before: Game, position: int, event: ShuffleRevealed) -> None:
        told = check_reveal(before, event)
        dealt = self._dealt.get(event.position)
        if dealt is None or event.secret is None:
            return
        due = deck_of(before, told, bytes.fromhex(event.secret), dealt.rulebook)
        if due != dealt.deck:
            self._findings.add_mismatch(position, "deck", as_stored(dealt.deck), as_stored(due))
