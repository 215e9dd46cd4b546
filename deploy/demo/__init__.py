"""An evening with a table of every game, recorded through the API as it would be at a club: what the service looks like in use."""
