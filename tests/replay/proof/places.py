"""Where the vectors lie, and the keys of the worked examples."""

import json
from pathlib import Path
from typing import Any

from replay.proof.checkpoints import COSIGNATURE, Signer, read_key

VECTORS = Path(__file__).parent / "vectors"

LOG = Signer("kiebitz.example/log/1", b"\1" * 32)
TOLD = Signer("kiebitz.example/log/1/told", b"\2" * 32)
WITNESS = Signer("witness.example/w1", b"\3" * 32, COSIGNATURE)
KEYS = (LOG.key, TOLD.key, WITNESS.key)


def vectors(name: str) -> Any:
    return json.loads((VECTORS / name).read_text(encoding="utf-8"))


WORKED = vectors("proof-vectors.json")
BLINDING = bytes.fromhex(WORKED["blinding_key"])
GIVEN = tuple(read_key(key) for key in WORKED["keys"].values())
FILES: dict[str, bytes] = {name: json.dumps(WORKED["2_files"][name], ensure_ascii=False).encode() for name in ("full", "public_up_to_2")}
