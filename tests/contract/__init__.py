"""The contract: the description held by tools that others wrote, and the service asked what it allows and forbids."""
