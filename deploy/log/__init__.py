"""Transparency log of everything recorded: its writer, which signs it, and its witnesses."""
