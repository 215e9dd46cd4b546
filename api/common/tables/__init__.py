"""Tables to take home: columns that are described once, and the files that are made of their rows."""
