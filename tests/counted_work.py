"""How much is done, in function calls rather than seconds: the same on a busy machine as on an idle one."""

import contextlib
import cProfile
from collections.abc import Iterator


@contextlib.contextmanager
def at_most(calls: int) -> Iterator[None]:
    """Fail if what happens within calls more functions, of Python's own too, than it should need."""
    profile = cProfile.Profile()
    with profile:
        yield
    counted = sum(entry.callcount for entry in profile.getstats())
    assert counted <= calls, f"{counted:,} calls of functions, where {calls:,} should do"
