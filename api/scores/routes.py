"""The routes of this wing; ``api/app.py`` joins them."""

from api.http.operations import handlers_in
from api.scores import player_scores, results, scores

ROUTES = handlers_in(scores, player_scores, results)
