"""Processes beside the server and their shared parts: lines of communication, locks, backups, exports."""
