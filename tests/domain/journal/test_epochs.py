"""Up to where the epochs of a store are the same."""

from domain.journal.epochs import Epoch, common_sequence
from tests.each import each

EPOCHS = (Epoch(1, "a"), Epoch(2, "b", 50), Epoch(3, "c", 40), Epoch(4, "d", 60))


@each(("named", "common"), [("a", 40), ("b", 40), ("c", 60)])
def test_what_holds_since_an_epoch_is_what_every_later_one_kept(named: str, common: int):
    assert common_sequence(EPOCHS, named) == common


@each("named", ["e", "", None])
def test_of_an_epoch_that_the_store_never_had_nothing_is_known(named: str | None):
    assert common_sequence(EPOCHS, named) is None


def test_what_one_epoch_does_not_know_nobody_knows():
    assert common_sequence((*EPOCHS, Epoch(5, "e")), "a") is None
