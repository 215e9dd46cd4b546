"""The routes of this wing, as ``api/app.py`` joins them."""

from api.standings import standings

ROUTES = (standings.read_standings, standings.compare_standings)
