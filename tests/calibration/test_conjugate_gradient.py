"""Conjugate gradients: right where they arrive, and honest where they do not."""

import numpy as np
import pytest

from panelcal.calibration.conjugate_gradient import conjugate_gradients


def test_every_column_is_solved():
    random = np.random.default_rng(0)
    half = random.standard_normal((40, 60))
    matrix = half @ half.T + np.diag(random.uniform(1, 100, 40))
    right = random.standard_normal((40, 3))
    right[:, 1] = 0
    found = conjugate_gradients(lambda x: matrix @ x, np.diag(matrix), right, tolerance=1e-13, most_steps=200)
    assert found.reached
    assert found.solution == pytest.approx(np.linalg.solve(matrix, right), abs=1e-10)


def test_slow_progress_is_noticed_long_before_the_steps_are_used_up():
    """A chain of 3,000 nodes takes thousands of steps."""
    steps = 0

    def multiply(x):
        nonlocal steps
        steps += 1
        image = 2 * x
        image[1:] -= x[:-1]
        image[:-1] -= x[1:]
        return image

    found = conjugate_gradients(multiply, np.full(3000, 2.0), np.ones(3000), tolerance=1e-10, most_steps=150)
    assert not found.reached
    assert found.steps == steps
    assert steps <= 40


def test_the_last_step_of_a_steady_fall_needs_no_multiplication():
    random = np.random.default_rng(1)
    part = random.standard_normal((200, 200)) / 140
    matrix, right = np.eye(200) + part @ part.T / 20, random.standard_normal(200)
    images = []

    def multiply(x):
        images.append(matrix @ x)
        return images[-1]

    found = conjugate_gradients(multiply, np.ones(200), right, tolerance=1e-12, most_steps=100)
    assert found.reached
    assert found.steps == len(images) + 1
    exact = np.linalg.solve(matrix, right)
    assert np.linalg.norm(found.solution - exact) <= 1e-12 * np.linalg.norm(exact)
