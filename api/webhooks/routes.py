"""The routes of this wing, as ``api/app.py`` joins them."""

from api.webhooks import commands, log

ROUTES = (
    commands.register_webhook,
    log.list_webhooks,
    log.read_webhook,
    commands.disable_webhook,
    commands.enable_webhook,
    commands.rotate_webhook,
    commands.remove_webhook,
    log.list_deliveries,
    log.redeliver,
    log.test_webhook,
)
