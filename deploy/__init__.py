"""Configuration, composition root, server processes, databases and command line of a Kiebitz service."""
