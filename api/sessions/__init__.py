"""Sign-in: sessions of browsers, and join codes."""
