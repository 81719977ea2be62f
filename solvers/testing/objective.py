"""The perspective h(x, y) = y f(x/y) of each divergence for solvers: in float64 and in balls.

Here f is normalised, f >= 0 with f(1) = f'(1) = 0, so that nothing cancels when x is near y: it
differs from the kernel's f by ``slope`` (t - 1), that is kernel h = h + slope (x - y). Scores take
the difference x - y beside x and y, because it is known more precisely than they are.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from solvers.backend import arb, ball
from solvers.testing.portable_functions import exp, expm1, log, log1p
from solvers.testing.power_scores import (
    power_ball_score,
    power_gradient,
    power_score,
    power_tangent,
)
from solvers.testing.rational_divergence import mixture_terms
from verify.kernel.divergence import Divergence, parse_divergence

__all__ = ["Floats", "Objective", "float_c", "objective"]

Floats = NDArray[np.float64]
"""An array of float64."""


@dataclass(frozen=True, slots=True)
class Objective:
    """One divergence, as the solvers evaluate it.

    Args:
        divergence: the kernel's definition.
        score: (x - y, x, y) to h(x, y), elementwise in float64; x, y > 0.
        gradient: t to (g0, g1), the subgradient of h at ratio t, elementwise in float64.
        ball_score: (x, y) to a ball that encloses h(x, y), for balls x, y > 0.
        slope: what turns h into the kernel's h, see the module.
        parts: for a mixture, the positive weights and what they weigh.
        tangent: log t to (g0, -g0 - g1), elementwise in float64 and accurate near 0, where the two
            entries of ``gradient`` nearly cancel; None to derive it from ``gradient``.
        near: the largest abs(log t) where ``tangent`` is preferred to ``gradient``.
    """

    divergence: Divergence
    score: Callable[[Floats, Floats, Floats], Floats]
    gradient: Callable[[Floats], tuple[Floats, Floats]]
    ball_score: Callable[[arb, arb], arb]
    slope: Fraction | int = 0
    parts: tuple[tuple[Fraction, "Objective"], ...] = ()
    tangent: Callable[[Floats], tuple[Floats, Floats]] | None = None
    near: float = 0.5

    def slope_and_drop(self, u: Floats) -> tuple[Floats, Floats]:
        """``tangent`` at log t = u: the slope of f at t, and how far the tangent is below f(1)."""
        if self.tangent is not None:
            return self.tangent(u)
        g0, g1 = self.gradient(exp(u))
        return g0, -g0 - g1

    def tangent_value(self, u: Floats, d: Floats, x: Floats, y: Floats) -> Floats:
        """g.(x, y) for the subgradient g at log t = u, with d = x - y, elementwise."""
        with np.errstate(over="ignore", invalid="ignore"):
            g0, g1 = self.gradient(exp(u))
            slope, drop = self.slope_and_drop(u)
            near = slope * d - np.where(y > 0, drop, 0.0) * y
            value: Floats = np.where(np.abs(u) < self.near, near, g0 * x + g1 * y)
        return value

    @property
    def gamma(self) -> Fraction | None:
        """G where the divergence is e-gamma:G (tv is e-gamma:1)."""
        return self.divergence.kinks[0] if self.divergence.kinks and not self.parts else None

    @property
    def is_piecewise_linear(self) -> bool:
        """Whether f is, so that the subgradients take finitely many values."""
        return self.gamma is not None or (
            bool(self.parts) and all(part.is_piecewise_linear for _, part in self.parts)
        )


def _phi(z: Floats) -> Floats:
    """(1 + z) log(1 + z) - z, accurate near 0."""
    z = np.asarray(z, dtype=np.float64)
    small = np.abs(z) < 0.03
    w = np.where(small, z, 0.0)
    series = np.zeros_like(w)
    for n in range(12, 1, -1):  # sum of (-1)**n z**n / (n (n - 1))
        series = series * w + (-1) ** n / (n * (n - 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        direct = np.where(z > -1, (1 + z) * log1p(z) - z, -z)
    return np.where(small, series * w * w, direct)


def _kl(d: Floats, x: Floats, y: Floats) -> Floats:
    return y * _phi(d / y)


def _reverse_kl(d: Floats, x: Floats, y: Floats) -> Floats:
    return x * _phi(-d / x)


def _js(d: Floats, x: Floats, y: Floats) -> Floats:
    z = d / (x + y)
    return (x + y) / 4 * (_phi(z) + _phi(-z))


def _js_gradient(t: Floats) -> tuple[Floats, Floats]:
    return log(2 * t / (1 + t)) / 2, log(2 / (1 + t)) / 2


def _excess(u: Floats) -> Floats:
    """exp(u) - 1 - u, accurate near 0."""
    small = np.abs(u) < 0.03
    w = np.where(small, u, 0.0)
    series = np.zeros_like(w)
    for n in range(12, 2, -1):
        series = (1 + series) * w / n
    return np.where(small, (1 + series) * w * w / 2, expm1(u) - u)


def _twice_square_sinh(u: Floats) -> Floats:
    """2 sinh(u)**2 = cosh(2 u) - 1."""
    grown = expm1(2 * np.abs(u))
    value: Floats = grown / (1 + grown) * grown / 2
    return value


def _js_tangent(u: Floats) -> tuple[Floats, Floats]:
    return -log1p(expm1(-u) / 2) / 2, log1p(_twice_square_sinh(u / 4))


def _lecam_tangent(u: Floats) -> tuple[Floats, Floats]:
    decay = expm1(-np.abs(u))
    s = -np.sign(u) * decay / (2 + decay)  # tanh(u/2)
    return s * (2 - s), 2 * s * s


_TANGENTS: dict[str, Callable[[Floats], tuple[Floats, Floats]]] = {
    "kl": lambda u: (u, _excess(u)),
    "reverse-kl": lambda u: (-expm1(-u), _excess(-u)),
    "js": _js_tangent,
    "chi2": lambda u: (2 * expm1(u), expm1(u) ** 2),
    "reverse-chi2": lambda u: (-expm1(-2 * u), expm1(-u) ** 2),
    "hellinger": lambda u: (-expm1(-u / 2), 2 * _twice_square_sinh(u / 4)),
    "lecam": _lecam_tangent,
}


def _hellinger(d: Floats, x: Floats, y: Floats) -> Floats:
    root: Floats = d / (np.sqrt(x) + np.sqrt(y))
    return root * root


def _lecam_gradient(t: Floats) -> tuple[Floats, Floats]:
    s = (t - 1) / (t + 1)
    return s * (2 - s), -s * (2 + s)


def _ball_js(x: arb, y: arb) -> arb:
    m = (x + y) / 2
    return (x * (x / m).log() + y * (y / m).log()) / 2


def _square(x: arb) -> arb:
    return x * x  # arb.__pow__ answers nan for a ball that holds 0


def _named() -> dict[str, Objective]:
    table = {
        "kl": (_kl, lambda t: (log(t), 1 - t), lambda x, y: x * (x / y).log() - x + y, 1),
        "reverse-kl": (
            _reverse_kl,
            lambda t: (1 - 1 / t, -log(t)),
            lambda x, y: y * (y / x).log() + x - y,
            -1,
        ),
        "js": (_js, _js_gradient, _ball_js, 0),
        "chi2": (
            lambda d, x, y: d * d / y,
            lambda t: (2 * (t - 1), 1 - t * t),
            lambda x, y: _square(x - y) / y,
            0,
        ),
        "reverse-chi2": (
            lambda d, x, y: d * d / x,
            lambda t: (1 - 1 / t**2, 2 / t - 2),
            lambda x, y: _square(x - y) / x,
            0,
        ),
        "hellinger": (
            _hellinger,
            lambda t: (1 - 1 / np.sqrt(t), 1 - np.sqrt(t)),
            lambda x, y: _square((x - y) / (x.sqrt() + y.sqrt())),
            -1,
        ),
        "lecam": (
            lambda d, x, y: d * d / (x + y),
            _lecam_gradient,
            lambda x, y: _square(x - y) / (x + y),
            0,
        ),
    }
    return {
        name: Objective(parse_divergence(name), *parts, tangent=_TANGENTS[name])
        for name, parts in table.items()
    }


def _e_gamma(divergence: Divergence, gamma: Fraction) -> Objective:
    """The perspective (x - G y)_+ for G >= 1, and (G y - x)_+ below."""
    g, sign = float(gamma), 1 if gamma >= 1 else -1

    def score(d: Floats, x: Floats, y: Floats) -> Floats:
        return np.maximum(sign * (d + (1 - g) * y), 0.0)

    def gradient(t: Floats) -> tuple[Floats, Floats]:
        active = np.where(t >= g if sign > 0 else t < g, float(sign), 0.0)
        return active, -g * active

    def ball_score(x: arb, y: arb) -> arb:
        return arb(0).max(sign * (x - ball(gamma) * y))

    return Objective(divergence, score, gradient, ball_score, 0 if sign > 0 else 1)


_NAMED = _named()
_LARGEST_FLOAT_C = Fraction(10) ** 60


def float_c(c: Fraction) -> float:
    """E - 1 for the float tier: at most 1e60, so that no square overflows.

    Above that, floats no longer see the optimum change; what they propose is proved at the true E.
    """
    return float(min(c, _LARGEST_FLOAT_C))


def _power(divergence: Divergence, order: Fraction) -> Objective:
    """The power divergence of a Renyi or power order; kl and reverse-kl at 1 and 0."""
    if order in {0, 1}:
        return replace(_NAMED["kl" if order else "reverse-kl"], divergence=divergence)
    return Objective(
        divergence,
        power_score(order),
        power_gradient(order),
        power_ball_score(order),
        tangent=power_tangent(order),
    )


def _mixture(divergence: Divergence) -> Objective:
    """The weighted sum of the objectives of the parts."""
    parts = tuple((weight, objective(name)) for weight, name in mixture_terms(divergence.name))
    floats = [(float(weight), part) for weight, part in parts]

    def score(d: Floats, x: Floats, y: Floats) -> Floats:
        total: Floats = np.zeros_like(x)
        for weight, part in floats:
            total = total + weight * part.score(d, x, y)
        return total

    def gradient(t: Floats) -> tuple[Floats, Floats]:
        pairs = [(weight, part.gradient(t)) for weight, part in floats]
        first: Floats = sum((w * g[0] for w, g in pairs), np.zeros_like(t))
        second: Floats = sum((w * g[1] for w, g in pairs), np.zeros_like(t))
        return first, second

    def ball_score(x: arb, y: arb) -> arb:
        return sum((ball(weight) * part.ball_score(x, y) for weight, part in parts), arb(0))

    slope = sum((weight * part.slope for weight, part in parts), Fraction(0))
    return Objective(divergence, score, gradient, ball_score, slope, parts)


def objective(divergence: str | Divergence) -> Objective:
    """The solver's form of a divergence; that of its power divergence for a Renyi divergence.

    Raises:
        InputError: for a name that ``parse_divergence`` does not know.
    """
    if isinstance(divergence, str):
        divergence = parse_divergence(divergence)
    if "*" in divergence.name:
        return _mixture(divergence)
    if divergence.kinks:
        return _e_gamma(divergence, divergence.kinks[0])
    family, _, order = divergence.name.partition(":")
    if family in {"alpha", "renyi"}:
        return _power(divergence, Fraction(order))
    return _NAMED[divergence.name]
