"""Demo data: an evening with a table of every game, recorded through the API as at a club."""
