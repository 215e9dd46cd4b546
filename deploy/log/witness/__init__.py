"""A witness: a process of its own that cosigns the checkpoints of logs."""
