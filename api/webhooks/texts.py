"""The sentences of this wing."""

from domain.texts import Phrase


def say(key: str, /, **detail: object) -> Phrase:
    """A phrase of the catalogue in this folder."""
    return Phrase(key, detail, __package__)
