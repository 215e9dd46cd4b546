"""Decks that nobody chose: what is committed to, and the deck that follows from it (docs/fair-decks.md)."""
