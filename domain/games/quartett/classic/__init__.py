"""Classic Quartett: whoever asks well lays down the most quartets."""
