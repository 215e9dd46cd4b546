"""``known`` and ``lacks`` as they come in: objects from a zone to faces (COM-71)."""

from collections.abc import Collection
from typing import Literal, NoReturn

from msgspec import UNSET

from domain.cards import HIDDEN, Card
from domain.checks import refusal
from domain.rules import Codes
from domain.telling.tellable import Zones
from domain.texts import Phrase, say


def read_told(
    told: object, field: Literal["known", "lacks"], faces: Collection[Card], most: int, codes: Codes, *, of_deal: bool = False
) -> Zones:
    """The faces by zone, ``most`` of each at most; none where nothing was told.

    Raises ``Refused`` with ``malformed_move``, of a deal with ``bad_deck``.

    ``"?"`` leaves a card untold; of what lacks it would say nothing, so there it is refused.
    """
    if told is UNSET:
        return {}

    def refuse(problem: Phrase) -> NoReturn:
        raise refusal(codes, *(("bad_deck", "COM-70") if of_deal else ("malformed_move", "COM-71")), problem=problem)

    if not isinstance(told, dict):
        refuse(say("told.no_object", field=field))
    for zone, cards in told.items():
        if not isinstance(zone, str) or not isinstance(cards, list | tuple):
            refuse(say("told.no_list", field=field))
        if len(cards) > most:
            refuse(say("told.too_many", field=field, most=most))
        for card in cards:
            if not isinstance(card, str) or (card not in faces and (card != HIDDEN or field == "lacks")):
                refuse(say("move.no_card", card=card if isinstance(card, str) else "…"))
    return {zone: tuple(cards) for zone, cards in told.items()}
