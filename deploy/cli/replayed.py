"""A replay on a terminal: the whole game as a transcript, or one position with everything that lies on the table."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from api.games.responses import ReplayFrame
from deploy.language import said
from domain.cards import HIDDEN
from domain.games import RULESETS
from replay.history import NEVER
from replay.transcript import Transcript

_EVERYWHERE = {"ruleset", "options", "seats", "parties", "phase", "hand", "dealer", "turn", "to_act", "totals", "winners", "hands"}
_DEALT = "hand.dealt/"


class Printed:
    """Frames of one game in lines of text. The names of the fields of a table are those of the state view, in any language."""

    def __init__(self, ruleset: str, language: str) -> None:
        known = RULESETS.get(ruleset)
        self._transcript = Transcript(known.about() if known else None, language)
        self._language = language

    def transcript(self, frames: Iterable[ReplayFrame]) -> Iterator[str]:
        """A line an event; the hands as they were dealt, the points at the end."""
        frame = None
        for frame in frames:
            yield f"{frame.position:>6} {'×' if frame.void is True else ' '} {frame.caption}"
            if frame.name.startswith(_DEALT):
                yield from (f"{'':9}{line}" for line in self._hands(frame.table))
        if frame is not None:
            yield f"{'':9}{self._said('replay_totals', totals=_points(frame.table['totals']))}"

    def position(self, frame: ReplayFrame, last: int) -> Iterator[str]:
        """What happened, and how the table lies then."""
        table = frame.table
        when = "" if frame.at == NEVER else f", {frame.at:%Y-%m-%d %H:%M:%S} UTC"
        void = f" · {self._said('replay_void')}" if frame.void is True else ""
        yield self._said("replay_position", position=frame.position, last=last, hand=frame.hand) + when + void
        yield frame.caption
        yield ""
        yield from (f"  {line}" for line in self._hands(table))
        yield from (f"  {name.replace('_', ' ')}: {text}" for name, value in table.items() if (text := self._shown(name, value)))
        yield f"  {self._said('replay_totals', totals=_points(table['totals']))}"
        if table["to_act"]:
            yield f"  {self._said('replay_to_act', who=', '.join(map(str, table['to_act'])))}"

    def _hands(self, table: Mapping[str, Any]) -> Iterator[str]:
        for seat, hand in enumerate(table.get("hands", ())):
            yield f"{self._transcript.party([seat])}: {self._cards(hand)}"

    def _shown(self, name: str, value: Any) -> str:
        """A field of the state view; nothing where it tells nothing, or what is shown already."""
        if name in _EVERYWHERE or name.endswith(("_count", "_counts")) or name == "legal_moves":
            return ""
        return self._value(value)

    def _value(self, value: Any) -> str:
        match value:
            case None | False | "" | [] | {}:
                return ""
            case True:
                return self._said("yes")
            case list() if all(isinstance(item, str) for item in value):
                return self._cards(value)
            case list() if any(isinstance(item, list | dict) for item in value):
                texts = [self._value(item) or "–" for item in value]
                return " | ".join(texts) if any(text != "–" for text in texts) else ""
            case list():
                return " ".join("–" if item is None else self._value(item) or str(item) for item in value)
            case dict():
                return ", ".join(f"{key} {text}" for key, item in value.items() if (text := self._value(item)))
            case str():
                return self._transcript.card(value)
        return str(value)

    def _cards(self, cards: Sequence[str]) -> str:
        """Cards that are seen, and how many are not."""
        hidden = sum(card == HIDDEN for card in cards)
        texts = [self._transcript.card(card) for card in cards if card != HIDDEN]
        if hidden:
            texts.append(self._said("replay_hidden", count=hidden))
        return (", " if any(" " in text for text in texts[: len(cards) - hidden]) else " ").join(texts) or "–"

    def _said(self, code: str, **detail: object) -> str:
        return said(code, self._language, **detail)


def walk(frames: Sequence[ReplayFrame], start: int, key: Callable[[], str], show: Callable[[ReplayFrame], None]) -> None:
    """Step by step from a position: n or Enter goes on, p goes back, q ends. What cannot be gone further stays where it is."""
    place = next((place for place, frame in enumerate(frames) if frame.position >= start), len(frames) - 1)
    while True:
        show(frames[place])
        pressed = key().lower()
        while pressed not in ("n", "p", "q", "\r", "\n", " ", "\x1b", "\x03"):
            pressed = key().lower()
        if pressed in ("q", "\x1b", "\x03"):
            return
        place = max(place - 1, 0) if pressed == "p" else min(place + 1, len(frames) - 1)


def _points(totals: Iterable[int]) -> str:
    return " : ".join(map(str, totals))
