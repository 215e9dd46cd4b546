"""The newest checkpoint of the log on paper: whoever keeps the sheet can hold it against the log for ever (docs/proof.md)."""
