"""Cards, rules, history: what happened at the table. Knows no HTTP, no clock and no chance."""
