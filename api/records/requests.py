"""The parameters under which a record goes out."""

from typing import Annotated

from msgspec import Meta

from api.http.fields import Incoming


class RecordQuery(Incoming, frozen=True, kw_only=True):
    """What goes into the record; all but the moves is for officials."""

    full: Annotated[bool, Meta(description="with every stored event, void ones included; for officials")] = False
    texts: Annotated[bool, Meta(description="beside `full=true`: with the claims, reasons and notes that people wrote")] = False
