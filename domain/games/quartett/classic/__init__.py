"""Classic Quartett: asking for cards, and laying down quartets."""
