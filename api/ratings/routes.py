"""The routes of this wing; ``api/app.py`` joins them."""

from api.common.tables.columns import columns_route
from api.http.operations import handlers_in
from api.ratings import rating_lists, rating_steps
from api.ratings.rating_lists import RATINGS
from api.ratings.rating_steps import STEPS

ROUTES = (*handlers_in(rating_lists, rating_steps), columns_route(RATINGS, "Ratings"), columns_route(STEPS, "Ratings"))
