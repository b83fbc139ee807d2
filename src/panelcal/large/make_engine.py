"""Start an engine, or say what has to be installed for it."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import psutil

from panelcal.errors import MethodNotApplicable
from panelcal.large.engine import Engine

EngineName = Literal["duckdb", "spark"]

_SHARE_OF_FREE = 0.5
_LEAST = 500e6


def make_engine(name: EngineName, folder: Path, memory: float | None) -> Engine:
    """Start the engine of that name, working in an empty folder.

    Parameters
    ----------
    name
        "duckdb" or "spark".
    folder
        Where it keeps what does not fit into memory.
    memory
        Bytes it may take; None = half of what is free.

    Raises
    ------
    MethodNotApplicable
        If it is not installed or there is none of that name.
    """
    if name not in ("duckdb", "spark"):
        raise MethodNotApplicable(f'There is no engine "{name}": choose duckdb or spark.')
    try:
        if name == "duckdb":
            from panelcal.large.duckdb_engine import DuckDBEngine

            return DuckDBEngine(folder, memory=memory or _free() * _SHARE_OF_FREE)
        from panelcal.large.spark_engine import SparkEngine

        return SparkEngine(folder)
    except ImportError as missing:
        extra = "large" if name == "duckdb" else "spark"
        raise MethodNotApplicable(
            f"Long tables need {missing.name}, which is not installed: pip install 'panelcal[{extra}]'."
        ) from missing


def _free() -> float:
    return max(float(psutil.virtual_memory().available), _LEAST)
