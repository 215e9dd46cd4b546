"""The routes of this wing; ``api/app.py`` joins them."""

from api.http.operations import handlers_in
from api.standings import all_standings, comparison, possible_standings, prize_pools, standings

ROUTES = handlers_in(standings, comparison, possible_standings, prize_pools, all_standings)
