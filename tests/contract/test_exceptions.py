"""What the tools of ``./run contract`` may leave out."""

from tests.contract.exceptions import exceptions


def test_every_exception_has_a_reason_of_some_words():
    excepted = exceptions()
    reasons = [*excepted.spectral.values(), *excepted.owasp.values(), *excepted.redocly.values()]
    reasons += [*(one.why for one in excepted.apart), *(one.why for one in excepted.asked)]
    assert [why for why in reasons if len(why.split()) < 2] == []
