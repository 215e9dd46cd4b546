"""The routes of this wing, as ``api/app.py`` joins them."""

from api.common.tables.schemas import columns_route
from api.rulings import case_book, conduct, corrections, dispute_list, disputes, notes, rulings

ROUTES = (
    *disputes.ACTS,
    disputes.list_disputes,
    dispute_list.list_all_disputes,
    columns_route(dispute_list.TABLE, "Rulings"),
    *rulings.ACTS,
    case_book.list_rulings,
    *corrections.ACTS,
    *conduct.ACTS,
    notes.list_notes,
    notes.erase_words,
)
