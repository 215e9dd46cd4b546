"""Demo series: two finished club evenings, imported from record files, and a published series with the table of both."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

import msgspec

from deploy.demo.tables import FOLDER, Request

SERIES = "grand-prix"
"""The id of the series."""

_EVENINGS = {"march": "Club evening in March", "april": "Club evening in April"}
"""The titles, by the name of the record file."""


def build_season() -> Iterator[Request]:
    """Yield everything that happens, in order; always the same."""
    path = f"/v1/series/{SERIES}"
    points = {"by": "place", "table": [5, 3, 2, 1]}
    for name, title in _EVENINGS.items():
        yield from _build_evening(title, _read_records(name))
    yield Request("/v1/series", {"id": SERIES, "title": "Grand Prix", "points": points, "best": 5, "tie_breaks": ["latest_result"]})
    yield from (Request(f"{path}/tournaments", {"tournament": f"{name}-evening"}) for name in _EVENINGS)
    yield Request(f"{path}/publication", {"publication": "names"})


def _read_records(name: str) -> list[dict[str, Any]]:
    return msgspec.json.Decoder(dict[str, Any]).decode_lines((FOLDER / "records" / f"{name}.ndjson").read_bytes())


def _build_evening(title: str, records: Sequence[dict[str, Any]]) -> Iterator[Request]:
    """Yield the requests of a tournament whose entries, rounds and tables are those of its records."""
    game = {name: records[0][name] for name in ("ruleset", "options", "seats")}
    id, players = records[0]["tournament"], list(dict.fromkeys(player for record in records for player in record["players"]))
    path, number_of = f"/v1/tournaments/{id}", {player: number for number, player in enumerate(players, 1)}
    yield Request("/v1/tournaments", {"id": id, "title": title, **game, "format": "manual", "scoring": {"by": "points"}, "seed": id})
    yield Request(f"{path}/entries", {"entries": [{"players": [player]} for player in players]})
    yield Request(f"{path}/publication", {"publication": "names"})
    for round, played in groupby(records, lambda record: record["round"]):
        games = list(played)
        tables = [{"table": game["table"], "parties": [[number_of[player]] for player in game["players"]]} for game in games]
        yield Request(f"{path}/rounds", {"tables": tables})
        yield from (Request("/v1/records", game) for game in games)
        yield Request(f"{path}/rounds/{round}/closing", {})
    yield Request(f"{path}/ending", {})
