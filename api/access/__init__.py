"""Access tokens, and the identity of the caller."""
