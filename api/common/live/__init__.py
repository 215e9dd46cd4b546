"""Following: who waits for what is committed, and is told it as he may see it."""
