"""Fair shuffles (commit and reveal) in a game: who may contribute chances when, the deal that follows, and the reveal of the secret. Pure,
like ``Game`` itself.

The same functions serve the commands that record, and the audit that checks whether a recorded event was possible.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import TypeAlias

from msgspec import UNSET

from domain.cards import Seat
from domain.errors import Refused
from domain.events import Event, Recorded, Stamp
from domain.events.game import HandDealt
from domain.events.shuffles import ShuffleCommitmentMade, ShuffleEvent, ShuffleJoined, ShuffleOpened, ShuffleRevealed, ShuffleTyped
from domain.game import Game, fold_event
from domain.rules import Rulebook
from domain.shuffling import (
    CHANCE_LENGTH,
    Try,
    check_dice,
    check_promise,
    commitment_to_chance,
    commitment_to_secret,
    name_of_seat,
    pending,
    seed_of,
    shuffled,
)

Secrets: TypeAlias = Callable[[str], bytes | None]
"""Looks up the secret of a commitment in the register; ``None`` where it is not there, because the game was begun elsewhere."""


def is_fair(game: Game) -> bool:
    """Return whether every hand of the game is dealt from a deck that nobody chose."""
    return game.opened.shuffle is not UNSET


def begin(game: Game, rulebook: Rulebook, dealer: Seat, commitment: str, dice: int) -> ShuffleCommitmentMade:
    """Bind the service to a secret. An earlier try that was not dealt ends. Raises ``Refused`` (COM-13 to COM-15, COM-65)."""
    _check_fair(game)
    rulebook.deal(game.table, dealer, rulebook.deck)  # only for its checks: may this seat deal a hand now
    check_promise(dice)
    return ShuffleCommitmentMade(dealer, commitment, dice)


def join(game: Game, seat: Seat, commitment: str) -> ShuffleJoined:
    now = _pending(game)
    if not 0 <= seat < game.setup.seats:
        raise Refused("no_such_seat", seat=seat)
    if now.is_closed:
        raise Refused("joining_closed")
    if now.of(seat) is not None:
        raise Refused("joined_already", seat=seat)
    return ShuffleJoined(seat, commitment)


def open_chance(game: Game, seat: Seat, chance: str) -> ShuffleOpened:
    joined = _pending(game).of(seat)
    if joined is None:
        raise Refused("not_joined", seat=seat)
    if joined.chance is not None:
        raise Refused("opened_already", seat=seat)
    if not _fits(seat, chance, joined.commitment):
        raise Refused("opening_does_not_fit", seat=seat)
    return ShuffleOpened(seat, chance)


def type_dice(game: Game, dice: str) -> ShuffleTyped:
    """Record the dice, which are the last chance. Raises ``Refused``, also unless the number of dice is the one promised."""
    now = _pending(game)
    if not now.dice:
        raise Refused("dice_not_promised")
    if now.missing:
        raise Refused("dice_last", missing=now.missing)
    if now.typed is not None:
        raise Refused("dice_typed")
    check_dice(dice, now.dice)
    return ShuffleTyped(dice)


def check_deal(game: Game) -> Try:
    """Return the pending try. Raises ``Refused`` unless all that its deck needs was given."""
    now = _pending(game)
    now.check_ready()
    return now


def deal(game: Game, rulebook: Rulebook, edition: int, secrets: Secrets) -> HandDealt:
    """Deal the hand from the deck that follows from secret and chances. Raises ``Refused``."""
    now = check_deal(game)
    secret = secrets(now.commitment)
    if secret is None:
        raise Refused("secret_lost")
    effects = rulebook.deal(game.table, now.dealer, deck_of(game, now, secret, rulebook))
    return HandDealt(now.dealer, edition, "fair", effects, tries=count_attempts(game, now))


def count_attempts(game: Game, now: Try) -> int:
    """Return how many decks were begun for the hand."""
    return sum(one.hand == now.hand for one in game.tries)


def deal_if_ready(
    game: Game, event: ShuffleOpened | ShuffleTyped, rulebook: Rulebook, edition: int, secrets: Secrets
) -> tuple[ShuffleEvent | HandDealt, ...]:
    """Return the event, and the deal with it if it was the last chance that the deck waits for."""
    after = after_events(game, (event,))
    now = pending(after.tries)
    if now is None or now.missing or (now.dice and now.typed is None):
        return (event,)
    return (event, deal(after, rulebook, edition, secrets))


def deck_of(game: Game, of: Try, secret: bytes, rulebook: Rulebook) -> tuple[str, ...]:
    """Return the deck of a try; index 0 is dealt first. Raises ValueError on damaged history."""
    return shuffled(seed_of(secret, game.id, of.position, of.seed_inputs), rulebook.deck)


def list_secrets_to_reveal(game: Game) -> tuple[Try, ...]:
    """Return the tries whose secret is to be revealed now: those that will not be dealt, and those whose hand is over.

    A hand that was taken back opens with the one that replaces it, or with the game; so does its secret.
    """
    return tuple(one for one in game.tries if not one.revealed_at and (one.ended or not game.is_in_progress or _is_over(game, one)))


def reveal(game: Game, secrets: Secrets) -> tuple[ShuffleRevealed, ...]:
    """Return the reveals that are due, as far as the register has the secrets."""
    found = ((one.position, secrets(one.commitment)) for one in list_secrets_to_reveal(game))
    return tuple(ShuffleRevealed(position, secret.hex()) for position, secret in found if secret is not None)


def check_reveal(game: Game, event: ShuffleRevealed) -> Try:
    """Return the try of a reveal. Raises ``Refused`` for a secret that is not due, or that does not match the commitment."""
    found = next((one for one in list_secrets_to_reveal(game) if one.position == event.position), None)
    if found is None:
        raise Refused("nothing_to_reveal", position=event.position)
    if event.secret is None or commitment_to_secret(bytes.fromhex(event.secret)).hex() != found.commitment:
        raise Refused("secret_does_not_fit", position=event.position)
    return found


def after_events(game: Game, events: Sequence[Event]) -> Game:
    """Return the game as it stands after events that are not recorded yet."""
    for event in events:
        game = fold_event(game, Recorded(game.id, game.position + 1, "", _UNSTAMPED, None, event, game.last))
    return game


# No decision here reads time or principal.
_UNSTAMPED = Stamp(datetime.min.replace(tzinfo=UTC), "")


def _check_fair(game: Game) -> None:
    if not is_fair(game):
        raise Refused("no_fair_shuffle")
    game.docket.check_play()


def _pending(game: Game) -> Try:
    _check_fair(game)
    now = pending(game.tries)
    if now is None:
        raise Refused("no_shuffle_begun")
    return now


def _is_over(game: Game, one: Try) -> bool:
    return one.dealt is not None and game.is_closed(one.hand)


def _fits(seat: Seat, chance: str, commitment: str) -> bool:
    try:
        opened = bytes.fromhex(chance)
    except ValueError:
        return False
    return opened.hex() == chance and len(opened) == CHANCE_LENGTH and commitment_to_chance(name_of_seat(seat), opened).hex() == commitment
