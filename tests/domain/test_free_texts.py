"""The digest by which an event refers to words of people."""

from hashlib import sha256

from domain.free_texts import SaltedText, text_digest, text_matches

SALT = bytes(range(16))


def test_a_digest_is_that_of_salt_and_words_and_says_so():
    assert text_digest("Late.", SALT) == f"b1:{sha256(SALT + b'Late.').hexdigest()}"


def test_a_digest_of_before_is_that_of_the_words_alone():
    assert text_digest("Spät.", None) == sha256("Spät.".encode()).hexdigest()


def test_words_match_with_their_salt_only():
    salted, bare = text_digest("Late.", SALT), text_digest("Late.", None)
    others = (SaltedText("Late!", SALT), SaltedText("Late.", bytes(16)), SaltedText("Late.", None))
    assert text_matches(salted, SaltedText("Late.", SALT))
    assert text_matches(bare, SaltedText("Late.", None))
    assert not any(text_matches(salted, other) for other in others)
    assert not text_matches(bare, SaltedText("Late.", SALT))
