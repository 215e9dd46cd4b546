"""Standings of a tournament, and what lies between two of them."""
