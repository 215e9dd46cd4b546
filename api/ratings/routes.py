"""The routes of this wing; ``api/app.py`` joins them."""

from api.http.operations import handlers_in
from api.ratings import rating_lists, rating_steps

ROUTES = handlers_in(rating_lists, rating_steps)
