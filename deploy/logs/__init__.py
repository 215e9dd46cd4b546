"""The log: how its lines look, and the line that a request leaves where that is wanted."""
