"""Portable records: export of games, and import of games."""
