"""The routes of this wing; ``api/app.py`` joins them."""

from api.http.operations import handlers_in
from api.pages import (
    assets,
    director_page,
    front,
    game_page,
    new_page,
    own_page,
    player_page,
    ratings_page,
    record_page,
    rules,
    rulings_page,
    series_page,
    statistics_page,
    tournament_feeds,
    tournament_page,
    wall_page,
)

ROUTES = handlers_in(
    assets,
    rulings_page,
    game_page,
    director_page,
    front,
    own_page,
    new_page,
    player_page,
    ratings_page,
    record_page,
    tournament_feeds,
    rules,
    series_page,
    statistics_page,
    tournament_page,
    wall_page,
)
