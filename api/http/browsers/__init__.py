"""How browsers come in: by a session behind a cookie, from pages of our own origin only."""
