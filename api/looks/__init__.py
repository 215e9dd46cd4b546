"""Who looked at hidden cards."""
