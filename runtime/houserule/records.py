"""Frozen, slotted classes as `dataclasses` makes them, without what importing `dataclasses` costs at start-up.

Type checkers see the real `dataclasses.dataclass`; at run time this small part of it stands in its place: frozen,
slotted, compared by value, arguments by position or by name.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    T = TypeVar("T")

_REQUIRED = object()


def dataclass(*, frozen: bool, slots: bool) -> Callable[[type], type]:
    """The decorator. Both arguments must be true; they are there so that the code reads like the real thing."""
    assert frozen
    assert slots
    return _rebuilt


def changed(record: T, **parts: object) -> T:
    """The same record with some parts replaced, as `dataclasses.replace` makes it."""
    kept = {name: getattr(record, name) for name in type(record).__annotations__}
    return type(record)(**(kept | parts))


def _rebuilt(cls: type) -> type:
    names = tuple(cls.__annotations__)
    body = {key: value for key, value in cls.__dict__.items() if key not in ("__dict__", "__weakref__")}
    defaults = tuple(body.pop(name, _REQUIRED) for name in names)
    setters: list[Callable[[object, object], None]] = []
    body |= {"__slots__": names, "__match_args__": names}
    body.setdefault("__init__", _constructor(cls.__name__, names, defaults, setters))
    body |= {"__setattr__": _refuse, "__delattr__": _refuse, "__reduce__": _reduce}
    for key, method in (("__repr__", _repr), ("__eq__", _equal), ("__hash__", _hash)):
        body.setdefault(key, method)
    made = type(cls)(cls.__name__, cls.__bases__, body)
    # What slots have to set them goes past the refusal, and is faster than to look each of them up by its name.
    setters += [made.__dict__[name].__set__ for name in names]
    return made


def _constructor(
    owner: str, names: tuple[str, ...], defaults: tuple[object, ...], setters: list[Callable[[object, object], None]]
) -> Callable[..., None]:
    count = len(names)
    required = sum(each is _REQUIRED for each in defaults)

    def __init__(self: object, *given: object, **named: object) -> None:
        if named or not required <= len(given) <= count:
            given = _completed(owner, names, defaults, given, named)
        elif len(given) < count:
            given += defaults[len(given) :]
        for store, value in zip(setters, given, strict=True):
            store(self, value)

    return __init__


def _completed(
    owner: str,
    names: tuple[str, ...],
    defaults: tuple[object, ...],
    given: tuple[object, ...],
    named: dict[str, object],
) -> tuple[object, ...]:
    start = len(given)
    rest = tuple(named.pop(name, default) for name, default in zip(names[start:], defaults[start:], strict=True))
    if named or start > len(names) or any(value is _REQUIRED for value in rest):
        raise TypeError(f"{owner} takes {', '.join(names)}")
    return given + rest


def _refuse(self: object, *_: object) -> None:
    raise AttributeError(f"{type(self).__name__} cannot be changed")


def _values(self: Any) -> tuple[object, ...]:
    return tuple(getattr(self, name) for name in self.__slots__)


def _reduce(self: object) -> tuple[type, tuple[object, ...]]:
    return type(self), _values(self)


def _repr(self: Any) -> str:
    shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__slots__)
    return f"{type(self).__name__}({shown})"


def _equal(self: object, other: object) -> bool:
    return _values(self) == _values(other) if type(self) is type(other) else NotImplemented


def _hash(self: object) -> int:
    return hash(_values(self))
