"""Several processes that serve at one address: a parent that starts and watches them, and what they say to each other."""
