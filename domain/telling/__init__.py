"""Cards that nobody has told the record (section 9 of the common rules): what a game says of them, telling, and asking."""
