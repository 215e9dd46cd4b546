"""The routes of this wing; ``api/app.py`` joins them."""

from api.http.operations import handlers_in
from api.log import checkpoints, proofs

ROUTES = handlers_in(checkpoints, proofs)
