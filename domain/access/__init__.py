"""Who may see and do what, and where: scopes, grants and the eyes with which a game is looked at."""
