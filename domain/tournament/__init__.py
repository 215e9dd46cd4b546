"""Tournaments: who meets whom, what came of it, and where everybody stands. Games are recorded as games; here their results count."""
