"""When the hidden cards of a game are shown to everybody."""
