"""The parameters under which a record goes out, and those under which records come in."""

from typing import Annotated, TypeAlias

from msgspec import Meta

from api.http.fields import Incoming, Number

Copy: TypeAlias = Annotated[
    Number, Meta(description="which of the equal records of its file the first one here is: for who sends a file in several requests")
]


class RecordQuery(Incoming, frozen=True, kw_only=True):
    """``texts``: a full record with the claims, reasons and notes that people wrote."""

    full: bool = False
    texts: bool = False


class ImportQuery(Incoming, frozen=True, kw_only=True):
    dry_run: bool = False
    copy: Copy = 1
