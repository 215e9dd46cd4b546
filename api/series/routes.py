"""The routes of this wing; ``api/app.py`` joins them."""

from api.common.tables.columns import columns_route
from api.http.operations import handlers_in
from api.series import notes, series, standings
from api.series.tables import SERIES

ROUTES = (*handlers_in(series, notes, standings), columns_route(SERIES, "Series"))
