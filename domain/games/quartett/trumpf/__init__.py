"""The Trumpfspiel: whoever shows the best value of a category wins the cards."""
