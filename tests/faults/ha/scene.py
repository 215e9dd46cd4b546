"""The primary of a cluster is killed, frozen, switched over and cut off while a hall plays on: nothing acknowledged is lost or doubled."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import httpx
import msgspec
import psycopg
from msgspec import Struct

from tests.deploy.serving import done, run
from tests.faults.following import compared
from tests.faults.ha import network
from tests.faults.ha.cluster import PATIENCE, Cluster, missing, running
from tests.faults.ha.faults import WORST, Fault, Kind, Plan, fault_of
from tests.faults.ha.hall import Hall
from tests.faults.killing import Instance, lost_or_doubled
from tests.faults.scene import Finding, caller, counted, percentile, traced

TABLES = 4
CALM = 4.0  # seconds of undisturbed play before each fault


class Seen(Struct, frozen=True):
    """``pause``: the longest of a table. ``whole``: until there were as many machines as before."""

    kind: Kind
    pause: float
    whole: float


def findings(plan: Plan) -> Iterator[Finding]:
    """In namespaces of its own, where that is possible: what it starts touches nothing else, and nothing of it is left."""
    if away := missing():
        yield Finding("it cannot be tried here", f"not installed (see deploy/ha/README.md): {', '.join(away)}", False)
        return
    command = [sys.executable, "-m", "tests.faults.ha.scene", msgspec.json.encode(plan).decode()]
    if network.is_possible():
        command = network.apart(command)
    else:
        yield Finding("cut off", "not tried: namespaces of the network take root")
    with subprocess.Popen(command, stdout=subprocess.PIPE) as scene:
        assert scene.stdout
        try:
            for line in scene.stdout:
                yield msgspec.json.decode(line, type=Finding)
        finally:
            scene.terminate()
    if scene.returncode:
        yield Finding("the scene ended early", f"exit code {scene.returncode}", False)


def _findings(plan: Plan) -> Iterator[Finding]:
    """To be called in namespaces of one's own, where they are possible."""
    with ExitStack() as stack:
        machines = stack.enter_context(network.machines())
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="kiebitz-ha-")))
        scratch.chmod(0o711)  # root lends the cluster another account
        folder = Path(plan.folder) if plan.folder else scratch / "machines"
        folder.mkdir(exist_ok=True)
        begin = time.monotonic()
        cluster = stack.enter_context(running(machines, folder))
        services = [Instance(stack, ["--database-url", cluster.database_url, "--migrate"]) for _ in range(2)]
        yield Finding("cluster and services are up after", f"{time.monotonic() - begin:.0f} s")
        yield from _played(plan, cluster, services)
        yield from _at_the_end(cluster)


def _played(plan: Plan, cluster: Cluster, services: Sequence[Instance]) -> Iterator[Finding]:
    token = next(filter(None, (one.token for one in services)))
    with caller(services[0].url, token) as client:
        viewer = str(done(client.post("/v1/tokens", json={"role": "viewer", "label": "v", "scope": "everything"}))["secret"])
    hall = Hall([one.url for one in services], token, viewer, TABLES)
    seen = []
    for number, kind in enumerate(plan.kinds(network.is_possible())):
        time.sleep(CALM)
        seen.append(_through(kind, fault_of(kind, cluster, services, number), cluster, hall))
        print(f"  {number + 1}: {kind}, pause {seen[-1].pause:.1f} s, whole after {seen[-1].whole:.1f} s", file=sys.stderr, flush=True)  # noqa: T201
    time.sleep(CALM)
    ledgers = hall.close()
    yield from _told_of(seen)
    yield from lost_or_doubled("tables", hall.urls[1], token, ledgers)
    yield from compared("listeners", hall.urls[0], token, ledgers, hall.listeners)
    yield from _feed(cluster, hall)
    for one in services:
        one.end()
    yield from traced([trace for one in services for trace in one.traces])


def _through(kind: Kind, fault: Fault, cluster: Cluster, hall: Hall) -> Seen:
    before, begin = cluster.primary(), time.monotonic()
    fault.happen()
    if not fault.leads_on:
        cluster.until(lambda: cluster.primary() not in (None, before))
    hall.wait_for_all(PATIENCE)
    undone = time.monotonic()
    fault.undo()
    cluster.until(lambda: cluster.is_whole() and all(_is_ready(url, hall.token) for url in hall.urls))
    end = time.monotonic()
    return Seen(kind, max(table.longest_pause(begin, end) for table in hall.tables), end - (undone if kind != "switched" else begin))


def _is_ready(url: str, token: str) -> bool:
    """The service records, and its projections are up. The log stands still until somebody forks it: the new primary is another copy."""
    try:
        told = httpx.get(f"{url}/health/ready", headers={"Authorization": f"Bearer {token}"}, timeout=5).json()
    except httpx.HTTPError:
        return False
    return told["status"] in ("ready", "degraded") and all(one["error"] is None for one in told["projections"])


def _told_of(seen: Sequence[Seen]) -> Iterator[Finding]:
    for kind in dict.fromkeys(one.kind for one in seen):
        pauses = sorted(one.pause for one in seen if one.kind == kind)
        worst, limit = percentile(pauses, 0.95), WORST.get(kind)
        whole = max(one.whole for one in seen if one.kind == kind)
        text = f"{len(pauses)} ×, median {percentile(pauses, 0.5):.1f} s, p95 {worst:.1f} s; whole again after {whole:.0f} s at most"
        yield Finding(f"{kind}: pause", text, None if limit is None else worst < limit)


def _feed(cluster: Cluster, hall: Hall) -> Iterator[Finding]:
    with psycopg.connect(cluster.database_url) as db:
        recorded = [sequence for (sequence,) in db.execute("SELECT sequence FROM events ORDER BY sequence")]
    for how, told in hall.sequences().items():
        wrong = set(told) ^ set(recorded)
        yield counted(f"feed by {how}: entries too many or too few", len(wrong) or int(told != recorded), len(recorded))
        if wrong:
            yield Finding(f"feed by {how}: told and not recorded, recorded and not told", f"{wrong & {*told}}, {wrong & {*recorded}}"[:200])
    yield Finding("followers of the feed who were sent back", f"{len(hall.feed.follower.sent_back)}, {hall.feed_listener.sent_back}")


def _at_the_end(cluster: Cluster) -> Iterator[Finding]:
    for command in (("audit", "--all"), ("projections", "verify")):
        finished = run(*command, "--database-url", cluster.database_url)
        last = (finished.stdout.strip().splitlines() or [finished.stderr.strip()])[-1]
        yield Finding(f"kiebitz {' '.join(command)}", last[:60], finished.returncode == 0)
    digests = {_digest(cluster.url_at(machine)) for machine in cluster.machines}
    yield Finding("all machines hold the same events", ", ".join(sorted(digests))[:60], len(digests) == 1)


def _digest(url: str) -> str:
    with psycopg.connect(url) as db:
        [(digest,)] = db.execute("SELECT md5(string_agg(sequence || ':' || md5(state), ',' ORDER BY sequence)) FROM events").fetchall()
    return str(digest)


def main() -> None:
    """Findings as lines of JSON; the plan is the argument."""
    for finding in _findings(msgspec.json.decode(sys.argv[1], type=Plan)):
        print(msgspec.json.encode(finding).decode(), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
