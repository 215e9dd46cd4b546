"""The routes of this wing, as ``api/app.py`` joins them."""

from litestar.handlers import HTTPRouteHandler

from api.standings import standings

ROUTES: tuple[HTTPRouteHandler, ...] = (
    standings.read_standings,
    standings.compare_standings,
)
