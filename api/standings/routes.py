"""The routes of this wing; ``api/app.py`` joins them."""

from api.common.tables.columns import columns_route
from api.http.operations import handlers_in
from api.standings import possible_standings, prize_pools, standings
from api.standings.tables import STANDINGS

ROUTES = (
    standings.read_standings,
    standings.compare_standings,
    possible_standings.try_result,
    *handlers_in(prize_pools),
    columns_route(STANDINGS, "Tournaments"),
)
