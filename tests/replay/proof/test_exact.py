"""Twelve words or forty digits, by which people compare a root or a mark."""

from hashlib import sha256
from pathlib import Path

from replay.proof import checkpoints
from replay.proof.checkpoints import digits_of, has_bits, matches_hash, parse_bits, words_of
from tests.each import each

HASH = sha256(b"kiebitz").digest()
LIST = Path(checkpoints.__file__).with_name("words.txt")


def test_the_list_is_that_of_bip_39_byte_for_byte():
    assert sha256(LIST.read_bytes()).hexdigest() == "2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda"


def test_no_two_words_begin_with_the_same_four_letters():
    assert len({word[:4] for word in LIST.read_text(encoding="ascii").split()}) == 2048


@each(
    ("hashed", "said", "digits"),
    [
        (bytes(32), " ".join(["abandon"] * 12), " ".join(["00000"] * 8)),
        (b"\xff" * 32, " ".join(["zoo"] * 12), "54445 17870 73501 54154 13993 71890 82913 83295"),
        (bytes(16) + b"\x10" + bytes(15), " ".join(["abandon"] * 11) + " ability", " ".join(["00000"] * 7) + " 00001"),
    ],
)
def test_the_first_bit_stands_first(hashed: bytes, said: str, digits: str):
    assert words_of(hashed) == said
    assert digits_of(hashed) == digits


def test_words_and_digits_are_of_the_same_132_bits():
    places = [LIST.read_text(encoding="ascii").split().index(word) for word in words_of(HASH).split()]
    number = sum(place << 11 * after for after, place in enumerate(reversed(places)))
    assert number == int.from_bytes(HASH) >> 124
    assert int(digits_of(HASH).replace(" ", "")) == number
    assert len(digits_of(HASH)) == 47


def test_who_types_them_need_not_mind_case_spacing_and_endings():
    typed = words_of(HASH).upper()
    assert matches_hash(typed, HASH)
    assert matches_hash(" ".join(word[:4] for word in typed.split()), HASH)
    assert matches_hash(typed.replace(" ", "-\n"), HASH)
    assert matches_hash(digits_of(HASH).replace(" ", ""), HASH)
    assert matches_hash(digits_of(HASH), HASH)


@each("said", ["", "zoo", "0", "⁰" * 40])
def test_less_is_not_enough(said: str):
    assert not matches_hash(said, HASH)


def test_what_is_of_another_hash_is_not_taken():
    other = HASH[:16] + bytes([HASH[16] ^ 16]) + HASH[17:]
    assert not matches_hash(words_of(other), HASH)
    assert not matches_hash(digits_of(other), HASH)
    assert matches_hash(words_of(HASH[:17] + bytes(15)), HASH)


@each("said", [words_of(HASH).upper(), digits_of(HASH), " ".join(word[:4] for word in words_of(HASH).split())])
def test_what_was_typed_is_looked_for_among_many_as_a_number(said: str):
    bits = parse_bits(said)
    assert bits is not None
    assert [has_bits(hashed, bits) for hashed in (HASH, bytes(32))] == [True, False]


@each("said", ["", "zoo", "0" * 39, "0" * 41, "⁰" * 40, " ".join(["zoo"] * 13), " ".join(["abandon"] * 11 + ["Kiebitz"])])
def test_what_is_neither_words_nor_digits_is_no_number(said: str):
    assert parse_bits(said) is None
