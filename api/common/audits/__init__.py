"""Audits of what lies in the store, and what is answered of them."""
