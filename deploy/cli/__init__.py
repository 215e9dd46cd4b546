"""The commands, a file for each group of them. A command parses, calls and prints."""
