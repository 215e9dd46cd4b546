"""The routes of this wing; ``api/app.py`` joins them."""

from api.http.operations import handlers_in
from api.series import notes, series, standings

ROUTES = handlers_in(series, notes, standings)
