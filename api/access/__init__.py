"""Access: tokens, and who the caller is."""
