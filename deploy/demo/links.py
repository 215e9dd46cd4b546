"""Links by which a browser comes into the evening, one for everybody whom one can be there."""

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import NamedTuple
from urllib.parse import quote

from api.http.tokens import Role
from deploy.demo.night import NIGHT
from deploy.demo.season import players
from deploy.tokens import a_day, issue
from domain.access.grants import UNBOUND, Grant
from domain.access.scopes import OfTable, OfTournament
from domain.journal.registers import Registers

_PAGE = f"/t/{NIGHT}"


class Link(NamedTuple):
    """``what`` is the key of the sentence that says who comes in there, and where."""

    what: str
    address: str


class _Way(NamedTuple):
    """``game``: the round and table of the game that is to be seen first; without one it is the tournament."""

    what: str
    role: Role
    grant: Grant = UNBOUND
    game: str | None = None


_WAYS = (
    _Way("demo_director", "director"),
    _Way("demo_arbiter", "arbiter", Grant(OfTournament(NIGHT)), "2/2"),
    _Way("demo_count", "arbiter", Grant(OfTournament(NIGHT)), "2/1"),
    _Way("demo_recorder", "recorder", Grant(OfTable(NIGHT, "3", 1)), "2/3"),
    _Way("demo_player", "player", Grant(OfTournament(NIGHT), player=players()[2].id), "2/2"),
    _Way("demo_viewer", "viewer"),
)


def sign_in_links(registers: Registers, clock: Callable[[], datetime], games: Mapping[str, str], service: str) -> Iterator[Link]:
    """``games``: their ids by round and table. Each link is good for a day, however often."""
    for way in _WAYS:
        token, _ = issue(registers, clock, way.role, "demo", f"demo-{way.role}-page", grant=way.grant)
        code = a_day(registers, clock, token, many=True)
        page = f"/g/{games[way.game]}" if way.game else _PAGE
        yield Link(way.what, f"{service}/in?next={quote(page)}#{code}")
