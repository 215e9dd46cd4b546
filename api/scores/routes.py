"""The routes of this wing, as ``api/app.py`` joins them."""

from litestar.handlers import HTTPRouteHandler

from api.scores import player_scores, scores

ROUTES: tuple[HTTPRouteHandler, ...] = (
    scores.list_scores,
    scores.read_score_schema,
    player_scores.read_player_scores,
)
