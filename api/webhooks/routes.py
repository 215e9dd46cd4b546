"""The routes of this wing, as ``api/app.py`` joins them."""

from api.webhooks import changing, lists, log, registering

ROUTES = (
    registering.register_webhook,
    lists.list_webhooks,
    lists.read_webhook,
    changing.disable_webhook,
    changing.enable_webhook,
    changing.rotate_webhook,
    changing.remove_webhook,
    log.list_deliveries,
    log.redeliver,
    log.test_webhook,
)
