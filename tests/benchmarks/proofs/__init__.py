"""What the log costs: its tree and its files, and a move beside one that nobody enters in a log."""
