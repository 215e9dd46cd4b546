"""The parameters under which a record goes out."""

from api.http.fields import Incoming


class RecordQuery(Incoming, frozen=True, kw_only=True):
    """``texts``: a full record with the claims, reasons and notes that people wrote."""

    full: bool = False
    texts: bool = False
