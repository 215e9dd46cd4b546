"""Media types by the names that handlers and clients use. It imports nothing: a client need not load the web framework for them."""

JSON = "application/json"
NDJSON = "application/x-ndjson"
CSV = "text/csv"
HTML = "text/html"
PARQUET = "application/vnd.apache.parquet"
EVENT_STREAM = "text/event-stream"
