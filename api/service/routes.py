"""The routes of this wing; ``api/app.py`` joins them."""

from api.http.operations import handlers_in
from api.service import docs, feed, health, metrics, rulesets, streams

ROUTES = handlers_in(docs, feed, health, metrics, rulesets, streams)
