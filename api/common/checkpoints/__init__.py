"""The newest checkpoint of the log on paper: anyone can verify the log against the printed sheet later (docs/proof.md)."""
