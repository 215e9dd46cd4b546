"""What commands need that hold a store against checkpoints."""
