"""The REST API: a wing for each resource, and one for the wire."""
