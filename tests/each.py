"""One test for all rows of a table. A test of its own for each row takes milliseconds besides what it does, in every test process."""

from collections.abc import Callable, Iterable
from functools import wraps
from inspect import signature
from typing import Any, TypeAlias

import pytest

Test: TypeAlias = Callable[..., None]
Ids: TypeAlias = Callable[[Any], object] | Iterable[object] | None


def each(names: str | tuple[str, ...], rows: Iterable[Any], ids: Ids = None) -> Callable[[Test], Test]:
    """Run the test for every row, as ``pytest.mark.parametrize`` of the same arguments does. What fails says for which rows.

    The rows share what fixtures make: this is not for a test that changes it.
    """
    arguments = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    listed = list(rows)
    told = [*ids] if isinstance(ids, Iterable) else [_told(row, ids or repr) for row in listed]
    cases = [(name, [row] if len(arguments) == 1 else row) for name, row in zip(told, listed, strict=True)]
    assert cases, "a table without rows"

    def decorated(test: Test) -> Test:
        @wraps(test)
        def whole(*own: Any, **fixtures: Any) -> None:
            failures = []
            for name, values in cases:
                try:
                    test(*own, **fixtures, **dict(zip(arguments, values, strict=True)))
                except (Exception, pytest.fail.Exception) as failure:
                    failure.add_note(f"of the row {name}")
                    failures.append(failure)
            if len(failures) > 1:
                raise BaseExceptionGroup(f"{len(failures)} of {len(cases)} rows", failures)
            if failures:
                raise failures[0]

        asked = signature(test)
        others = [one for name, one in asked.parameters.items() if name not in arguments]
        assert len(others) + len(arguments) == len(asked.parameters), "a name that is no argument of the test"
        whole.__signature__ = asked.replace(parameters=others)  # pyrefly: ignore[missing-attribute]  # pytest looks there for fixtures
        return whole

    return decorated


def _told(row: Any, told: Callable[[Any], object]) -> str:
    return ", ".join(str(told(value)) for value in row) if isinstance(row, tuple) else str(told(row))
