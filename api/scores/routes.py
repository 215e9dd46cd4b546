"""The routes of this wing, as ``api/app.py`` joins them."""

from api.scores import player_scores, scores

ROUTES = (scores.list_scores, scores.read_score_schema, player_scores.read_player_scores)
