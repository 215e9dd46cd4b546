"""Games at the table: opening, dealing, playing, and all that is read of one game."""
