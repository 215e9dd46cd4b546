"""Tournaments: pairings, results and standings. Games are recorded as games; here their results count."""
