"""Backups of the embedded store: at intervals while the service runs, and before an upgrade."""
