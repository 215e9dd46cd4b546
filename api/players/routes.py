"""The routes of this wing; ``api/app.py`` joins them."""

from api.common.tables.columns import columns_route
from api.http.operations import handlers_in
from api.players import commands, lists, person_data, players
from api.players.tables import PLAYERS

ROUTES = (*handlers_in(players, commands, person_data, lists), columns_route(PLAYERS, "Players"))
