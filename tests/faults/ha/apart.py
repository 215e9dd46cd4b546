"""Runs the scene in namespaces of its own, where that is possible: what it starts touches nothing else, and nothing of it is left."""

import subprocess
import sys
from collections.abc import Iterator

import msgspec

from deploy.config.failures import Failure
from deploy.ha.programs import found, install, lent_account
from tests.faults.ha import network
from tests.faults.ha.plan import Plan
from tests.faults.scene import Finding


def findings(plan: Plan) -> Iterator[Finding]:
    try:
        if lent_account():
            install()
        found()
    except Failure as failure:
        yield Finding("it cannot be tried here", str(failure), False)
        return
    if not network.is_possible():
        yield Finding("cut off", "not tried: namespaces of the network take root")
    yield from _told(plan)


def _told(plan: Plan) -> Iterator[Finding]:
    command = [sys.executable, "-m", "tests.faults.ha.scene", msgspec.json.encode(plan).decode()]
    if network.is_possible():
        command = network.apart(command)
    with subprocess.Popen(command, stdout=subprocess.PIPE) as scene:
        assert scene.stdout
        try:
            for line in scene.stdout:
                yield msgspec.json.decode(line, type=Finding)
        finally:
            scene.terminate()
    if scene.returncode:
        yield Finding("the scene ended early", f"exit code {scene.returncode}", False)
