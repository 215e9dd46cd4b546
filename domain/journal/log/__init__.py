"""What of the log lies in the store with the events."""
