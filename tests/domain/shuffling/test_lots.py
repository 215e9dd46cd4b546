"""The seed of lots: the worked example of docs/fair-decks.md, made again without what makes it here, and what decides on it."""

import hmac
from hashlib import sha256
from uuid import UUID

from domain.shuffling import Entry, commitment_to_lots, commitment_to_secret, seed_of_lots
from domain.tournament.tournament import tournament_stream

SECRET = bytes(range(32))
STREAM = tournament_stream("club-night")
ENTRIES: list[Entry] = [(1, ("anna", "ben")), (2, ("cleo", "zoë"))]
DICE = "6 3 1 1 5 2 4 6"
COMMITMENT = "bd6b8c256261af8ebd5bbd8b355888b811adbd5db431f3d48b4e8f735c4dcb8c"
SEED = "e196b60ae0d89adaf949312d45e7352a25607674778de42e47561d46310ce1ba"


def test_the_worked_example():
    assert (commitment_to_lots(SECRET), seed_of_lots(SECRET, STREAM, ENTRIES, DICE)) == (COMMITMENT, SEED)


def test_the_same_by_hand():
    tag, u16, u32 = b"kiebitz-lots/1\n", lambda number: number.to_bytes(2, "big"), lambda number: number.to_bytes(4, "big")
    entered = u32(2)
    for number, players in ENTRIES:
        entered += u32(number) + u32(len(players)) + b"".join(u16(len(player.encode())) + player.encode() for player in players)
    message = tag + STREAM.bytes + entered + u16(len(DICE)) + DICE.encode()
    assert sha256(b"\1" + tag + SECRET).hexdigest() == COMMITMENT
    assert hmac.new(SECRET, message, sha256).hexdigest() == SEED


def test_everything_decides_on_the_seed():
    seeds = {
        seed_of_lots(SECRET, STREAM, ENTRIES, DICE),
        seed_of_lots(SECRET, STREAM, ENTRIES),
        seed_of_lots(SECRET, STREAM, ENTRIES, "1 1 1 1 5 2 4 6"),
        seed_of_lots(SECRET, STREAM, ENTRIES[:1], DICE),
        seed_of_lots(SECRET, STREAM, ENTRIES[::-1], DICE),
        seed_of_lots(SECRET, STREAM, [(1, ("ben", "anna")), ENTRIES[1]], DICE),
        seed_of_lots(SECRET, STREAM, [(1, ("annab", "en")), ENTRIES[1]], DICE),
        seed_of_lots(SECRET, STREAM, [(1, ("anna",)), (2, ("ben", "cleo", "zoë"))], DICE),
        seed_of_lots(SECRET, UUID(int=1), ENTRIES, DICE),
        seed_of_lots(bytes(32), STREAM, ENTRIES, DICE),
    }
    assert len(seeds) == 10


def test_what_binds_lots_binds_no_deck():
    assert commitment_to_lots(SECRET) != commitment_to_secret(SECRET).hex()
