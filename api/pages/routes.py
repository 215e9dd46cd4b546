"""The routes of this wing, as ``api/app.py`` joins them."""

from api.pages import (
    appearance,
    assets,
    director_page,
    front,
    game_page,
    me_page,
    new_page,
    offline,
    player_page,
    record_page,
    rules,
    table_page,
    tournament_page,
    wall_page,
)

ROUTES = (
    front.start,
    game_page.game_page,
    record_page.record_page,
    new_page.new_page,
    tournament_page.tournament_page,
    director_page.director_page,
    table_page.table_page,
    wall_page.wall_page,
    player_page.player_page,
    me_page.me_page,
    rules.rules_page,
    rules.ruleset_page,
    appearance.choose_appearance,
    offline.offline_page,
    assets.read_asset,
    assets.read_part,
    assets.read_worker,
)
