"""Players in the directory who are called by their ids, so that a test can read on a page who is meant."""

from collections.abc import Iterable

import httpx

from tests.deploy.serving import done


def registered(client: httpx.Client, *ids: str) -> Iterable[str]:
    """The ids, after whoever of them is new was registered with the id for name and alias."""
    if not ids:
        return ids
    lines = "".join(f"{id},{id},{id}\n" for id in ids)
    done(client.post("/v1/players", content=f"id,name,alias\n{lines}", headers={"Content-Type": "text/csv"}))
    return ids
