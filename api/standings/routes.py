"""The routes of this wing; ``api/app.py`` joins them."""

from api.http.operations import handlers_in
from api.standings import all_standings, possible_standings, prize_pools, standings

ROUTES = (
    standings.read_standings,
    standings.compare_standings,
    possible_standings.try_result,
    *handlers_in(prize_pools, all_standings),
)
