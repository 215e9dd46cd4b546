"""Processes beside the server, and what they share: lines, locks, backups, exports."""
