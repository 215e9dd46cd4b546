"""What the pages of a director are made of: the fields of forms, and the steps of an evening."""
