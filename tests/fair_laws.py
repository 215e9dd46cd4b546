"""Laws for every game with fair decks, which nobody chose: functions that yield each breach, like those of ``tests/laws.py``."""

import json
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import NamedTuple

import msgspec

from domain.cards import Card
from domain.effects import dealt_deck
from domain.events import Recorded
from domain.events.game import HandDealt, MovePlayed
from domain.game import Game, project
from domain.shuffling import Try, commitment_to_secret, seed_of, shuffled
from domain.sight import Who
from domain.table import fold
from replay.proof import single_file
from tests.domain.fair import FairGame
from tests.laws import Breaches, lying, strictly
from tests.projections.histories import frames_of
from tests.replay.proof.made import Log, record


class Deal(NamedTuple):
    """A deal. ``at`` and ``revealed`` are the positions of the deal and of its secret."""

    at: int
    revealed: int
    of: Try
    deck: tuple[Card, ...]


def deals(game: FairGame) -> Iterator[Deal]:
    for one in game.game.tries:
        if one.dealt is not None:
            dealt = game.history[one.dealt - 1].event
            assert isinstance(dealt, HandDealt)
            yield Deal(one.dealt, one.revealed_at, one, dealt_deck(dealt.effects))


def steps(game: FairGame) -> Iterator[tuple[Game, Recorded, Game]]:
    """Yield each event but the opening, with the game before and after it."""
    before = project(None, game.history[:1])
    for recorded in game.history[1:]:
        after = project(before, [recorded])
        assert before
        assert after
        yield before, recorded, after
        before = after


def cards_are_conserved(game: FairGame) -> Breaches:
    """Check that from the deal on the table holds exactly the cards of the deck."""
    for _, recorded, after in steps(game):
        if after.table.hand and sorted(lying(after.table)) != sorted(game.rulebook.deck):
            yield f"position {recorded.position} leaves {len(lying(after.table))} cards of {len(game.rulebook.deck)}, or other ones"


def the_deck_is_the_one_that_follows(game: FairGame) -> Breaches:
    """Check that the secret yields the deck by the rules, and that the standalone verifier finds the rulebook's order of cards
    without it.
    """
    if not all(one.revealed_at for one in game.game.tries):
        yield "a secret was not told"
        return
    for deal in deals(game):
        if commitment_to_secret(bytes.fromhex(deal.of.secret or "")).hex() != deal.of.commitment:
            yield f"position {deal.revealed} tells a secret to which nobody was bound"
        if deal.of.secret != game.secrets[deal.of.commitment].hex() or due_deck(game, deal.of) != deal.deck:
            yield f"position {deal.at} deals another deck than the one that follows"
    log = Log()
    try:
        found = single_file.decks(json.loads(record(log, game.history, log.add(*game.history)).as_bytes()))
    except single_file.VerificationError as refused:
        yield f"the verifier says {refused.why}, {refused}"
    else:
        if found != (len(list(deals(game))), 0, list(game.rulebook.deck)):
            yield f"the verifier says {found}"
    if (judged := game.judged()).verdict != "sound":
        yield f"the audit says {judged}"


def what_was_recorded_is_decided_again(game: FairGame) -> Breaches:
    """Check that the rules yield the stored effects, and that these fold to the recorded table."""
    follows = {deal.at: due_deck(game, deal.of) for deal in deals(game)}
    for before, recorded, after in steps(game):
        match recorded.event:
            case HandDealt(dealer=dealer, effects=stored):
                due = game.rulebook.deal(before.table, dealer, follows[recorded.position])
            case MovePlayed(seat=seat, move=move, effects=stored):
                due = game.rulebook.resolve(before.table, seat, move)
            case _:
                continue
        if strictly(stored) != strictly(due):
            yield f"position {recorded.position} holds {stored}, and not {due}"
        if strictly(fold(before.table, due)) != strictly(after.table):
            yield f"position {recorded.position} folds to another table"


def due_deck(game: FairGame, one: Try) -> tuple[Card, ...]:
    """Return the deck that follows from the secret in the register."""
    return shuffled(seed_of(game.secrets[one.commitment], game.game.id, one.position, one.seed_inputs), game.rulebook.deck)


def nobody_can_make_a_deck_before_its_secret_is_told(game: FairGame) -> Breaches:
    """Check that no seat, nor the public, can derive a deck before its secret is revealed.

    No word of the responses may be the secret or the seed, or hash to it. Decks are not compared: a word in forty thousand yields the
    order of eight cards by chance.
    """
    for deal in deals(game):
        secret = game.secrets[deal.of.commitment]
        keys = {secret, seed_of(secret, game.game.id, deal.of.position, deal.of.seed_inputs)}
        for who in (*range(game.game.setup.seats), "public"):
            told = told_until(game, deal.revealed - 1, who)
            if keys & {*told, *(sha256(word).digest() for word in told)}:
                yield f"before position {deal.revealed} {who} can make the deck of {deal.at} from what he is told"


def told_until(game: FairGame, position: int, who: Who) -> set[bytes]:
    """Return every word in the viewer's responses up to this position, and the bytes that it may stand for. Short words, like cards, are
    left out.
    """
    frames = frames_of(game.history[:position], who)
    words = {word for frame in frames for word in words_in(msgspec.to_builtins((frame.event, frame.by, frame.table))) if len(word) >= 8}
    return {game.game.id.bytes, *(word.encode() for word in words), *(bytes.fromhex(word) for word in words if _is_hexadecimal(word))}


def words_in(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for item in (*value, *value.values()):
                yield from words_in(item)
        case list() | tuple():
            for item in value:
                yield from words_in(item)


def _is_hexadecimal(word: str) -> bool:
    return len(word) % 2 == 0 and set(word) <= set("0123456789abcdef")


FAIR_LAWS: tuple[Callable[[FairGame], Breaches], ...] = (
    cards_are_conserved,
    the_deck_is_the_one_that_follows,
    what_was_recorded_is_decided_again,
    nobody_can_make_a_deck_before_its_secret_is_told,
)
