"""The routes of this wing, as ``api/app.py`` joins them."""

from api.rulings import case_book, conduct, corrections, disputes, notes, rulings

ROUTES = (
    *disputes.ACTS,
    disputes.list_disputes,
    *rulings.ACTS,
    case_book.list_rulings,
    *corrections.ACTS,
    *conduct.ACTS,
    notes.list_notes,
    notes.erase_words,
)
