"""How close each method comes to the truth where METHODS says it should, and where it should not.

Run with `python tests/benchmarks/bench_methods.py [simulations]`. Objects ~ N(50, 15^2) unless said otherwise,
assessors drawn at random, root mean square error of the values after taking out the common shift; the last column is
what was measured with the prototypes in 12 or 15 simulations. The product must reproduce it within 10%, give or take
two of that small sample's standard errors.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np

from panelcal import Panel, fit

Numbers = np.ndarray
Simulated = tuple[Panel, Numbers]

N_OBJECTS, N_ASSESSORS = 54, 18
TOLERANCE = 0.10
PROTOTYPE_SIMULATIONS = 12


def _design(random: np.random.Generator, per_object: int) -> tuple[Numbers, Numbers]:
    objects = np.repeat(np.arange(N_OBJECTS), per_object)
    chosen = [random.choice(N_ASSESSORS, per_object, replace=False) for _ in range(N_OBJECTS)]
    return objects, np.concatenate(chosen)


def _connected(draw: Callable[[], Simulated]) -> Simulated:
    """Draw until the panel is connected."""
    from panelcal.network import component_labels

    while True:
        panel, truth = draw()
        if component_labels(panel)[0] == 1:
            return panel, truth


def gross_errors(random: np.random.Generator) -> Simulated:
    """5% of the scores are off by 40, either way; four assessors each, biases SD 10, noise SD 5."""
    objects, assessors = _design(random, 4)
    values, biases = random.normal(50, 15, N_OBJECTS), random.normal(0, 10, N_ASSESSORS)
    scores = values[objects] + biases[assessors] + random.normal(0, 5, len(objects))
    wrong = random.random(len(scores)) < 0.05
    scores[wrong] += random.choice([-40, 40], int(wrong.sum()))
    return Panel.from_records(objects, assessors, scores), values


def spreads(deviation: float) -> Callable[[np.random.Generator], Simulated]:
    """Log spreads with that standard deviation; four assessors each, biases SD 10, noise SD 5."""

    def draw(random: np.random.Generator) -> Simulated:
        objects, assessors = _design(random, 4)
        values, biases = random.normal(50, 15, N_OBJECTS), random.normal(0, 10, N_ASSESSORS)
        logs = random.normal(0, deviation, N_ASSESSORS)
        stretch = np.exp(logs - logs.mean())[assessors]
        scores = 50 + stretch * (values[objects] - 50) + biases[assessors] + random.normal(0, 5, len(objects))
        return Panel.from_records(objects, assessors, scores), values

    return draw


def thin(random: np.random.Generator) -> Simulated:
    """Two assessors each, values SD 8, biases SD 4, noise SD 6."""
    objects, assessors = _design(random, 2)
    values, biases = random.normal(50, 8, N_OBJECTS), random.normal(0, 4, N_ASSESSORS)
    scores = values[objects] + biases[assessors] + random.normal(0, 6, len(objects))
    return Panel.from_records(objects, assessors, scores), values


def streamed(random: np.random.Generator) -> Simulated:
    """Strong objects to one half of the assessors, weak ones to the other, one in five across."""
    values, biases = np.sort(random.normal(50, 10, N_OBJECTS)), random.normal(0, 5, N_ASSESSORS)
    half = N_ASSESSORS // 2
    objects, assessors = [], []
    for o in range(N_OBJECTS):
        for _ in range(4):
            side = (o >= N_OBJECTS // 2) != (random.random() < 0.2)
            objects.append(o)
            assessors.append(int(random.integers(half)) + half * side)
    o, a = np.array(objects), np.array(assessors)
    return Panel.from_records(o, a, values[o] + biases[a] + random.normal(0, 5, len(o))), values


# Situation -> (simulation, {method: error measured with the prototypes, or None where there was none}).
SITUATIONS: dict[str, tuple[Callable[[np.random.Generator], Simulated], dict[str, float | None]]] = {
    "5% gross errors": (
        gross_errors,
        {"simple_average": 6.42, "fisher": 5.08, "median_polish": 3.23, "bisquare": 2.86},
    ),
    "equal spreads": (spreads(0.0), {"fisher": 2.52, "spread": 2.63, "random_effects": None}),
    "log spreads SD 0.15": (spreads(0.15), {"fisher": 2.69, "spread": 2.50, "random_effects": None}),
    "log spreads SD 0.35": (spreads(0.35), {"fisher": 3.38, "spread": 2.70, "random_effects": None}),
    "two scores each": (
        thin,
        {"simple_average": 5.03, "fisher": 5.18, "shrunken_biases": None, "random_effects": 4.08},
    ),
    "streamed": (
        streamed,
        {"simple_average": None, "assessor_centred": None, "z_scores": None, "fisher": None, "shrunken_biases": None},
    ),
}


def measure(simulations: int) -> list[tuple[str, str, float, float, float | None, float]]:
    """Return situation, method, error, its standard error, the prototypes' error and milliseconds, row by row."""
    rows = []
    for situation, (draw, expected) in SITUATIONS.items():
        random = np.random.default_rng(0)
        off: dict[str, list[float]] = {name: [] for name in expected}
        seconds = dict.fromkeys(expected, 0.0)
        for _ in range(simulations):
            panel, values = _connected(lambda draw=draw, random=random: draw(random))  # type: ignore[misc]
            truth = values[[int(label) for label in panel.objects]]
            for name in expected:
                start = time.process_time()
                try:
                    found = fit(panel, name).values
                except ValueError:  # MethodNotApplicable: an assessor with too few objects, by chance
                    continue
                seconds[name] += time.process_time() - start
                apart = found - truth
                off[name].append(float(np.sqrt(np.mean((apart - apart.mean()) ** 2))))
        for name, reference in expected.items():
            errors = np.array(off[name])
            spread = float(errors.std() / np.sqrt(len(errors)))
            rows.append((situation, name, float(errors.mean()), spread, reference, 1e3 * seconds[name] / len(errors)))
    return rows


def main(simulations: int) -> int:
    """Print the table; 1 if an error is further from the prototypes' than it may be."""
    print(f"{simulations} simulations each, {N_OBJECTS} objects, {N_ASSESSORS} assessors")
    failed = 0
    for situation, name, error, spread, reference, milliseconds in measure(simulations):
        verdict = ""
        if reference is not None:
            apart = abs(error - reference)
            chance = 2 * spread * np.sqrt(simulations / PROTOTYPE_SIMULATIONS)
            said = "within 10%" if apart <= TOLERANCE * reference else "within 10% and chance"
            within = apart <= TOLERANCE * reference + chance
            verdict = f"{reference:5.2f} {said if within else 'OFF'}"
            failed += not within
        print(f"{situation:22} {name:18} {error:5.2f} +/- {spread:4.2f}  {milliseconds:7.1f} ms  {verdict}")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 200))
