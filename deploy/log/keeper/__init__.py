"""The log writer: what grows the tree, signs checkpoints, and stops where it must not sign."""
