"""One thread for linear algebra, so that sums are added up in one order whatever the machine has to spare.

BLAS with two threads differs from BLAS with one in the last digit, and a sampler makes whole figures of last digits.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Hold the linear algebra under numpy and scipy to one thread for the length of a `with` block.

    OpenBLAS, MKL and BLIS can be held so; Apple's Accelerate cannot, and was not tried.
    """
    with _libraries().limit(limits=1, user_api="blas"):
        yield


@cache
def _libraries() -> ThreadpoolController:
    """Find the libraries once: looking through all that a process has loaded takes ten milliseconds."""
    import scipy.linalg  # noqa: F401 - only libraries that are loaded can be held to one thread
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
