"""Quick frozen dataclasses do what those of the standard library do; the standard ones are the reference."""

import copy
import dataclasses
import pickle
from dataclasses import FrozenInstanceError, field, replace

import pytest

from panelcal import frozen


class _Drawn:
    __slots__ = ()


class _Mark(_Drawn):
    assessor: str
    score: float = 50.0
    notes: list[str] = field(default_factory=list, compare=False)
    hidden: int = field(default=7, repr=False)

    def __post_init__(self) -> None:
        if self.score < 0:
            raise ValueError("negative")


class _Late(_Drawn):
    first: int = field(default=1, kw_only=True)
    second: int
    third: tuple[int, ...] = ()


def _both(declared: type, **options: bool) -> list[type]:
    made = []
    for decorator in (frozen.dataclass, dataclasses.dataclass):
        namespace = {name: value for name, value in vars(declared).items() if name not in ("__dict__", "__weakref__")}
        twin = type(declared.__name__, declared.__bases__, namespace)
        twin.__qualname__ = declared.__name__
        made.append(decorator(frozen=True, slots=True, **options)(twin))
    return made


@pytest.mark.parametrize(
    ("declared", "given", "named"),
    [
        (_Mark, ("Ann",), {}),
        (_Mark, ("Ann", 3.0, ["a"]), {"hidden": 1}),
        (_Mark, (), {"score": 4.0, "assessor": "Bob"}),
        (_Late, (2,), {}),
        (_Late, (2, (3,)), {"first": 9}),
        (_Late, (), {"third": (1,), "second": 5}),
    ],
)
def test_the_same_object_comes_out(declared: type, given: tuple, named: dict) -> None:
    quick, usual = (made(*given, **named) for made in _both(declared))
    assert repr(quick) == repr(usual)
    assert [getattr(quick, one.name) for one in dataclasses.fields(quick)] == list(dataclasses.astuple(usual))
    assert dataclasses.asdict(quick) == dataclasses.asdict(usual)
    assert hash(quick) == hash(usual)
    assert quick.__match_args__ == usual.__match_args__
    assert not hasattr(quick, "__dict__")
    assert copy.copy(quick) == quick == copy.deepcopy(quick)
    assert quick != usual


@pytest.mark.parametrize(
    ("declared", "given", "named"),
    [
        (_Mark, (), {}),
        (_Mark, ("Ann", 1.0, [], 2, 3), {}),
        (_Mark, ("Ann",), {"assessor": "Bob"}),
        (_Mark, ("Ann",), {"unknown": 1}),
        (_Late, (1, (), 2), {}),
    ],
)
def test_what_the_standard_one_refuses_is_refused(declared: type, given: tuple, named: dict) -> None:
    for made in _both(declared):
        with pytest.raises(TypeError):
            made(*given, **named)


def test_values_are_checked_compared_and_kept() -> None:
    for made in _both(_Mark):
        mark = made("Ann", notes=["a"])
        assert mark == made("Ann", notes=["b"])  # notes are not compared
        assert mark != replace(mark, score=51.0)
        assert mark != "Ann"
        assert mark.notes is not made("Bob").notes
        with pytest.raises(ValueError, match="negative"):
            made("Ann", -1.0)
        with pytest.raises(FrozenInstanceError):
            mark.score = 3.0
        with pytest.raises(FrozenInstanceError):
            del mark.score


def test_without_comparison_objects_are_only_themselves() -> None:
    for made in _both(_Mark, eq=False, repr=False):
        one = made("Ann")
        assert one != made("Ann")
        assert len({one, one, made("Ann")}) == 2
        assert "score" not in repr(one)


def test_what_is_written_by_hand_stays() -> None:
    @frozen.dataclass(frozen=True, slots=True)
    class Own:
        value: int

        def __repr__(self) -> str:
            return "mine"

        def __eq__(self, other: object) -> bool:
            return True

        __hash__ = None  # type: ignore[assignment]

    assert repr(Own(1)) == "mine"
    assert Own(1) == Own(2)


def test_only_what_it_is_for_is_declared() -> None:
    with pytest.raises(TypeError, match="frozen dataclasses with slots"):
        frozen.dataclass(frozen=True)


def test_the_program_s_own_results_are_pickled_whole() -> None:
    from panelcal.errors import Question
    from panelcal.reading.nouns import Nouns

    nouns = Nouns("thesis", "examiner")
    assert pickle.loads(pickle.dumps(nouns)) == nouns
    assert dataclasses.is_dataclass(Question)
