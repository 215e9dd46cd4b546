"""Access of browsers: sessions by cookie, and requests from pages of our own origin only."""
