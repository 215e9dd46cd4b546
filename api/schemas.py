"""The exported tables, and their schemas: the columns of each, which are public."""

from collections.abc import Mapping

from litestar.params import FromPath

from api.common.tables.columns import Table, table_schema
from api.games.games_table import GamesFile
from api.games.history_tables import HandsFile, MovesFile
from api.games.statistics import StatisticsFile
from api.http.operations import Content, reads
from api.http.request import Request
from api.http.response import Response, encode
from api.looks import LooksFile
from api.players.tables import PlayersFile
from api.ratings.published_table import PublishedRatingsFile
from api.ratings.rating_lists import RatingsFile
from api.ratings.rating_steps import RatingStepsFile
from api.rulings.dispute_list import DisputesFile
from api.rulings.ruling_search import RulingsFile
from api.scores.results import ResultsFile
from api.scores.schema import SCORES
from api.series.tables import SeriesFile
from api.standings.all_standings import AllStandingsFile
from api.tournaments.tables import TournamentsFile
from domain.errors import Unknown

_FILES = (
    ResultsFile,
    GamesFile,
    HandsFile,
    MovesFile,
    PlayersFile,
    TournamentsFile,
    AllStandingsFile,
    SeriesFile,
    DisputesFile,
    RulingsFile,
    LooksFile,
    RatingsFile,
    PublishedRatingsFile,
    RatingStepsFile,
    StatisticsFile,
)
FILES = {file.full_table.name: file for file in _FILES}
"""The export of each table."""
TABLES: Mapping[str, Table] = {SCORES.name: SCORES, **{name: file.full_table for name, file in FILES.items()}}


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
        raise Unknown("schema", schema, known=tuple(sorted(TABLES)))
    return Response(encode(table_schema(TABLES[schema])), headers=[("cache-control", "public, max-age=3600")])
