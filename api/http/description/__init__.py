"""The OpenAPI document, and the sources of its parts."""
