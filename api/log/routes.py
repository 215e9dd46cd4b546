"""The routes of this wing, as ``api/app.py`` joins them."""

from api.log import checkpoints, proofs, tiles

ROUTES = (
    checkpoints.read_checkpoint,
    checkpoints.read_keys,
    checkpoints.read_consistency,
    tiles.read_tile,
    tiles.read_entries,
    proofs.read_proof,
)
