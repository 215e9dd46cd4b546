"""The routes of this wing; ``api/app.py`` joins them."""

from api.http.operations import handlers_in
from api.seasons import seasons

ROUTES = handlers_in(seasons)
