"""Command line of Kiebitz, a module for each group of commands. A command parses, calls and prints."""
