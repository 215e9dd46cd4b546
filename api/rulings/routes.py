"""The routes of this wing, as ``api/app.py`` joins them."""

from api.common.tables.columns import columns_route
from api.rulings import conduct, corrections, disputes, notes, rulings

ROUTES = (
    *disputes.ACTS,
    disputes.list_disputes,
    disputes.list_all_disputes,
    columns_route(disputes.TABLE, "Rulings"),
    *rulings.ACTS,
    rulings.list_rulings,
    *corrections.ACTS,
    *conduct.ACTS,
    notes.list_notes,
    notes.erase_words,
)
