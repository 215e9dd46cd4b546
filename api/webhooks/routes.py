"""The routes of this wing, as ``api/app.py`` joins them."""

from api.webhooks import commands, log

ROUTES = (*commands.ACTS, log.list_webhooks, log.read_webhook, log.list_deliveries, *log.ACTS)
