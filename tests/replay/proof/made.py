"""Games at random, in a log of their own: what proof files are made of in tests."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from domain.events import Recorded
from domain.games import RULESETS
from domain.sight import Who
from replay.past import GamePast
from replay.proof import single_file
from replay.proof.checkpoints import Checkpoint, VerifierKey, sign
from replay.proof.making import Otherwise, Place, ProofFile, find_differences, record_of, view_of
from replay.proof.tiles import build_tree_reader, grow_tiles
from replay.proof.tree import ZEROS, commitment_to, consistency_path, head_of, inclusion_path, mark_of, root_of, salt_of
from tests.domain.games.setups import TRIED
from tests.projections.histories import NOTHING
from tests.replay.disputed import Disputed
from tests.replay.proof.places import BLINDING, LOG, TOLD, WITNESS

MOMENT = 1795305600


class Log:
    """Entries of streams, one after the other; it signs whatever it is asked to."""

    def __init__(self) -> None:
        self._tiles: dict[tuple[int, int], bytes] = {}
        self._marks: dict[object, bytes] = {}
        self.size = 0
        self.subtrees = build_tree_reader(self._read)

    def _read(self, level: int, index: int) -> bytes:
        return self._tiles[level, index]

    def add(self, *events: Recorded) -> int:
        """The leaf of the last of them."""
        marks = [self._mark(recorded) for recorded in events]
        self._tiles.update({(tile.level, tile.index): hashes for tile, hashes in grow_tiles(self._read, self.size, marks)})
        self.size += len(marks)
        return self.size - 1

    def _mark(self, recorded: Recorded) -> bytes:
        stream, position = recorded.stream, recorded.position
        head, salt = head_of(stream, position, recorded.name), salt_of(BLINDING, stream, position)
        commitment = commitment_to(salt, head, recorded.state)
        self._marks[stream] = mark_of(stream, position, self._marks.get(stream, ZEROS), commitment)
        return self._marks[stream]

    def mark_at(self, leaf: int) -> bytes:
        return self.subtrees(0, leaf)

    def checkpoint(self, size: int | None = None, *, witnessed: bool = False) -> str:
        upto = self.size if size is None else size
        text = Checkpoint(LOG.key.name, upto, root_of(self.subtrees, 0, upto)).text
        return sign(text, LOG) + (WITNESS.line(text, MOMENT) if witnessed else "")

    def place(self, leaf: int, earlier: int | None = None, *, witnessed: bool = False) -> Place:
        since = earlier and (self.checkpoint(earlier), consistency_path(self.subtrees, earlier, self.size))
        return Place(self.checkpoint(witnessed=witnessed), leaf, inclusion_path(self.subtrees, leaf, self.size), since or None)


def played(ruleset: str, length: int = 60, seed: str = "proof") -> Disputed:
    """A game at random, with all that officials may do in it."""
    set_up = TRIED[ruleset]().set_ups[0]
    return Disputed(RULESETS[ruleset], set_up, seed, "game_over").play(length)


def record(log: Log, history: Sequence[Recorded], leaf: int, earlier: int | None = None, *, witnessed: bool = False) -> ProofFile:
    return record_of(history, lambda _: BLINDING, log.place(leaf, earlier, witnessed=witnessed))


def view(log: Log, game: Disputed, who: Who, leaf: int, upto: int | None = None) -> ProofFile:
    """As it is told and signed; what the game has opened by now stands there as it is stored."""
    history, name = game.history[:upto], f"seat:{who}" if isinstance(who, int) else str(who)
    steps = GamePast(lambda after, limit: history[after : after + limit]).steps(0, len(history))
    file = view_of(steps, name, who, lambda position: game.game.is_open(position, NOTHING), lambda _: BLINDING, log.place(leaf))
    return file.add_receipt(LOG.key.name, TOLD, bytes(16))


def verified(data: bytes, keys: Iterable[VerifierKey]) -> dict[str, Any]:
    """What the verifier in one file says, and under ``file`` what it read. Raises ``alone.VerificationError``."""
    file, proven = single_file.judge(data, [single_file.read_key(str(key)) for key in keys])
    return {**proven, "file": file}


def lies(view: Mapping[str, Any], history: Sequence[Recorded]) -> list[Otherwise]:
    """What a view that is verified was told otherwise than this record has it."""
    told = [None if "salt" in event else event["bytes"] for event in view["file"]["events"]]
    return list(find_differences(view["view"], told, history[: view["last"]]))
