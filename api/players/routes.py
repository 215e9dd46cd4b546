"""The routes of this wing, as ``api/app.py`` joins them."""

from api.common.tables.columns import columns_route
from api.players import commands, lists, personal_data, players
from api.players.tables import PLAYERS

ROUTES = (
    players.register_players,
    lists.list_players,
    players.read_player,
    commands.name_player,
    commands.transfer_player,
    commands.merge_player,
    commands.separate_player,
    personal_data.erase_player,
    personal_data.read_personal_data,
    lists.list_clubs,
    lists.audit_player,
    columns_route(PLAYERS, "Players"),
)
