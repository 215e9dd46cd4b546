"""The OpenAPI document: what it says, and where each part of it comes from."""
