"""The audit of decks that nobody chose: what was given when, and whether the dealt deck is the one that follows from it."""

from msgspec import Struct

from domain.dealing import begin, check_deal, check_reveal, deck_of, due, is_fair, join, open_chance, tries_for, type_dice
from domain.effects import dealt_deck
from domain.errors import Refused
from domain.events.game import HandDealt
from domain.events.shuffles import (
    ShuffleCommitted,
    ShuffleEvent,
    ShuffleJoined,
    ShuffleOpened,
    ShuffleRevealed,
    ShuffleTyped,
)
from domain.game import Game
from domain.rules import Rulebook
from domain.shuffling import pending
from replay.content import as_stored
from replay.findings import Findings


class _Dealt(Struct, frozen=True):
    """The deck of the deal at ``position``, and the rulebook under which it was dealt."""

    position: int
    deck: tuple[str, ...]
    rulebook: Rulebook


class Decks:
    """Those of one game, by the positions of the commitments."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._dealt: dict[int, _Dealt] = {}

    def judge(self, before: Game, position: int, event: ShuffleEvent, rulebook: Rulebook) -> None:
        """Raises ``Refused`` for what cannot have been recorded then."""
        match event:
            case ShuffleCommitted():
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
        """In a game with fair decks there are no others, and in others there are none. Raises ``Refused``."""
        if is_fair(before) != (dealt.how == "fair"):
            raise Refused("shuffle_is_fair" if is_fair(before) else "no_fair_shuffle")
        now = pending(before.tries)
        if dealt.how == "fair" and now is not None:
            # Kept whatever was given: what is missing is a finding, and so is a deck that does not follow.
            self._dealt[now.position] = _Dealt(position, dealt_deck(dealt.effects), rulebook)
            due, recorded = (now.dealer, tries_for(before, now)), (dealt.dealer, dealt.tries)
            if recorded != due:
                self._findings.diverges(position, "deck", "dealer {}, tries {}".format(*recorded), "dealer {}, tries {}".format(*due))
            check_deal(before)
        elif dealt.how == "fair":
            check_deal(before)

    def conclude(self, game: Game) -> None:
        """A hand that is over, and whose secret was not told, is a deck that nobody can check."""
        for one in due(game):
            if one.dealt is not None:
                self._findings.leaves(one.dealt, f"the secret of the deck of hand {one.hand} was not revealed, though the hand is over")

    def _compare(self, before: Game, position: int, event: ShuffleRevealed) -> None:
        told = check_reveal(before, event)
        dealt = self._dealt.get(event.position)
        if dealt is None or event.secret is None:
            return
        due = deck_of(before, told, bytes.fromhex(event.secret), dealt.rulebook)
        if due != dealt.deck:
            self._findings.diverges(position, "deck", as_stored(dealt.deck), as_stored(due))
