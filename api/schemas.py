"""Table schemas: the columns of every exported table, which are public."""

from collections.abc import Mapping

from litestar.params import FromPath

from api.common.tables.columns import Table, table_schema
from api.games.games_table import GAMES
from api.games.history_tables import HANDS, MOVES
from api.games.statistics import STATISTICS
from api.http.operations import Content, reads
from api.http.request import Request
from api.http.response import Response, encode
from api.looks import TABLE as LOOKS
from api.players.tables import PLAYERS
from api.ratings.published_table import PUBLISHED
from api.ratings.rating_lists import RATINGS
from api.ratings.rating_steps import STEPS
from api.rulings.dispute_list import TABLE as DISPUTES
from api.rulings.ruling_search import TABLE as RULINGS
from api.scores.results import RESULTS
from api.scores.schema import SCORES
from api.series.tables import SERIES
from api.standings.tables import STANDINGS
from api.tournaments.tables import TOURNAMENTS
from domain.errors import Unknown
from domain.texts import say

_TABLES = (
    SCORES,
    RESULTS,
    GAMES,
    HANDS,
    MOVES,
    PLAYERS,
    TOURNAMENTS,
    STANDINGS,
    SERIES,
    DISPUTES,
    RULINGS,
    LOOKS,
    RATINGS,
    PUBLISHED,
    STEPS,
    STATISTICS,
)
TABLES: Mapping[str, Table] = {table.name: table for table in _TABLES}


@reads(
    "/v1/schemas/{schema:str}",
    "read_schema",
    "Read the columns of a table, as a Table Schema",
    tag="Scores",
    description=(
        f"The tables are {', '.join(f'`{name}`' for name in sorted(TABLES))}. `version` rises when a column changes its name, type or "
        "meaning, or is removed. Columns may be added at the end without a new version."
    ),
    responses={200: Content("the schema", {"type": "object"})},
    refuses=(404,),
    role="anybody",
)
async def read_schema(request: Request, schema: FromPath[str]) -> Response:
    if schema not in TABLES:
        raise Unknown("schema", schema, say("unknown.schema", key=schema, known=tuple(sorted(TABLES))))
    return Response(encode(table_schema(TABLES[schema])), headers=[("cache-control", "public, max-age=3600")])
