"""Acts of officials in a game: disputes, rulings, corrections, notes; and the case book."""
