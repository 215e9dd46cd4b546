"""Command `kiebitz import`: imports games from records, and results from lists, into the journal."""
