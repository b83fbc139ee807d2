"""A plan of who assesses what, from a list of objects and one of assessors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from panelcal.frozen import dataclass
from panelcal.planning.plan_words import PlanWords
from panelcal.reading.grid import Source
from panelcal.reading.nouns import Nouns, in_sentence, plural_of
from panelcal.reading.planning.read_plan import PlanLists, PlanWanted, read_plan
from panelcal.systems.choices import Choices
from panelcal.systems.system import Outcome, Progress, System, nothing_to_check

if TYPE_CHECKING:
    from panelcal.planning.assignment import Assignment
    from panelcal.planning.worth import ExpectedRanking
    from panelcal.reporting.model import Report
    from panelcal.reporting.run_facts import RunFacts


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """What was planned from which lists, and what it and other numbers of assessors for each object would buy."""

    lists: PlanLists
    assignment: Assignment
    worth: Sequence[ExpectedRanking]


def _read(source: Source, choices: Choices) -> PlanLists:
    return read_plan(source, sheet=choices.sheet, wanted=choices.plan or PlanWanted())


def _compute(lists: PlanLists, progress: Progress) -> Plan:
    from panelcal.planning.assignment import plan_assignment
    from panelcal.planning.worth import worth_of_numbers

    wanted, sizes = lists.wanted, (len(lists.objects), len(lists.assessors))
    planned = plan_assignment(
        *sizes,
        wanted.per_object,
        per_assessor=wanted.per_assessor,
        conflicts=lists.conflicts,
        seed=wanted.seed,
        words=plan_words(lists.nouns, lists.objects, lists.assessors),
    )
    return Plan(lists, planned, worth_of_numbers(*sizes, planned.per_object))


def plan_words(nouns: Nouns, objects: Sequence[str], assessors: Sequence[str]) -> PlanWords:
    """Hand the words of the trade and the names to the planning, for its refusals."""
    one, other = in_sentence(nouns.object), in_sentence(nouns.assessor)
    return PlanWords(one, plural_of(one), other, plural_of(other), tuple(objects), tuple(assessors))


def _build(plan: Plan, facts: RunFacts) -> Report:
    from panelcal.systems.planning.report import Bought, build_plan_report

    lists = plan.lists
    return build_plan_report(
        plan.assignment,
        created=facts.created,
        objects=lists.objects,
        assessors=lists.assessors,
        nouns=lists.nouns,
        bought=Bought(plan.worth, lists.wanted.minutes),
    )


def _say(plan: Plan) -> tuple[str, ...]:
    from panelcal.systems.planning.sentences import plan_sentences

    return plan_sentences(plan.assignment, plan.lists.nouns, plan.worth, plan.lists.wanted.minutes)


def _tell(plan: Plan) -> Outcome:
    planned, lists = plan.assignment, plan.lists
    pairs = zip(planned.object_index.tolist(), planned.assessor_index.tolist(), strict=True)
    rows = [(lists.objects[o], lists.assessors[a]) for o, a in pairs]
    figures = {
        "n_objects": planned.n_objects,
        "n_assessors": planned.n_assessors,
        "per_object": planned.per_object,
        "mu2": planned.mu2,
        "seed": planned.seed,
        "n_conflicts": len(planned.conflicts),
    }
    worth_names = ("per_object", "per_assessor", "correlation", "best_first", "best_among_three", "expected_error")
    tables = {
        "assignment": {"object": [o for o, _ in rows], "assessor": [a for _, a in rows]},
        "loads": {"assessor": list(lists.assessors), "objects": planned.loads.tolist()},
        "worth": {name: [getattr(one, name) for one in plan.worth] for name in worth_names},
    }
    return Outcome("plan", figures, tables, {})


SYSTEM = System(_read, nothing_to_check, _compute, _build, _say, _tell)
