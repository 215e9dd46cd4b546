"""The wing of ratings: lists of a ruleset, and the course of each player's rating."""
