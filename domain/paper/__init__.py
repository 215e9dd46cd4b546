"""The score sheet as paper: its digest, who signed it and what changed after, and a sheet that was written by hand beside it."""
