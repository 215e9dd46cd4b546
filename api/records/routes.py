"""The routes of this wing, as ``api/app.py`` joins them."""

from litestar.handlers import HTTPRouteHandler

from api.records import records

ROUTES: tuple[HTTPRouteHandler, ...] = (
    records.read_record,
    records.import_records,
    records.record_schema,
)
