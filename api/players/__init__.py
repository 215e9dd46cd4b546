"""The directory of players, and the clubs."""
