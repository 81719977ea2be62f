"""The power divergence of order A for solvers: h(x, y) = y f(x/y), f >= 0 with f(1) = f'(1) = 0.

f(t) = (t^A - 1 - A (t - 1)) / (A (A - 1)) for A other than 0 and 1. As h_A(x, y) = h_(1-A)(y, x),
only A >= 1/2 needs care for cancellation: with L = log t, f(t) = (t expm1((A-1) L)/(A-1) - (t-1))/A
is stable as A -> 1, and near t = 1 a power series in t - 1 takes over.
"""

from collections.abc import Callable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from solvers.backend import arb, ball
from solvers.testing.portable_functions import exp, expm1, log, log1p

__all__ = ["power_ball_score", "power_gradient", "power_score", "power_tangent"]

Floats = NDArray[np.float64]
_N_TERMS = 14
_NEAR = 0.03
_LARGEST_EXACT = 64


def power_score(order: Fraction) -> Callable[[Floats, Floats, Floats], Floats]:
    """(x - y, x, y) to h(x, y), elementwise in float64."""
    if order < Fraction(1, 2):
        mirrored = power_score(1 - order)
        return lambda d, x, y: mirrored(-d, y, x)
    a = float(order)
    coefficients = [0.5]
    for n in range(2, _N_TERMS):
        coefficients.append(coefficients[-1] * (a - n) / (n + 1))
    near = _NEAR / max(1.0, a)

    def score(d: Floats, x: Floats, y: Floats) -> Floats:
        z = np.asarray(d / y)
        is_near = np.abs(z) < near
        w = np.where(is_near, z, 0.0)
        series = np.zeros_like(w)
        for coefficient in reversed(coefficients):
            series = series * w + coefficient
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            ratio = np.where(is_near, 2.0, x / y)
            far = np.where(is_near, 1.0, z)
            log_ratio = np.where(far > -0.5, log1p(far), log(ratio))  # z loses a small x/y
            grown = expm1((a - 1) * log_ratio) / (a - 1)
            direct = (np.where(ratio > 0, ratio * grown, 0.0) - far) / a
        value: Floats = y * np.where(is_near, series * w * w, direct)
        return value

    return score


def power_gradient(order: Fraction) -> Callable[[Floats], tuple[Floats, Floats]]:
    """T to (f'(t), f(t) - t f'(t)) = ((t^(A-1) - 1)/(A-1), (1 - t^A)/A), elementwise."""
    a, b = float(order), float(order - 1)

    def gradient(t: Floats) -> tuple[Floats, Floats]:
        log_t = log(t)
        return expm1(b * log_t) / b, -expm1(a * log_t) / a

    return gradient


def power_tangent(order: Fraction) -> Callable[[Floats], tuple[Floats, Floats]]:
    """Log t to (f'(t), t^A f(1/t)), elementwise; the latter is the drop of the tangent below f(1).

    It is that because f(x) - f(t) - f'(t) (x - t) = t^A f(x/t).
    """
    a, b, score = float(order), float(order - 1), power_score(order)

    def tangent(u: Floats) -> tuple[Floats, Floats]:
        with np.errstate(over="ignore"):
            drop = exp(a * u) * score(expm1(-u), exp(-u), np.ones_like(u))
            return expm1(b * u) / b, drop

    return tangent


def power_ball_score(order: Fraction) -> Callable[[arb, arb], arb]:
    """(x, y) to a ball that encloses h(x, y), for balls x, y > 0."""
    is_whole = order.denominator == 1 and abs(order) <= _LARGEST_EXACT
    scale = order * (order - 1)

    def score(x: arb, y: arb) -> arb:
        ratio = x / y
        power = ratio ** int(order) if is_whole else (ball(order) * ratio.log()).exp()
        return y * (power - 1 - ball(order) * (ratio - 1)) / ball(scale)

    return score
