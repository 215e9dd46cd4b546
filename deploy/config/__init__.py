"""What can be set, and what goes wrong, in one sentence."""
