"""One turn with a witness: asking for its signature, and finding out whether it has signed this very log."""

from deploy.log.keeper.http_client import Away, Post
from replay.proof.answers import Ahead, Refused, read_answer
from replay.proof.checkpoints import read_checkpoint
from replay.proof.exact import Unproven
from replay.proof.log import LogTree
from replay.proof.named_witnesses import NamedWitness
from replay.proof.notes import signers_of
from replay.proof.tiles import subtrees_in
from replay.proof.tree import consistency_path, root_of
from replay.proof.witnessing import STATUS, Asked

DISAGREES = STATUS["not_an_extension"]
_ANSWERS = 3  # that name another size, until it is left for later


async def ask(post: Post, witness: NamedWitness, tree: LogTree, note: str, old: int) -> str:
    """The line of the witness over this checkpoint. ``old``: of which size it signed one last, as far as is known.

    Raises ``Ahead`` where it has signed a larger one, ``Refused`` and ``Away``.
    """
    size, subtrees = read_checkpoint(note).size, subtrees_in(tree.tile)
    for _ in range(_ANSWERS):
        if old > size:
            raise Ahead(old)
        asked = Asked(old, consistency_path(subtrees, old, size) if old else (), note)
        answer = await post.add_checkpoint(witness.url, asked.body)
        try:
            return read_answer(*answer, note, witness.verifier)
        except Ahead as ahead:
            if ahead.size == old:  # so an older edition of the standard says that the roots differ
                raise Refused(DISAGREES) from None
            old = ahead.size
    raise Away


async def agreed(post: Post, witness: NamedWitness, tree: LogTree, origin: str, size: int) -> int | None:
    """Of which size the witness signed a checkpoint last, if that is one of this very log, which has ``size`` entries by now.

    Raises ``Away``.
    """
    note = (await post.newest(witness.url, origin)).body.decode(errors="replace")
    try:
        checkpoint, signed = read_checkpoint(note), signers_of(note, [witness.verifier])
    except Unproven:
        return None
    if not signed or checkpoint.origin != origin or checkpoint.size > size:
        return None
    return checkpoint.size if root_of(subtrees_in(tree.tile), 0, checkpoint.size) == checkpoint.root else None
