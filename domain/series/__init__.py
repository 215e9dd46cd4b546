"""Series of tournaments with one table."""
