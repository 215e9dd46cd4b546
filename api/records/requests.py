"""The parameters under which a record goes out, and those under which records come in."""

from typing import Annotated, TypeAlias

from msgspec import Meta

from api.http.fields import DryRunOnly, Incoming, Number

Copy: TypeAlias = Annotated[
    Number, Meta(description="which of the equal records of its file the first one here is: for who sends a file in several requests")
]


class RecordQuery(Incoming, frozen=True, kw_only=True):
    """What goes into the record; all but the moves is for officials."""

    full: Annotated[bool, Meta(description="with every stored event, void ones included; for officials")] = False
    texts: Annotated[bool, Meta(description="beside `full=true`: with the claims, reasons and notes that people wrote")] = False


class ImportQuery(Incoming, frozen=True, kw_only=True):
    dry_run: DryRunOnly = False
    copy: Copy = 1
