"""Free texts of people in a full record: claims, reasons and notes that events refer to, by the id of the text.

They are kept in the register of texts, where they can be erased; an event holds id and digest only. Their salts go along, because without
them a text could not be checked against its digest; an older text has no salt.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from domain.errors import InvalidFormatError
from domain.events import Recorded
from domain.events.base import text_ref_of
from domain.free_texts import SALT, SaltedText, text_matches
from domain.texts import say


def texts_of(history: Iterable[Recorded], read: Callable[[str], SaltedText | None]) -> dict[str, dict[str, str]]:
    """Return ``texts``, and ``salts`` in hexadecimal if there are any, in the order in which they were said; erased ones are left out.

    ``read`` finds a text by its id.
    """
    said = {ref.id: read(ref.id) for recorded in history if (ref := text_ref_of(recorded.event))}
    texts = {id: text.body for id, text in said.items() if text}
    salts = {id: text.salt.hex() for id, text in said.items() if text and text.salt is not None}
    return {"texts": texts, "salts": salts} if salts else {"texts": texts}


def check_texts(texts: object, salts: object, history: Sequence[Recorded]) -> Mapping[str, SaltedText]:
    """Return the texts of a full record. Raises ``InvalidFormatError`` if one is not the text that an event of the history refers to."""
    if not isinstance(texts, dict):
        raise InvalidFormatError("malformed_record", say("record.texts"), "record.texts")
    if not isinstance(salts, dict):
        raise InvalidFormatError("malformed_record", say("record.salts"), "record.salts")
    given = dict(_pair_with_salts(texts, salts))
    said = {ref.id: ref.digest for recorded in history if (ref := text_ref_of(recorded.event))}
    for id, text in given.items():
        if not text_matches(said.get(id, ""), text):
            raise InvalidFormatError("malformed_record", say("record.text_unknown"), f"record.texts.{id}")
    return given


def _pair_with_salts(texts: dict[str, Any], salts: dict[str, Any]) -> Iterator[tuple[str, SaltedText]]:
    if alone := salts.keys() - texts.keys():
        raise InvalidFormatError("malformed_record", say("record.salt_alone"), f"record.salts.{min(alone)}")
    for id, body in texts.items():
        if not isinstance(body, str):
            raise InvalidFormatError("malformed_record", say("record.text"), f"record.texts.{id}")
        yield id, SaltedText(body, _salt(id, salts[id]) if id in salts else None)


def _salt(id: str, given: object) -> bytes:
    try:
        salt = bytes.fromhex(given) if isinstance(given, str) else b""
    except ValueError:
        salt = b""
    if len(salt) != SALT or salt.hex() != given:
        raise InvalidFormatError("malformed_record", say("record.salt", size=SALT), f"record.salts.{id}")
    return salt
