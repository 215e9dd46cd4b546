"""The routes of this wing; ``api/app.py`` joins them."""

from api.common.notes import SERIES_NOTES
from api.common.stream_audits import SERIES_AUDIT
from api.http.operations import handlers_in
from api.series import commands, lists, series_commands, standings

ROUTES = (*handlers_in(commands, series_commands, lists, standings), SERIES_AUDIT, *SERIES_NOTES)
