"""The routes of this wing, as ``api/app.py`` joins them."""

from api.common.tables.schemas import columns_route
from api.scores import player_scores, results, scores
from api.scores.results import RESULTS

ROUTES = (
    scores.list_scores,
    scores.read_score_schema,
    player_scores.read_player_scores,
    results.list_results,
    columns_route(RESULTS, "Scores"),
)
