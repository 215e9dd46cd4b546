"""The page of a ruleset's statistics: each figure as a bar with its confidence interval, drawn as SVG on the server, and its numbers."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any, NamedTuple
from urllib.parse import urlencode

from litestar.params import FromPath
from msgspec import Meta, field
from msgspec.structs import asdict

from api.common.lists import number
from api.common.pages.shell import Page, build_page_response, fetch_value, page_language, words
from api.common.rulebooks import about_of
from api.http.decoding import Incoming, read_query
from api.http.operations import shows
from api.http.request import Request, services_of
from api.http.response import Response
from api.pages.names import titles
from domain.errors import Refused, Unknown
from domain.rules import Ruleset

_WIDE = 200
"""Width of a bar that is as long as any of its block, in its own units."""
_Item = Mapping[str, Any]
_Words = Mapping[str, str]


class StatisticsPageQuery(Incoming, frozen=True, kw_only=True):
    """The filters of ``GET /v1/statistics`` as a form sends them, with days in the place of moments."""

    tournament: Annotated[str, Meta(max_length=200)] = ""
    from_: Annotated[str, Meta(pattern=r"^([0-9]{4}-[0-9]{2}-[0-9]{2})?$(?!\n)")] = field(default="", name="from")
    to: Annotated[str, Meta(pattern=r"^([0-9]{4}-[0-9]{2}-[0-9]{2})?$(?!\n)")] = ""


class Bar(NamedTuple):
    """A line of a block: its label, its bar with the interval, and the same in numbers."""

    label: str
    length: str
    low: str
    high: str
    value: str
    interval: str
    counts: str


class Block(NamedTuple):
    """Bars of one scale. ``lead``: a figure in words."""

    title: str
    lead: str
    bars: Sequence[Bar]


@shows("/statistics/{ruleset:str}", "statistics_page", "Show the statistics of a game", query=StatisticsPageQuery, within="published")
async def statistics_page(request: Request, ruleset: FromPath[str]) -> Response:
    query, language, known = read_query(request, StatisticsPageQuery, from_form=True), page_language(request), services_of(request).rulesets
    if ruleset not in known:
        raise Unknown("ruleset", ruleset)
    said = words(language)
    chosen = {name.removesuffix("_"): value for name, value in asdict(query).items() if value}
    found = await fetch_value(request, "/v1/statistics", ruleset=ruleset, **chosen)
    about = about_of(known[ruleset])
    values = {
        "given": {"from": query.from_, "to": query.to, "tournament": query.tournament},
        "of": (await titles(request, [query.tournament or None])).get(query.tournament),
        "ruleset": ruleset,
        "others": {id: about_of(other).names[language] for id, other in known.items() if id != ruleset},
        "games": found["games"],
        "sections": list(list_sections(found["items"], known[ruleset], language)),
        "file": urlencode({"ruleset": ruleset, **chosen}),
    }
    title = f"{said['statistics.title']}: {about.names[language]}"
    return await build_page_response(
        request, Page(template="statistics.html.j2", title=title, values=values, styles=("tournament.css", "me.css"))
    )


def list_sections(items: Sequence[_Item], game: Ruleset, language: str) -> Iterator[tuple[str, Sequence[Block]]]:
    """Yield the title and the blocks of each figure."""
    said = words(language)
    figures = dict.fromkeys(one["figure"] for one in items)
    for figure in figures:
        own = [one for one in items if one["figure"] == figure]
        if figure == "partners_together":
            yield said["statistics.partners"], [_compare_partners(one, items, said) for one in own]
        elif own[0]["measure"] == "share":
            yield said[f"statistics.{figure}"], [_block_of_shares("", "", own, lambda one: _label_of(one, game, language), said)]
        elif figure != "partners_apart":
            yield said[f"statistics.{figure}"], list(_blocks_of_values(own, said))


def _compare_partners(together: _Item, items: Sequence[_Item], said: _Words) -> Block:
    apart = [one for one in items if one["figure"] == "partners_apart" and one["players"] == together["players"]]
    return _block_of_shares(together["shown"], "", [together, *apart], lambda one: said[f"statistics.{one['figure']}"], said)


def _blocks_of_values(own: Sequence[_Item], said: _Words) -> Iterator[Block]:
    """Yield a block for each group: its mean or rate in words, then the shares of its bins."""
    for group in dict.fromkeys(one["group"] for one in own):
        whole, *bins = (one for one in own if one["group"] == group)
        write = _write_duration if whole["figure"] == "hand_seconds" else lambda value: number(round(value, 2), said["decimal"])
        interval = "" if whole["low"] is None else f" ({write(whole['low'])}–{write(whole['high'])})"
        lead = said[f"statistics.{whole['measure']}"].format(
            value=f"{write(whole['value'])}{interval}", count=whole["count"], of=whole["of"]
        )
        title = said["statistics.minimum"].format(points=group) if group else ""
        yield _block_of_shares(title, lead, bins, _label_of_bin, said)


def _block_of_shares(title: str, lead: str, own: Sequence[_Item], label: Callable[[_Item], str], said: _Words) -> Block:
    longest = max((one["high"] for one in own), default=1)

    def place(share: float) -> str:
        return f"{_WIDE * share / longest:.1f}"

    def percent(share: float) -> str:
        return f"{100 * share:.1f}".replace(".", said["decimal"])

    return Block(
        title,
        lead,
        [
            Bar(
                label(one),
                place(one["value"]),
                place(one["low"]),
                place(one["high"]),
                f"{percent(one['value'])} %",
                f"{percent(one['low'])}–{percent(one['high'])}",
                said["statistics.count"].format(count=one["count"], of=one["of"]),
            )
            for one in own
        ],
    )


def _label_of(one: _Item, game: Ruleset, language: str) -> str:
    said = words(language)
    match one["figure"]:
        case "win_by_seat":
            return said["me.seat"].format(seat=int(one["group"]) + 1)
        case "win_as_dealer":
            return said["statistics.dealer"]
        case "refusals":
            return game.sentence(Refused(one["group"]), language).partition(". ")[0]
        case "hand_end":
            return str(about_of(game).words[language].get(f"end.{one['group']}", one["group"]))
    return said[f"statistics.move.{one['group']}"]


def _label_of_bin(one: _Item) -> str:
    low, last = one["at_least"], one["below"] - 1
    if one["figure"] == "hand_seconds":
        return f"{_write_duration(low)}–{_write_duration(one['below'])}"
    return _write_number(low) if low == last else f"{_write_number(low)} … {_write_number(last)}"


def _write_number(value: int) -> str:
    return str(value).replace("-", "−")


def _write_duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02d}"
