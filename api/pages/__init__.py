"""Pages to look at: each shows to its reader what the API tells him."""
