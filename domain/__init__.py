"""The domain model: cards, rules, and the history of what happened at the table. It knows no HTTP, no clock and no chance."""
