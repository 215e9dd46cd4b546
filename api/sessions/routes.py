"""The routes of this wing, as ``api/app.py`` joins them."""

from api.sessions import codes, sessions, signing_in

ROUTES = (
    signing_in.sign_in_page,
    signing_in.sign_in,
    signing_in.sign_out,
    *codes.ACTS,
    codes.list_codes,
    sessions.list_sessions,
    sessions.end_session,
)
