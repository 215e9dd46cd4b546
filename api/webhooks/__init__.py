"""Webhooks: where news is sent to, and the sending."""
