"""The Trumpfspiel: the best value of a category wins the cards."""
