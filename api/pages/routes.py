"""The routes of this wing, as ``api/app.py`` joins them."""

from api.pages import (
    assets,
    director_page,
    front,
    game_page,
    me_page,
    new_page,
    player_page,
    record_page,
    rules,
    shuffle_page,
    tournament_page,
    wall_page,
)

ROUTES = (
    front.start,
    game_page.game_page,
    record_page.record_page,
    shuffle_page.shuffle_page,
    new_page.new_page,
    tournament_page.tournament_page,
    director_page.director_page,
    game_page.table_page,
    wall_page.wall_page,
    player_page.player_page,
    me_page.me_page,
    rules.rules_page,
    rules.ruleset_page,
    assets.choose_appearance,
    assets.offline_page,
    assets.read_asset,
    assets.read_part,
    assets.read_worker,
)
