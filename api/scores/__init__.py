"""Score lines of all games, and what they come to for a player."""
