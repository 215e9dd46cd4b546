"""What a replay is asked for, and what its frames are folded on."""
