"""Frozen dataclasses with slots that are quick to declare: the standard library's, without text that is compiled.

`dataclasses.dataclass` writes up to six methods of each class as text and compiles it, at each start of the program:
for two hundred classes a tenth of the time of a whole calibration. Here the methods look at the fields instead. To type
checkers it is the standard one, and so it is to `fields`, `replace` and `asdict`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from dataclasses import MISSING, Field, FrozenInstanceError
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

Methods = dict[str, Callable[..., Any]]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(**options: bool) -> Callable[[type], type]:
        """Return a decorator that makes a class a dataclass, see `dataclasses.dataclass`.

        Raises
        ------
        TypeError
            Unless ``frozen=True`` and ``slots=True`` are among the options: for others there is the standard one.
        """
        if not (options.pop("frozen", False) and options.get("slots", False)):
            raise TypeError("Only frozen dataclasses with slots are declared here; for others see `dataclasses`.")
        compared, told = options.pop("eq", True), options.pop("repr", True)

        def decorate(declared: type) -> type:
            by_hand = frozenset(vars(declared))
            made = dataclasses.dataclass(declared, init=False, eq=False, repr=False, **options)
            fields = dataclasses.fields(made)
            methods = {"__init__": _initialiser(made, fields), **_GUARDS, **_state(fields)}
            if compared:
                methods |= _comparison(field.name for field in fields if field.compare)
            if told:
                methods["__repr__"] = _representation(field.name for field in fields if field.repr)
            for name, method in methods.items():
                if name not in by_hand:
                    setattr(made, name, method)
            return made

        return decorate


def _initialiser(made: type, fields: tuple[Field[Any], ...]) -> Callable[..., None]:
    """Make `__init__`: values in order or by name, then what fields hold by default, then `__post_init__`."""
    put = {field.name: getattr(made, field.name).__set__ for field in fields}
    in_order = tuple(put[field.name] for field in fields if not field.kw_only)
    # Fields that have no place in the order come last; the others before them, as `given` fills them.
    later = tuple(
        (field.name, put[field.name], field.default, field.default_factory)
        for field in sorted(fields, key=lambda field: field.kw_only is True)
    )
    finish = getattr(made, "__post_init__", None)

    def initialise(self: object, /, *given: Any, **named: Any) -> None:
        if len(given) > len(in_order):
            raise TypeError(f"{made.__qualname__} takes {len(in_order)} values in order, not {len(given)}.")
        for place, value in zip(in_order, given, strict=False):
            place(self, value)
        for name, place, default, factory in later[len(given) :]:
            if name in named:
                place(self, named.pop(name))
            elif default is not MISSING:
                place(self, default)
            elif factory is not MISSING:
                place(self, factory())
            else:
                raise TypeError(f"{made.__qualname__} needs {name}.")
        if named:
            raise TypeError(f"{made.__qualname__} has no {', '.join(named)} to be given by name here.")
        if finish is not None:
            finish(self)

    return initialise


def _refuse_to_assign(self: object, name: str, value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(self: object, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


_GUARDS: Methods = {"__setattr__": _refuse_to_assign, "__delattr__": _refuse_to_delete}


def _state(fields: tuple[Field[Any], ...]) -> Methods:
    """Make what carries the contents of slots through `copy` and `pickle`."""
    names = tuple(field.name for field in fields)

    def given_away(self: object) -> list[Any]:
        return [getattr(self, name) for name in names]

    def taken_over(self: object, state: list[Any]) -> None:
        for name, value in zip(names, state, strict=True):
            object.__setattr__(self, name, value)

    return {"__getstate__": given_away, "__setstate__": taken_over}


def _comparison(compared: Iterable[str]) -> Methods:
    """Make equality, of two objects of one class, and the hash that goes with it."""
    names = tuple(compared)

    def values(self: object) -> list[Any]:
        return [getattr(self, name) for name in names]

    def equal(self: object, other: object) -> bool:
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    def hashed(self: object) -> int:
        return hash(tuple(values(self)))

    return {"__eq__": equal, "__hash__": hashed}


def _representation(told: Iterable[str]) -> Callable[[object], str]:
    """Make `__repr__`: the class and its fields."""
    names = tuple(told)

    @recursive_repr()
    def represented(self: object) -> str:
        return f"{self.__class__.__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"

    return represented
