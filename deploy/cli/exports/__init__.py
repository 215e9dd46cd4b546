"""Commands that export tables to files."""
