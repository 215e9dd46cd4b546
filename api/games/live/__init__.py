"""A game as it goes on."""
