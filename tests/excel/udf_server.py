"""Calls cell functions as Excel's add-in does: through xlwings' own `call_udf`, over the test engine.

xlwings loads that module on Windows only; the names it needs from pywin32 are stood in for here, and so is the one that
tells a range from a value. Conversion of arguments and results is xlwings' own.
"""

from __future__ import annotations

import importlib
import sys
import types
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import xlwings as xw

from excel import engine

FUNCTIONS = "panelcal.excel.functions"
_STOOD_IN = ("pythoncom", "pywintypes", "win32com", "win32com.client", "xlwings._xlwindows", "xlwings.com_server")


class ComError(Exception):
    """Stands for an error of the Windows interface."""


@contextmanager
def served() -> Iterator[Any]:
    """Give the function that Excel calls, and take all stand-ins away in the end."""
    before = {name: sys.modules.get(name) for name in (*_STOOD_IN, "xlwings.udfs")}
    decorators = {name: getattr(xw, name) for name in ("func", "arg", "ret")}
    for name in _STOOD_IN:
        sys.modules[name] = types.ModuleType(name)
    sys.modules["pythoncom"].CoInitialize = lambda: None
    sys.modules["pywintypes"].com_error = ComError
    sys.modules["win32com.client"].Dispatch = lambda thing: thing
    sys.modules["xlwings.com_server"].loop = None
    windows = sys.modules["xlwings._xlwindows"]
    windows.Range = lambda xl: xl
    windows.is_range_instance = lambda thing: isinstance(thing, engine.Range)
    xw._xlwindows = windows
    try:
        udfs = importlib.import_module("xlwings.udfs")
        xw.func, xw.arg, xw.ret = udfs.xlfunc, udfs.xlarg, udfs.xlret
        importlib.reload(importlib.import_module(FUNCTIONS))

        def call(name: str, *arguments: Any) -> Any:
            handed = tuple(argument.impl if isinstance(argument, xw.Range) else argument for argument in arguments)
            caller = xw.books.active.sheets[0].range("Z1").impl
            return udfs.call_udf(FUNCTIONS, name, handed, None, caller)

        yield call
    finally:
        for name, member in decorators.items():
            setattr(xw, name, member)
        del xw._xlwindows
        for name, module in before.items():
            if module is None:
                sys.modules.pop(name, None)
            else:
                sys.modules[name] = module
        importlib.reload(importlib.import_module(FUNCTIONS))
