from uuid import UUID

from domain.access import EVERYTHING, HOUSE, OfGame, OfTable, OfTournament, Place, Scope, covers, is_within
from tests.each import each

GAME, OTHER = UUID(int=1), UUID(int=2)
SPRING, AUTUMN = OfTournament("spring"), OfTournament("autumn")
TABLE_1 = OfTable("spring", "1", 2)
ONE_GAME = OfGame(GAME, "spring", 3, "1")
FREE_GAME = OfGame(OTHER)
SCOPES = (EVERYTHING, SPRING, TABLE_1, ONE_GAME, FREE_GAME)


@each(
    ("place", "within"),
    [
        (HOUSE, (EVERYTHING,)),
        (Place("spring"), (EVERYTHING, SPRING)),
        (Place("autumn"), (EVERYTHING,)),
        (Place("spring", 3), (EVERYTHING, SPRING)),
        (Place("spring", 2, "1"), (EVERYTHING, SPRING, TABLE_1)),
        (Place("spring", 1, "1"), (EVERYTHING, SPRING)),
        (Place("spring", 2, "2"), (EVERYTHING, SPRING)),
        (Place("autumn", 2, "1"), (EVERYTHING,)),
        (Place("spring", 3, "1", GAME), (EVERYTHING, SPRING, TABLE_1, ONE_GAME)),
        (Place("spring", 3, "1", OTHER), (EVERYTHING, SPRING, TABLE_1, FREE_GAME)),
        (Place("spring", None, "1", UUID(int=3)), (EVERYTHING, SPRING)),
        (Place(game=OTHER), (EVERYTHING, FREE_GAME)),
    ],
)
def test_powers_hold_where_the_scope_covers_the_whole_place(place: Place, within: tuple[Scope, ...]):
    assert tuple(scope for scope in SCOPES if covers(scope, place)) == within


@each(
    ("inner", "outer"),
    [
        (EVERYTHING, (EVERYTHING,)),
        (SPRING, (EVERYTHING, SPRING)),
        (AUTUMN, (EVERYTHING,)),
        (TABLE_1, (EVERYTHING, SPRING, TABLE_1)),
        (OfTable("spring", "1", 1), (EVERYTHING, SPRING)),
        (ONE_GAME, (EVERYTHING, SPRING, TABLE_1, ONE_GAME)),
        (FREE_GAME, (EVERYTHING, FREE_GAME)),
    ],
)
def test_nobody_gives_a_wider_scope_than_he_has(inner: Scope, outer: tuple[Scope, ...]):
    assert tuple(scope for scope in SCOPES if is_within(inner, scope)) == outer
