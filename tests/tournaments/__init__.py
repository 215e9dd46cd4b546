"""Random tournaments over HTTP, in which every act of directors, recorders and arbiters occurs, and the laws that hold after each."""
