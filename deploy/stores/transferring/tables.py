"""The tables of a store, as a closed list: a test holds it against the migrations, so that none is forgotten."""

from typing import NamedTuple

EVENTS = "events"
EPOCHS = "epochs"
REGISTERS = (
    EPOCHS,
    "tokens",
    "join_codes",
    "sessions",
    "commands",
    "texts",
    "people",
    "refs",
    "origins",
    "prepared_boards",
    "shuffle_secrets",
    "looks",
    "walls",
    "webhooks",
    "webhook_deliveries",
    "snapshots",
    "log_epochs",
    "log_keys",
    "log_entries",
    "log_blinding",
)
MARK = "kiebitz_transfer"
"""Is in a store for as long as a transfer fills it, and holds the epoch that it comes from."""
LOCAL = {EPOCHS: frozenset({"place"})}
"""What says where a store lies, and not what it holds."""

_OTHERS = ("_yoyo_", "yoyo_", "product_versions", "sqlite_")  # of the migrating, which each database has of its own, and of SQLite


class Table(NamedTuple):
    """A table as a database has it: its columns in the order of their names, and those of its primary key."""

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]


def is_of_others(name: str) -> bool:
    """Whether a table holds nothing that was recorded, but what we use."""
    return name.startswith(_OTHERS)
