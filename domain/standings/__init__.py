"""Standings, computed from the outcomes of tables. Pure and exact, in fractions; knows neither events nor the tournament aggregate."""
