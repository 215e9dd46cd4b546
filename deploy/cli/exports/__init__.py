"""Tables that are written to files."""
