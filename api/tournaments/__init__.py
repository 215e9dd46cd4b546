"""Tournaments: announcing, entries, rounds, games of the tables, results, seating."""
