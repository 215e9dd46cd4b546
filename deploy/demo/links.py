"""Links by which a browser comes into the evening, one for everybody whom one can be there."""

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import NamedTuple
from urllib.parse import quote

from api.http.tokens import Role
from deploy.config.tokens import a_day, issue
from deploy.demo.night import NIGHT
from deploy.demo.season import players
from domain.access import UNBOUND, Grant, OfTable, OfTournament
from domain.journal.registers import Registers

_PAGE = f"/t/{NIGHT}"


class Link(NamedTuple):
    """``what`` is the key of the sentence that says who comes in there, and where."""

    what: str
    address: str


class _Way(NamedTuple):
    """``page``: where the role works; a game in it is named by its round and table."""

    what: str
    role: Role
    page: str
    grant: Grant = UNBOUND


_WAYS = (
    _Way("demo_director", "director", f"{_PAGE}/desk"),
    _Way("demo_arbiter", "arbiter", "/g/{2/2}", Grant(OfTournament(NIGHT))),
    _Way("demo_count", "arbiter", "/g/{2/1}", Grant(OfTournament(NIGHT))),
    _Way("demo_recorder", "recorder", "/g/{2/3}/record", Grant(OfTable(NIGHT, "3", 1))),
    _Way("demo_player", "player", "/me", Grant(OfTournament(NIGHT), player=players()[2].id)),
    _Way("demo_viewer", "viewer", _PAGE),
)


def sign_in_links(registers: Registers, clock: Callable[[], datetime], games: Mapping[str, str], service: str) -> Iterator[Link]:
    """``games``: their ids by round and table. Each link is good for a day, however often."""
    for way in _WAYS:
        token, _ = issue(registers, clock, way.role, "demo", f"demo-{way.role}-page", grant=way.grant)
        code = a_day(registers, clock, token, many=True)
        yield Link(way.what, f"{service}/in?next={quote(way.page.format_map(games))}#{code}")
