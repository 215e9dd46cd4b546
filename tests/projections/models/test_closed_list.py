"""The closed list of projections: one that is forgotten at the composition root is found here."""

from importlib import import_module
from pathlib import Path

import projections.models
from deploy.compose import PROJECTIONS
from projections.engine.store import Projection

MODELS = Path(*projections.models.__path__)


def test_every_projection_is_put_together_with_the_service():
    names = [".".join(source.relative_to(MODELS.parents[1]).with_suffix("").parts) for source in MODELS.rglob("*.py")]
    found = {value.name for name in names for value in vars(import_module(name)).values() if isinstance(value, Projection)}
    assert found == {projection.name for projection in PROJECTIONS}
