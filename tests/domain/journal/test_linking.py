"""By which rule the journal links what it appends: the one that the stream began with."""

from datetime import UTC, datetime

import pytest

from deploy.stores.opening import open_events
from domain.events.game import GameResumed, GameSuspended
from domain.games import EDITIONS
from domain.journal.application import Journal
from domain.journal.commits import Call, to_stored
from replay.audit import audit
from tests.tampering import GAME, LENGTH, a_game

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.mark.parametrize("bound", [True, False])
def test_the_journal_appends_to_a_stream_by_the_rule_that_it_began_with(journal_url: str, bound: bool):
    begun = a_game(bound=bound)
    for alone in (True, False):  # the game folded from the store, and from a memory that is asked for news
        journal = Journal(open_events(journal_url), lambda: NOON, alone=alone)
        if alone:
            journal.store.insert_events([to_stored(one) for one in begun])
        journal.commit_now(Call("p"), GAME, lambda _: [GameSuspended(None), GameResumed(None)])
        journal.commit_now(Call("p"), GAME, lambda _: [GameSuspended(None), GameResumed(None)])
        history = journal.history(GAME)
        journal.close()
    assert (len(history), audit(history, EDITIONS).verdict, history[0].link is not None) == (LENGTH + 8, "sound", bound)
    assert history[: len(begun)] == list(begun)
