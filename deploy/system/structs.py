"""What msgspec has to know of every struct, found out before there are threads."""

from collections.abc import Iterator
from contextlib import suppress
from weakref import WeakSet

from msgspec import Struct
from msgspec.json import Decoder

_LEARNED: WeakSet[type[Struct]] = WeakSet()
"""By this process. The framework makes some for each application, which go with it."""


def learn_structs() -> None:
    """For all that are defined by now. msgspec finds out what a struct consists of when it is read for the first time; where two threads do
    so at once with the same one, the process may end with a segmentation fault (seen with 0.22.0).
    """
    for kind in _below(Struct):
        if kind not in _LEARNED:
            _LEARNED.add(kind)
            with suppress(TypeError):  # of some nothing is ever read: they have fields that no JSON can fill
                Decoder(kind)


def _below(kind: type[Struct]) -> Iterator[type[Struct]]:
    for one in kind.__subclasses__():
        yield one
        yield from _below(one)
