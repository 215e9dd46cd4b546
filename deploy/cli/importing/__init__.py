"""`kiebitz import`: games from files, and results from lists, into the journal."""
