"""Text rendering of replay frames: players, captions and texts of a game in lines."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import UNSET, Struct

from api.common.signed_sheets import SignatureView
from api.games.responses import ReplayFrame
from deploy.config.failures import sentence
from domain.cards import HIDDEN
from domain.games import RULESETS
from replay.frame_texts import FrameTexts
from replay.record import NEVER

# Fields that every game has, or that repeat other fields.
_ELSEWHERE = {
    "ruleset",
    "options",
    "seats",
    "parties",
    "phase",
    "hand",
    "dealer",
    "turn",
    "to_act",
    "totals",
    "winners",
    "hands",
    "legal_moves",
}
_REPEATED = ("_count", "_counts")
SPEAKING = {"cards", "groups", "kind", "canasta"}
"""Parts of a field that are printed without a name."""

_BEGUN = ("hand.dealt/", "hand.reported/")
"""Events that begin a hand."""

_BESIDE = " | "  # separates the contents of several places
_LONG = 60  # maximum length of a line with several places

Names: TypeAlias = tuple[str | None, ...]
"""The name on each seat; ``None`` for an unnamed one."""


class NamedFrame(Struct, frozen=True):
    """A frame, the names on the seats at that time, and the text that came with it."""

    frame: ReplayFrame
    names: Names
    words: str | None


def has_own_line(field: str) -> bool:
    """Return whether a field of the state view has a line of its own."""
    return field not in _ELSEWHERE and not field.endswith(_REPEATED)


class FramePrinter:
    """Renderer of frames. Field names are in the catalogue of the game (``field.last_capturer``); an unknown field is shown by its key."""

    def __init__(self, ruleset: str, language: str) -> None:
        known = RULESETS.get(ruleset)
        self._transcript = FrameTexts(known.about() if known else None, language)
        self.language = language

    def list_lines(self, frames: Iterable[NamedFrame]) -> Iterator[str]:
        """Yield a line for each event and below it its texts, the hands as they were dealt, and the points at the end."""
        last = None
        for told in frames:
            last, frame = told, told.frame
            yield f"{frame.position:>6} {'×' if frame.void is True else ' '} {frame.caption}"
            yield from (f"{'':9}{line}" for line in self._words(told))
            if frame.name.startswith(_BEGUN):
                yield from (f"{'':9}{line}" for line in self._seats(frame.table, told.names))
        if last is not None:
            yield f"{'':9}{self._totals(last.frame.table)}"

    def signatures(self, signatures: Iterable[SignatureView]) -> Iterator[str]:
        """Yield a line for each party that signed: its last signature, and whether the sheet was changed since."""
        for one in {one.party: one for one in signatures}.values():
            if one.changed is UNSET:
                told = self.say("replay_signed", party=one.party, position=one.sheet)
            else:
                before, after = (" : ".join(map(str, totals)) for totals in (one.changed.before, one.changed.after))
                place = {"party": one.party, "position": one.sheet, "changed": one.changed.position}
                told = self.say("replay_signed_changed", **place, before=before, after=after)
            yield f"{'':9}{told}"

    def position(self, told: NamedFrame, last: int) -> Iterator[str]:
        """Yield what happened, and the table after it."""
        frame, table = told.frame, told.frame.table
        when = "" if frame.at == NEVER else f", {frame.at:%Y-%m-%d %H:%M:%S} UTC"
        void = f" · {self.say('replay_void')}" if frame.void is True else ""
        yield self.say("replay_position", position=frame.position, last=last, hand=frame.hand) + when + void
        yield frame.caption
        yield from self._words(told)
        yield ""
        yield from (f"  {line}" for line in self._describe_table(table, told.names))

    def _describe_table(self, table: Mapping[str, Any], names: Names) -> Iterator[str]:
        """Yield the table from its state view: hands, cards on the table, points, and the seats to act."""
        yield from self._seats(table, names)
        yield from self.fields(table)
        yield self._totals(table)
        if table["to_act"]:
            yield self.say("replay_to_act", who=", ".join(map(str, table["to_act"])))

    def fields(self, table: Mapping[str, Any]) -> Iterator[str]:
        """Yield the fields of a state view that are not empty. Of a stock only the size is shown."""
        for name, value in table.items():
            if has_own_line(name):
                yield from self._lines(name, self._size(value) if name == "stock" else self._value(name, value))

    def _lines(self, name: str, text: str) -> Iterator[str]:
        """Yield a line for each place if the contents of several are too long for one line."""
        places = text.split(_BESIDE)
        if len(places) > 1 and len(text) > _LONG:
            yield f"{self._field_name(name)}:"
            yield from (f"  {place}" for place in places)
        elif text:
            yield f"{self._field_name(name)}: {text}"

    def say(self, code: str, **detail: object) -> str:
        return sentence(code, self.language, **detail)

    def _words(self, told: NamedFrame) -> Iterator[str]:
        if told.words:
            yield self.say("replay_words", words=_to_one_line(told.words))

    def _totals(self, table: Mapping[str, Any]) -> str:
        return self.say("replay_totals", totals=" : ".join(map(str, table["totals"])))

    def _seats(self, table: Mapping[str, Any], names: Names) -> Iterator[str]:
        """Yield the seats with their names and cards."""
        hands = table.get("hands", ())
        for seat in range(max(len(hands), len(names))):
            name = names[seat] if seat < len(names) else None
            who = self._transcript.party([seat]) + (f" ({_to_one_line(name)})" if name else "")
            cards = self._cards(hands[seat]) if seat < len(hands) else ""
            if name or cards:
                yield f"{who}: {cards}" if cards else who

    def _field_name(self, name: str) -> str:
        return self._transcript.name_of("field", name)

    def _size(self, stock: Sequence[str]) -> str:
        return self.say("replay_card" if len(stock) == 1 else "replay_cards", count=len(stock)) if stock else ""

    def _value(self, name: str, value: Any) -> str:
        match value:
            case None | False:
                return ""
            case True:
                return self.say("yes")
            case list() | dict() | str() if not value:
                return ""
            case list() if all(isinstance(item, str) for item in value):
                return self._cards(value)
            case list() if any(isinstance(item, (list, dict)) for item in value):
                texts = [self._value(name, item) or "–" for item in value]
                return _BESIDE.join(texts) if any(text != "–" for text in texts) else ""
            case list():
                return "" if all(item is None for item in value) else " ".join(map(self._item, value))
            case dict():
                return self._parts(value)
            case str():
                return self._transcript.value(name, value)
        return str(value)

    def _item(self, item: object) -> str:
        """Return one item of a list."""
        match item:
            case None:
                return "–"
            case bool():
                return self.say("yes" if item else "no")
            case str():
                return self._transcript.card(item)
        return str(item)

    def _parts(self, value: Mapping[str, Any]) -> str:
        """Return the parts of an object; by ranks if these are objects themselves, as with melds."""
        if all(isinstance(part, dict) for part in value.values()):
            return "; ".join(f"{self._transcript.name_of('rank', rank)}: {self._parts(part)}" for rank, part in value.items())
        texts = ((name, self._value(name, part)) for name, part in value.items())
        return ", ".join(text if name in SPEAKING else f"{self._field_name(name)} {text}" for name, text in texts if text)

    def _cards(self, cards: Sequence[str]) -> str:
        """Return the visible cards, and the number of hidden ones."""
        hidden = sum(card == HIDDEN for card in cards)
        texts = [self._transcript.card(card) for card in cards if card != HIDDEN]
        if hidden:
            texts.append(self.say("replay_hidden", count=hidden))
        return (", " if any(" " in text for text in texts[: len(cards) - hidden]) else " ").join(texts) or "–"


def _to_one_line(words: str) -> str:
    """Return a text on one line, without control characters that a terminal would interpret."""
    return "".join(sign if sign.isprintable() else "�" for sign in " ".join(words.split()))
