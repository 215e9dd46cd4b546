"""Standings of a tournament, and the difference between two of them."""
