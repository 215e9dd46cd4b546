"""The story that the examples of the API tell: sent to a service of a fixed clock, with fixed ids and shuffles, and written down."""
