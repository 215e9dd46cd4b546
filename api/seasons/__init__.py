"""Earlier seasons: results of other years and programs."""
