"""Portable records: games out, and games in."""
