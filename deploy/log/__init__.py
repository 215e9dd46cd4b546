"""The log of what was recorded: who writes and signs it, and who witnesses it."""
