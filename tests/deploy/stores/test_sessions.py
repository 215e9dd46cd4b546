"""Register of sessions and join codes, the same for both databases."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from threading import Barrier

import pytest
from msgspec.structs import replace

from deploy.stores.opening import OpenedEvents, open_events
from domain.access import Grant, OfTable
from domain.journal.registers import Duplicate
from domain.journal.sessions import JoinCode, Session, Token
from tests.deploy.stores.shared import events, journal_url, shared

__all__ = ["events", "journal_url", "shared"]  # fixtures

NOW, LATER, MUCH_LATER = "2026-03-01T10:00:00Z", "2026-03-01T11:00:00Z", "2026-04-01T10:00:00Z"
TABLE = Grant(OfTable("spring", "3", 2), sees="public")
CODE = JoinCode(
    id="c1", hash="aa" * 32, role="recorder", grant=TABLE, label="table 3", issued_at=NOW, issued_by="dora", until_at=LATER, until_round=2
)
SESSION = Session(
    id="s1",
    hash="bb" * 32,
    principal="anna",
    role="recorder",
    grant=TABLE,
    label="table 3",
    began_at=NOW,
    ends_at=MUCH_LATER,
    used_at=NOW,
    code="c1",
    until_round=2,
)


def another(number: int) -> Session:
    return replace(SESSION, id=f"s{number}", hash=f"{number:064}")


def test_a_code_and_a_session_are_found_by_the_digests_of_their_secrets(events: OpenedEvents):
    events.add_code(CODE)
    events.begin_session(SESSION, redeems=CODE)
    assert (events.find_code(CODE.hash), events.find_session(SESSION.hash)) == (CODE, SESSION)
    assert (events.code_of("c1"), events.session_of("s1")) == (CODE, SESSION)
    assert (events.find_code("cc"), events.find_session("cc"), events.code_of("s1"), events.session_of("c1")) == (None,) * 4


def test_a_code_for_one_session_makes_one(events: OpenedEvents):
    events.add_code(CODE)
    events.begin_session(SESSION, redeems=CODE)
    with pytest.raises(Duplicate):
        events.begin_session(another(2), redeems=CODE)
    assert events.list_sessions(NOW) == [SESSION]


def test_of_twenty_at_once_one_gets_the_session_of_a_code(journal_url: str, events: OpenedEvents):
    assert at_once(journal_url, events, CODE) == 1
    assert len(events.list_sessions(NOW)) == 1


def at_once(journal_url: str, events: OpenedEvents, code: JoinCode) -> int:
    """Return how many of twenty simultaneous requests get a session, as if in two processes."""
    events.add_code(code)
    there = Barrier(20, timeout=60)
    with closing(open_events(journal_url)) as elsewhere, ThreadPoolExecutor(20) as threads:

        def redeem(number: int) -> bool:
            there.wait()  # all of them stand before the register
            try:
                (events, elsewhere)[number % 2].begin_session(another(number), redeems=code)
            except Duplicate:
                return False
            return True

        return sum(threads.map(redeem, range(20)))


def test_a_code_for_many_makes_as_many_as_come(events: OpenedEvents):
    code = replace(CODE, many=True)
    events.add_code(code)
    for number in range(3):
        events.begin_session(another(number), redeems=code)
    assert len(events.list_sessions(NOW)) == 3
    assert events.list_codes(NOW) == [code]


LASTING = replace(CODE, until_at=None, until_round=None, lasting=True, devices=3)


def test_a_lasting_code_makes_as_many_sessions_at_one_time_as_it_has_devices(events: OpenedEvents):
    events.add_code(LASTING)
    for number in range(3):
        events.begin_session(another(number), redeems=LASTING)
    assert [(one.id, one.place, one.lasting) for one in events.list_sessions(NOW)] == [(f"s{n}", n + 1, True) for n in range(3)]
    with pytest.raises(Duplicate):
        events.begin_session(another(3), redeems=LASTING)
    events.end_session("s1", NOW)
    events.begin_session(another(4), redeems=LASTING)
    assert [(one.id, one.place) for one in events.list_sessions(NOW)] == [("s0", 1), ("s2", 3), ("s4", 2)]
    assert events.list_codes(NOW) == [LASTING], "also while its places are taken"


def test_a_session_that_is_over_leaves_its_place(events: OpenedEvents):
    code = replace(LASTING, devices=1)
    events.add_code(code)
    events.begin_session(replace(another(1), ends_at=LATER), redeems=code)
    with pytest.raises(Duplicate):
        events.begin_session(another(2), redeems=code)
    events.begin_session(replace(another(3), began_at=LATER), redeems=code)
    assert [one.id for one in events.list_sessions(LATER)] == ["s3"]


def test_of_twenty_at_once_as_many_get_a_session_of_a_lasting_code_as_it_has_devices(journal_url: str, events: OpenedEvents):
    assert at_once(journal_url, events, LASTING) == 3
    assert sorted(one.place or 0 for one in events.list_sessions(NOW)) == [1, 2, 3]


def test_what_an_earlier_version_stored_stays_as_it_was(events: OpenedEvents):
    """Written as it was before there were lasting codes."""
    code = "INSERT INTO join_codes (id, hash, role, label, issued_at, many) VALUES ('old', 'ee', 'viewer', 'hall', ?, 1)"
    session = (
        "INSERT INTO sessions (id, hash, principal, role, label, began_at, ends_at, used_at, code)"
        " VALUES ('old', 'ff', 'anna', 'viewer', 'hall', ?, ?, ?, 'old')"
    )
    events.change(code, (NOW,))
    events.change(session, (NOW, MUCH_LATER, NOW))
    (found,), (going_on,) = events.list_codes(NOW), events.list_sessions(NOW)
    assert (found.many, found.lasting, found.devices) == (True, False, None)
    assert (going_on.code, going_on.place, going_on.lasting) == ("old", None, False)
    events.begin_session(replace(another(1), code="old"), redeems=found)
    assert len(events.list_sessions(NOW)) == 2


def test_codes_are_listed_while_they_let_somebody_in(events: OpenedEvents):
    used, over, back, good = (replace(CODE, id=name, hash=name * 32) for name in ("u", "o", "b", "g"))
    for code in (used, replace(over, until_at=NOW), back, good):
        events.add_code(code)
    events.begin_session(SESSION, redeems=used)
    events.withdraw_code("b", NOW)
    assert events.list_codes(NOW) == [good]
    assert events.list_codes(LATER) == []


def test_what_was_taken_back_keeps_its_first_time(events: OpenedEvents):
    events.add_code(CODE)
    assert [events.withdraw_code(id, at) for id, at in (("c1", NOW), ("c1", LATER), ("c9", NOW))] == [True, True, False]
    assert events.code_of("c1") == replace(CODE, withdrawn_at=NOW)


def test_a_session_ends_once(events: OpenedEvents):
    events.begin_session(SESSION)
    assert [events.end_session(id, at) for id, at in (("s1", NOW), ("s1", LATER), ("s9", NOW))] == [True, True, False]
    assert events.find_session(SESSION.hash) == replace(SESSION, ended_at=NOW)
    assert events.list_sessions(NOW) == []


def test_a_session_ends_with_the_code_it_was_made_of(events: OpenedEvents):
    events.add_code(CODE)
    events.begin_session(SESSION, redeems=CODE)
    events.withdraw_code("c1", LATER)
    assert events.find_session(SESSION.hash) == replace(SESSION, ended_at=LATER)
    assert events.list_sessions(NOW) == []


def test_a_session_ends_with_its_token(events: OpenedEvents):
    events.add_token(Token("t1", "dd" * 32, "anna", "recorder", "", NOW, expires_at=LATER))
    session = replace(SESSION, code=None, token="t1")
    events.begin_session(session)
    assert events.find_session(session.hash) == replace(session, ends_at=LATER, expires_at=LATER)
    assert (len(events.list_sessions(NOW)), events.list_sessions(LATER)) == (1, [])
    events.revoke_token("t1", NOW)
    assert events.find_session(session.hash) == replace(session, ends_at=LATER, expires_at=LATER, ended_at=NOW)


def test_a_code_falls_with_the_token_by_which_it_was_issued(events: OpenedEvents):
    events.add_token(Token("t1", "dd" * 32, "dora", "director", "", NOW, expires_at=LATER))
    code = replace(CODE, giver_token="t1", until_at=None)
    events.add_code(code)
    assert events.find_code(code.hash) == replace(code, until_at=LATER)
    assert (len(events.list_codes(NOW)), events.list_codes(LATER)) == (1, [])
    events.revoke_token("t1", NOW)
    assert events.code_of("c1") == replace(code, until_at=LATER, withdrawn_at=NOW)
    assert events.list_codes(NOW) == []


def test_a_code_falls_with_every_code_from_which_it_came(events: OpenedEvents):
    line = [replace(CODE, id=f"c{n}", hash=f"{n}" * 64, many=True, giver_code=f"c{n - 1}" if n else None) for n in range(3)]
    for code in line:
        events.add_code(code)
    last = replace(SESSION, code="c2")
    events.begin_session(last, redeems=line[2])
    events.withdraw_code("c0", NOW)
    assert [events.code_of(code.id) for code in line] == [replace(code, withdrawn_at=NOW) for code in line]
    assert events.find_session(last.hash) == replace(last, ended_at=NOW)
    assert (events.list_codes(NOW), events.list_sessions(NOW)) == ([], [])


def test_the_last_use_of_a_session_never_goes_back(events: OpenedEvents):
    events.begin_session(SESSION)
    events.use_session("s1", LATER)
    events.use_session("s1", NOW)
    assert events.find_session(SESSION.hash) == replace(SESSION, used_at=LATER)
