"""The routes of this wing; ``api/app.py`` joins them."""

from api.http.operations import handlers_in
from api.rulings import dispute_list, disputes, game_status_commands, ruling_search, rulings

ROUTES = handlers_in(disputes, dispute_list, rulings, ruling_search, game_status_commands)
