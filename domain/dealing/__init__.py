"""How hands come to be dealt that nobody chose."""
