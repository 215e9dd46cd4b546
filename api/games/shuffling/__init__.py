"""Decks that nobody chose: beginning, what devices and dice give, and how far it is (docs/fair-decks.md)."""
