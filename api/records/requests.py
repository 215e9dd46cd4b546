"""What may be asked of a record."""

from api.http.fields import Incoming


class RecordQuery(Incoming, frozen=True, kw_only=True):
    """``texts``: with the words of people, in a full record."""

    full: bool = False
    texts: bool = False
