"""What the record does not know and has to be told becomes questions, and their answers what is told with the act (COM-73)."""

from collections.abc import Mapping, Sequence
from typing import Any

from deploy.cli.recording.door import Act
from deploy.system.language import sentence
from domain.cards import HIDDEN, Card
from replay.transcript import Transcript

_HAND = "hand:"
_CALLED = {"board": "table"}
"""Zones that the table as it is shown calls otherwise."""


class Questions:
    """The questions about one act, in a language; cards and zones are called as captions call them."""

    def __init__(self, transcript: Transcript, language: str) -> None:
        self._transcript = transcript
        self._language = language

    def text(self, ask: Mapping[str, Any], *, of_deal: bool) -> str:
        """``of_deal``: its places are counted in the order in which cards are dealt there, and not from the top."""
        zone = self.zone(ask["zone"])
        if "face" in ask:
            return self._say("record_ask_face", zone=zone, card=self._transcript.card(ask["face"]))
        if "count" in ask:
            return self._say("record_ask_count", zone=zone, count=ask["count"])
        places = tuple(place + 1 for place in ask["places"])
        return self._say("record_ask_dealt" if of_deal else "record_ask_places", zone=zone, places=places, count=len(places))

    def zone(self, zone: str) -> str:
        """A zone in words; its seat is a number of the record, everything else is counted from 1."""
        kind, *numbers = zone.split(":")
        if zone.startswith(_HAND):
            return self._say("record_hand_of", seat=numbers[0])
        counted = [str(int(number) + 1) for number in numbers[-1:] if number.isdecimal()]
        return " ".join([self._transcript.named("field", _CALLED.get(kind, kind)), *counted])

    def _say(self, key: str, **detail: object) -> str:
        return sentence(key, self._language, **detail)


def cards_asked(ask: Mapping[str, Any]) -> int:
    """How many cards answer it; none where it is yes or no."""
    return 0 if "face" in ask else ask.get("count", len(ask.get("places", ())))


def with_cards(act: Act, ask: Mapping[str, Any], cards: Sequence[Card]) -> Act:
    """The act with the cards that were asked for, as many as ``cards_asked``."""
    zone, places = ask["zone"], ask.get("places", range(len(cards)))
    told = list(act.body.get("known", {}).get(zone, ()))
    told += [HIDDEN] * (max(places) + 1 - len(told))
    for place, card in zip(places, cards, strict=True):
        told[place] = card
    return with_told(act, {"known": {zone: told}})


def with_told(act: Act, told: Mapping[str, Mapping[str, Sequence[Card]]]) -> Act:
    """The act with more told: ``known`` and ``lacks``, of a zone what is told last."""
    return Act(act.what, {**act.body, **{field: {**act.body.get(field, {}), **zones} for field, zones in told.items()}})
