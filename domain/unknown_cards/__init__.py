"""Unknown cards, which the record does not know (section 9 of the common rules): a game's rules for them, telling, and asking."""
