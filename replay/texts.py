"""The words of people that events refer to, as a full record may carry them: claims, reasons and notes by the id of the text.

They lie in the register of texts, where they can be erased; an event holds id and digest only.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256

from domain.errors import Malformed
from domain.events import Recorded
from domain.events.base import text_ref_of


def texts_of(history: Iterable[Recorded], read: Callable[[str], str | None]) -> dict[str, str]:
    """The texts in the order in which they were said. ``read`` finds one by its id; what was erased is left out."""
    said = {ref.id: read(ref.id) for recorded in history if (ref := text_ref_of(recorded.event))}
    return {id: text for id, text in said.items() if text is not None}


def checked_texts(given: object, history: Sequence[Recorded]) -> Mapping[str, str]:
    """The texts of a full record. Raises ``Malformed`` where one is not what an event of the history says that it is."""
    if not isinstance(given, dict):
        raise Malformed("malformed_record", "texts are an object, by their ids", "record.texts")
    said = {(ref.id, ref.digest) for recorded in history if (ref := text_ref_of(recorded.event))}
    for id, text in given.items():
        if not isinstance(text, str) or (id, _digest(text)) not in said:
            raise Malformed("malformed_record", "no event tells of this text", f"record.texts.{id}")
    return given


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()
