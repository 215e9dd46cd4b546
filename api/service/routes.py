"""The routes of this wing, as ``api/app.py`` joins them."""

from api.service import docs, feed, health, metrics, rulesets, streams

ROUTES = (
    feed.read_feed,
    streams.follow_streams,
    rulesets.list_rulesets,
    rulesets.read_ruleset,
    health.live,
    health.ready,
    metrics.metrics,
    docs.openapi,
    docs.docs,
    docs.verifier,
)
