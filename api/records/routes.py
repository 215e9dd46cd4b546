"""The routes of this wing, as ``api/app.py`` joins them."""

from api.records import records

ROUTES = (records.read_record, records.import_records, records.erase_meta, records.record_schema)
