"""The routes of this wing, as ``api/app.py`` joins them."""

from litestar.handlers import HTTPRouteHandler

from api.rulings import case_book, conduct, corrections, disputes, notes, rulings

ROUTES: tuple[HTTPRouteHandler, ...] = (
    disputes.raise_dispute,
    disputes.list_disputes,
    disputes.appeal,
    disputes.withdraw,
    rulings.rule_on_dispute,
    rulings.rule,
    case_book.list_rulings,
    corrections.rectify,
    corrections.let_stand,
    corrections.adjust,
    conduct.suspend,
    conduct.resume,
    conduct.abandon,
    conduct.annul,
    conduct.add_note,
    notes.list_notes,
    notes.erase_words,
    conduct.seat_player,
)
