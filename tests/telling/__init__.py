"""The law of unknown cards (COM-77), over every game."""
