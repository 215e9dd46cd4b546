"""The house put together: settings, the composition root, the server and the command line."""
