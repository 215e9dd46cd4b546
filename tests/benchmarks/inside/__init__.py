"""What a move costs inside the process that serves."""
