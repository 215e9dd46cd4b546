"""The routes of this wing; ``api/app.py`` joins them."""

from api.http.operations import handlers_in
from api.pages import (
    assets,
    devices_page,
    director_page,
    front,
    game_page,
    new_page,
    own_page,
    player_page,
    players_page,
    ratings_page,
    record_page,
    rules,
    ruling_form_page,
    rulings_page,
    series_page,
    shuffle_page,
    tournament_page,
    wall_page,
)

ROUTES = handlers_in(
    assets,
    rulings_page,
    devices_page,
    director_page,
    front,
    game_page,
    own_page,
    new_page,
    player_page,
    players_page,
    ratings_page,
    record_page,
    rules,
    ruling_form_page,
    series_page,
    shuffle_page,
    tournament_page,
    wall_page,
)
