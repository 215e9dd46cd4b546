"""Endpoints for operators and followers: feed, rulesets, health, metrics, the description of the API."""
