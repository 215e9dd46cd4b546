"""The routes of this wing, as ``api/app.py`` joins them."""

from api.looks import looks

ROUTES = (looks.list_looks, looks.list_tournament_looks)
