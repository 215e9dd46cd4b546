"""The time of the machine."""

from datetime import UTC, datetime
from functools import partial

now = partial(datetime.now, UTC)
