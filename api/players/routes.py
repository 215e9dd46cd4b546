"""The routes of this wing, as ``api/app.py`` joins them."""

from litestar.handlers import HTTPRouteHandler

from api.players import acts, clubs, erasures, lists, personal_data, players

ROUTES: tuple[HTTPRouteHandler, ...] = (
    players.register_players,
    lists.list_players,
    players.read_player,
    acts.name_player,
    acts.transfer_player,
    acts.merge_player,
    acts.separate_player,
    erasures.erase_player,
    personal_data.read_personal_data,
    clubs.list_clubs,
)
