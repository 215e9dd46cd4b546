"""Export of lists as tables: columns that are described once, and files of their rows."""
