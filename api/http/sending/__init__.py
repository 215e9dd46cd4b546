"""What goes with every answer, whoever made it: its id, what is left of a limit, who else may read it, and how it is packed."""
