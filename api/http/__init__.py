"""HTTP itself: requests in, responses out, problems, and the description of the API. It knows no resource."""
