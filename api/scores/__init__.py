"""Score lines of all games, and results and totals of players."""
