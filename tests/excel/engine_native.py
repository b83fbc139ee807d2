"""What every part of the test engine uses: counted calls, time spent, and native objects that take anything."""

# ruff: noqa: D102, D105 - the methods are those that xlwings documents
from __future__ import annotations

import time
from collections import Counter

calls: Counter[str] = Counter()


def fresh(*attributes: str):
    """Shadow read-only properties of the base classes that are plain attributes here; count the calls."""

    def prepare(cls):
        for name in attributes:
            setattr(cls, name, None)
        for name, member in list(vars(cls).items()):
            if name.startswith("_") or name in attributes:
                continue
            label = f"{cls.__name__}.{name}"
            if isinstance(member, property):
                setattr(cls, name, _counted_property(member, label))
            elif callable(member) and not isinstance(member, type):
                setattr(cls, name, _counted(member, label))
        return cls

    return prepare


class Clock:
    """Time spent inside the engine, which stands for Excel's own."""

    seconds = 0.0
    depth = 0


def _counted(function, label):
    def counted(*arguments, **options):
        calls[label] += 1
        if Clock.depth:
            return function(*arguments, **options)
        Clock.depth = 1
        start = time.process_time()
        try:
            return function(*arguments, **options)
        finally:
            Clock.seconds += time.process_time() - start
            Clock.depth = 0

    return counted


def _counted_property(member, label):
    getter = _counted(member.fget, f"{label}") if member.fget else None
    setter = _counted(member.fset, f"{label}=") if member.fset else None
    return property(getter, setter)


class Native:
    """A native object: takes every attribute and call, and remembers what was set and called."""

    def __init__(self, path: str = "", log: list | None = None) -> None:
        self.__dict__.update(_path=path, _log=[] if log is None else log, _children={})

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self._children.setdefault(name, Native(f"{self._path}.{name}", self._log))

    def __setattr__(self, name, value):
        calls["native set"] += 1
        self._log.append((f"{self._path}.{name}", value))

    def __call__(self, *arguments, **options):
        calls["native call"] += 1
        self._log.append((f"{self._path}()", (arguments, options)))
        return Native(f"{self._path}()", self._log)

    def __getitem__(self, key):
        return self._children.setdefault(f"[{key}]", Native(f"{self._path}[{key}]", self._log))

    def __index__(self):
        return 0

    def __len__(self):
        return 0

    def __bool__(self):
        return True
