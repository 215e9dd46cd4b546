"""The routes of this wing; ``api/app.py`` joins them."""

from api.common.stream_audits import PLAYER_AUDIT
from api.http.operations import handlers_in
from api.players import commands, erase, lists, person_data, players

ROUTES = (*handlers_in(players, commands, person_data, erase, lists), PLAYER_AUDIT)
