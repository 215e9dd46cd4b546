"""The routes of this wing; ``api/app.py`` joins them."""

from api.http.operations import handlers_in
from api.sessions import codes, sessions, signing_in

ROUTES = handlers_in(codes, sessions, signing_in)
