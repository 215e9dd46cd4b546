"""Presence and wishes before a draw, as the desk shows them: a tick for each entrant, a sentence for each wish."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from api.pages.directing.evening import Evening, Told
from api.pages.directing.seats import is_gone, plays
from domain.events.tournament import WishKind
from domain.standings.plan import FORMATS, Format
from domain.texts import Texts


class Tick(Struct, frozen=True):
    """An entrant who may play in the next round. ``there``: drawn for it, as far as is known."""

    entrant: int
    name: str
    there: bool


def list_ticks(evening: Evening) -> list[Tick]:
    """Return the entrants by name; none where nobody may miss the next round without withdrawing."""
    number, rule = evening.about["paired"] + 1, FORMATS[evening.about["format"]]
    if rule.loser_is_out or (rule.one_field and number == 1):
        return []
    coming = [one for one in evening.entrants if one["from_round"] <= number and not is_gone(one, number)]
    asked = [one for one in coming if number not in one.get("half_byes", ())]
    ticks = [Tick(one["entrant"], evening.names[one["entrant"]], plays(one, number)) for one in asked]
    return sorted(ticks, key=lambda tick: tick.name.casefold())


_NAMES: Mapping[WishKind, int] = {"half_bye": 1, "table": 1, "apart": 4, "meet": 2}
"""How many names the form of a wish takes. More are for the API."""


def list_wish_forms(format: Format) -> list[tuple[WishKind, int]]:
    """Return the kinds of wishes that can be recorded in this format, with the number of names."""
    rule = FORMATS[format]
    return [(kind, names) for kind, names in _NAMES.items() if kind != "half_bye" or not (rule.all_meet or rule.loser_is_out)]


class WishLine(Struct, frozen=True):
    number: int
    sentence: str


def list_wish_lines(evening: Evening, wishes: Sequence[Told], said: Texts) -> list[WishLine]:
    """Return the wishes for the next rounds in words."""
    coming = (one for one in wishes if one["round"] is None or one["round"] > evening.about["paired"])
    return [WishLine(one["wish"], _sentence(evening, one, said)) for one in coming]


def _sentence(evening: Evening, wish: Told, said: Texts) -> str:
    names = " – ".join(evening.names[entrant] for entrant in wish["entrants"])
    about = said[f"wish.told.{wish['kind']}"].format(names=names, table=wish["table"])
    return about if wish["round"] is None else f"{about}, {said['draw.round'].format(round=wish['round'])}"
