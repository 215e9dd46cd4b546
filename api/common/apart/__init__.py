"""What another process does for readers, so that whoever plays waits for none of it."""
