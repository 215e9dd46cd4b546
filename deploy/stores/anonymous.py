"""What the migrating library writes into its log."""

from datetime import UTC, datetime
from typing import Any
from uuid import uuid4


class Anonymous:
    """A part of its backends. Else it would name the machine and its user, which is nobody's business and fails where he has no name."""

    def get_log_data(self, migration: Any = None, operation: str = "apply") -> dict[str, Any]:
        ids = {"migration_id": migration and migration.id, "migration_hash": migration and migration.hash}
        when = datetime.now(UTC).replace(tzinfo=None)
        return {"id": str(uuid4()), **ids, "username": "", "hostname": "", "created_at_utc": when, "operation": operation}
