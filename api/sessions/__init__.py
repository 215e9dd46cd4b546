"""Signing in: sessions of browsers, and the codes by which they come in."""
