"""A proof file says since when its record stood, where a checkpoint behind it was kept."""

import json
import re
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest

from deploy.log.writer.epochs import rotate
from deploy.log.writer.key_files import log_files, make_next_key, open_signed_file, read_seed, replace_key
from deploy.stores.opening import open_cosignatures
from replay.proof import single_file
from replay.proof.checkpoints import Checkpoint, Signer, keep_own_signatures, read_checkpoint, sign
from replay.proof.witnesses import Standing
from tests.api.log.conftest import Logged
from tests.api.log.test_proofs import played, proven, refused, seat
from tests.deploy.log.writer.logged_store import BEGAN
from tests.kept_log import LOG_SEED, ORIGIN
from tests.replay.proof.made import MOMENT, verified
from tests.replay.proof.places import WITNESS


def printed(logged: Logged, game: str) -> Checkpoint:
    """Somebody prints the sheet of the game, with the newest checkpoint."""
    answer = logged.caller("arbiter").get(f"/v1/games/{game}/score-sheet?format=html&checkpoint=true")
    assert answer.status_code == 200
    return read_checkpoint(logged.caller(None).get("/v1/log/checkpoint").text)


def since(proof: dict[str, Any]) -> tuple[int | None, bool]:
    return proof["earlier"], proof["stood"] is not None


def cosigned(logged: Logged, moment: int) -> None:
    """The witness signs the newest checkpoint."""
    log = logged.service.services.log
    head = log.tree.head() if log else None
    assert head is not None
    note = keep_own_signatures(head.note or "")
    with closing(open_cosignatures(logged.settings.log_url)) as cosignatures:
        standing = Standing(str(WITNESS.key), 1, head.signed, moment)
        cosignatures.record_cosignature(standing, note, WITNESS.line(read_checkpoint(note).text, moment))


def test_it_is_the_first_that_was_printed_behind_the_last_event(new_logged: Logged):
    first = played(new_logged)
    early = printed(new_logged, first)
    second, arbiter = played(new_logged), new_logged.caller("arbiter")
    assert since(proven(new_logged, arbiter, first)) == (early.size, True)
    assert since(proven(new_logged, arbiter, second)) == (None, False)
    late = printed(new_logged, second)
    assert since(proven(new_logged, arbiter, second)) == (None, False)  # it is the newest
    played(new_logged)
    assert [since(proven(new_logged, arbiter, game)) for game in (first, second)] == [(early.size, True), (late.size, True)]


def test_every_view_is_told_so_and_an_earlier_position_by_itself(new_logged: Logged):
    game = played(new_logged)
    early = printed(new_logged, game)
    assert new_logged.caller("recorder").trail(game, 1, "KD").status_code == 201
    new_logged.sign()
    for caller in (new_logged.caller("arbiter"), seat(new_logged, game, 0), new_logged.caller("viewer")):
        assert since(proven(new_logged, caller, game)) == (None, False)  # the last move came behind it
        assert since(proven(new_logged, caller, game, "?position=3")) == (early.size, True)


def test_what_a_witness_signed_is_kept_and_told_with_its_moment(new_logged: Logged):
    game, name = played(new_logged), WITNESS.key.name
    cosigned(new_logged, MOMENT)
    played(new_logged)
    cosigned(new_logged, MOMENT + 60)
    data = new_logged.caller("arbiter").get(f"/v1/games/{game}/proof").content
    found = verified(data, [*new_logged.known_keys(), WITNESS.key])
    assert (found["witnesses"], found["since"], since(found)) == ({name: MOMENT + 60}, {name: MOMENT}, (3, True))


def test_where_another_key_signs_since_it_is_left_out(new_logged: Logged):
    """Who has only the new one could not verify the file."""
    game, settings, log = played(new_logged), new_logged.settings, new_logged.service.services.log
    assert log is not None
    printed(new_logged, game)
    file = log_files(settings).key
    new = make_next_key(file, ORIGIN)
    rotate(log.register, log.tree, open_signed_file(settings), Signer(ORIGIN, LOG_SEED), new, BEGAN)
    replace_key(file)
    played(new_logged)
    assert read_seed(file) != LOG_SEED
    assert since(proven(new_logged, new_logged.caller("arbiter"), game)) == (None, False)


def test_a_checkpoint_that_was_kept_and_is_of_another_tree_is_told_and_not_passed_over(new_logged: Logged):
    game, log = played(new_logged), new_logged.service.services.log
    assert log is not None
    other = sign(Checkpoint(ORIGIN, 4, bytes(32)).text, Signer(ORIGIN, LOG_SEED))
    log.kept.keep(1, 4, other)
    played(new_logged)
    assert refused(new_logged.caller("arbiter"), game) == (500, "corrupt")


@pytest.mark.parametrize(
    "change",
    [
        lambda earlier: earlier.update(path=earlier["path"][:-1]),
        lambda earlier: earlier.update(path=[*earlier["path"][:-1], earlier["path"][0]]),
        lambda earlier: earlier.update(checkpoint=re.sub("\n[0-9]+\n", "\n2\n", earlier["checkpoint"], count=1)),
        lambda earlier: earlier.update(checkpoint=sign(Checkpoint(ORIGIN, 3, bytes(32)).text, Signer(ORIGIN, LOG_SEED))),
        lambda earlier: earlier.update(checkpoint=sign(Checkpoint(ORIGIN, 3, bytes(32)).text, Signer(ORIGIN, bytes(32)))),
        lambda earlier: earlier.pop("path"),
    ],
    ids=["a shorter path", "another path", "another size", "another root, signed", "another key", "no path"],
)
def test_one_that_somebody_changed_is_refused(logged: Logged, change: Callable[[dict[str, Any]], object]):
    game, recorder = played(logged), logged.caller("recorder")
    printed(logged, game)
    assert recorder.trail(game, 1, "KD").status_code == 201
    logged.sign()
    file = json.loads(logged.caller("arbiter").get(f"/v1/games/{game}/proof?position=3").content)
    assert file["earlier"]["path"] != []
    change(file["earlier"])
    data = json.dumps(file).encode()
    with pytest.raises(single_file.VerificationError):
        single_file.verify(data, [single_file.read_key(str(key)) for key in logged.known_keys()])
