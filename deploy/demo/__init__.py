"""A Casino evening at four tables, recorded through the API as it would be at a club: what the service looks like in use."""
