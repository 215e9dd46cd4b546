"""HTML pages for people: each shows its reader what the API returns to them."""
