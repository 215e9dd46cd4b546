"""The law of the notation: what is written is read as the same move; and what a move costs in keys."""
