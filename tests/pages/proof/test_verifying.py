"""What the page verifies by: the worked examples, the published proofs, and every flaw that the other verifier knows."""

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from tests.pages.conftest import Drawing
from tests.replay.proof.made import verified
from tests.replay.proof.places import FILES, KEYS
from tests.replay.proof.test_making import FULL, FULL_FLAWS, PUBLIC, PUBLIC_FLAWS
from tests.replay.proof.test_single_file import files
from tests.replay.proof.test_tree import CONSISTENCY, INCLUSION, PUBLISHED, Change, Proof

GIVEN = ((FULL, FULL_FLAWS), (PUBLIC, PUBLIC_FLAWS))
REASONS = ("base64", "earlier", "form", "key", "note", "receipt", "signature", "tree")
SCRIPT = (Path(__file__).parent / "verifying.js").read_text(encoding="utf-8")


def in_the_browser(page: Page, **cases: Any) -> dict[str, list[Any]]:
    assets = (page.locator("script[type=module]").first.get_attribute("src") or "").rpartition("/")[0]
    given: dict[str, Any] = {"files": [], "inclusion": [], "consistency": [], "keys": "\n".join(map(str, KEYS)), "assets": assets}
    found: dict[str, list[Any]] = page.evaluate(SCRIPT, {**given, **cases})
    return found


def broken(proofs: list[Proof], changes: dict[str, Change]) -> list[Proof]:
    """Those that are otherwise than what they were made of. JavaScript's whole numbers end at 2^53."""
    made = [(proof, change(proof)) for proof in proofs if proof["proof"] for change in changes.values()]
    return [after for before, after in made if after != before and all(one < 1 << 53 for one in after.values() if isinstance(one, int))]


def test_it_takes_what_is_proven_and_names_what_is_not(drawing: Drawing):
    worked = [json.loads(data) for data in FILES.values()]
    flawed = {f"{given['view']}, {name}": change(given) for given, flaws in GIVEN for name, (change, _) in flaws.items()}
    found = in_the_browser(drawing(), files=[*worked, *flawed.values()])["files"]
    assert found[: len(worked)] == [
        ["kiebitz.example/log/1", 5, 3, "LAb64oYR51kL5FpnuiqUvsh5wwUSPJIKYDzMlzg85us=", None],
        ["kiebitz.example/log/1", 5, 2, "fkPD/+kwVoLynlU0TkxAPagaHdWcG/zdc2qXiubbFb0=", None],
    ]
    judged = dict(zip(flawed, found[len(worked) :], strict=True))
    assert {name: answer for name, answer in judged.items() if answer not in REASONS} == {}


def test_it_says_since_when_a_record_stood(drawing: Drawing):
    sealed = files()[len(FILES)]
    [found] = in_the_browser(drawing(), files=[json.loads(sealed)])["files"]
    assert found[4] == verified(sealed, KEYS)["earlier"] is not None


def test_it_takes_the_published_trees_and_refuses_the_broken_ones(drawing: Drawing):
    paths, others = PUBLISHED["inclusion"], PUBLISHED["consistency"]
    bad_paths, bad_others = broken(paths, INCLUSION), broken(others, CONSISTENCY)
    found = in_the_browser(drawing(), inclusion=[*paths, *bad_paths], consistency=[*others, *bad_others])
    assert found["inclusion"] == [True] * len(paths) + [False] * len(bad_paths)
    assert found["consistency"] == [True] * len(others) + [False] * len(bad_others)


def test_base64_has_one_spelling_there_too(drawing: Drawing):
    assert in_the_browser(drawing())["spelled"] == [1, "base64", "base64", "base64"]
