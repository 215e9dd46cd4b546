"""The routes of this wing; ``api/app.py`` joins them."""

from api.common.tables.columns import columns_route
from api.standings import possible_standings, standings
from api.standings.tables import STANDINGS

ROUTES = (standings.read_standings, standings.compare_standings, possible_standings.try_result, columns_route(STANDINGS, "Tournaments"))
