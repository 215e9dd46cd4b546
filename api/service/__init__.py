"""For those who run the service or follow it: feed, rulesets, health, numbers, the description of the API."""
