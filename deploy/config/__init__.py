"""Configuration of a service, and errors in one sentence for a terminal."""
