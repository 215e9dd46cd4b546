"""The routes of this wing; ``api/app.py`` joins them."""

from api.http.operations import handlers_in
from api.webhooks import commands, log

ROUTES = handlers_in(commands, log)
