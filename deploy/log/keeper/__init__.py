"""The keeper of the log: what grows the tree, signs checkpoints, and stops where it must not sign."""
