"""The routes of this wing, as ``api/app.py`` joins them."""

from litestar.handlers import HTTPRouteHandler

from api.service import docs, feed, health, metrics, rulesets

ROUTES: tuple[HTTPRouteHandler, ...] = (
    feed.read_feed,
    rulesets.list_rulesets,
    rulesets.read_ruleset,
    health.live,
    health.ready,
    metrics.metrics,
    docs.openapi,
    docs.docs,
    docs.stylesheet,
)
