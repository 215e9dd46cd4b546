"""Clock: the current time in UTC."""

from datetime import UTC, datetime
from functools import partial

now = partial(datetime.now, UTC)
