"""The routes of this wing; ``api/app.py`` joins them."""

from api.common.stream_audits import RATINGS_AUDIT
from api.http.operations import handlers_in
from api.ratings import published_lists, rating_lists, rating_steps

ROUTES = (*handlers_in(rating_lists, published_lists, rating_steps), RATINGS_AUDIT)
