"""Games at the table: opening, dealing, playing, and every read of one game."""
