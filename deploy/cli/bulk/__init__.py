"""Much work of one kind: batches of records, and the processes that take them."""
