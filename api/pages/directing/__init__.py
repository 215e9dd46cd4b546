"""Parts of a director's pages: the fields of forms, and the steps of an evening."""
