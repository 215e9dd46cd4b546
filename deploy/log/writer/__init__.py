"""Log writer: grows and signs the tree of the log, and stops where signing would contradict an earlier signature."""
