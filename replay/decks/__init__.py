"""Decks that nobody chose, held against what was given for them."""
