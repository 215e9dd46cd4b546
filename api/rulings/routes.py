"""The routes of this wing; ``api/app.py`` joins them."""

from api.common.tables.columns import columns_route
from api.http.operations import handlers_in
from api.rulings import adjustments, case_book, disputes, game_status_commands, notes, rulings

ROUTES = (*handlers_in(disputes, rulings, case_book, adjustments, game_status_commands, notes), columns_route(disputes.TABLE, "Rulings"))
