"""Several processes that serve at one address: their parent, and the messages between them."""
