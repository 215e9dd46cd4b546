"""Decks that nobody chose, against the worked examples that other programs are held against, too."""

from collections import Counter
from typing import Any
from uuid import UUID

from domain.shuffling import are_dice, commitment_to_chance, commitment_to_secret, format_commitment, seed_of, shuffled
from tests.each import each
from tests.replay.proof.places import WORKED

DECKS = WORKED["3_decks"]


def _chances(deck: dict[str, Any]) -> list[tuple[str, bytes]]:
    return [(one["who"], bytes.fromhex(one["chance"])) for one in deck["chances"]]


@each("deck", DECKS, ids=lambda deck: f"{len(deck['cards'])} cards, {len(deck['chances'])} chances")
def test_a_deck_follows_from_the_secret_and_the_chances(deck: dict[str, Any]):
    secret = bytes.fromhex(deck["secret"])
    seed = seed_of(secret, UUID(deck["game"]), deck["position"], _chances(deck))
    assert commitment_to_secret(secret).hex() == deck["commitment"]
    assert seed.hex() == deck["seed"]
    assert list(shuffled(seed, deck["cards"])) == deck["deck"]


def test_devices_commit_to_their_chances():
    devices = [one for deck in DECKS for one in deck["chances"] if "commitment" in one]
    assert [commitment_to_chance(one["who"], bytes.fromhex(one["chance"])).hex() for one in devices] == [
        one["commitment"] for one in devices
    ]
    assert len(devices) == 2


def test_typed_chances_are_the_bytes_of_their_words():
    typed = [one for deck in DECKS for one in deck["chances"] if "words" in one]
    assert [bytes.fromhex(one["chance"]).decode() for one in typed] == [one["words"] for one in typed]
    assert all(are_dice(one["words"]) for one in typed)


def test_any_chance_decides_on_the_deck():
    secret, game = b"\1" * 32, UUID(int=7)
    chances = [("seat:0", b"\2" * 16), ("seat:1", b"\3" * 16)]
    others = (
        seed_of(b"\4" * 32, game, 2, chances),
        seed_of(secret, UUID(int=8), 2, chances),
        seed_of(secret, game, 3, chances),
        seed_of(secret, game, 2, chances[::-1]),
        seed_of(secret, game, 2, [chances[0], ("seat:1", b"\5" * 16)]),
        seed_of(secret, game, 2, chances[:1]),
    )
    assert len({seed_of(secret, game, 2, chances), *others}) == 7


def test_every_order_is_as_likely_as_every_other():
    """Of 6,000 seeds each of the six orders of three cards comes 1,000 times, give or take five deviations."""
    orders = Counter(shuffled(number.to_bytes(32, "big"), "abc") for number in range(6000))
    assert len(orders) == 6
    assert max(abs(times - 1000) for times in orders.values()) < 150


def test_a_commitment_is_read_aloud_as_forty_digits():
    assert format_commitment(bytes(31) + b"\7") == "00000 00000 00000 00000 00000 00000 00000 00007"
    assert format_commitment(b"\xff" * 32) == "32699 84665 64056 40394 57584 00791 31296 39935"
