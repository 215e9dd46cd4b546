"""Webhooks: their registration, and the sending of messages."""
