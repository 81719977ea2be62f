"""The best partition for a convex function of the user's own, in float64.

f is given with its derivative as two callables on arrays. It is replaced by its normalised form
f(t) - f(1) - f'(1) (t - 1) >= 0, which changes the divergence by the constant f(1) only; the value
returned is that of the f with f(1) = 0.
"""

from collections.abc import Callable, Sequence

import numpy as np

from solvers.testing.objective import Floats
from solvers.testing.partition_float import best_cuts, partition_value
from verify.kernel.errors import InputError

__all__ = ["best_convex_partition_float"]

_SLACK = 1e-7


def best_convex_partition_float(
    p0: Sequence[float] | Floats,
    p1: Sequence[float] | Floats,
    epsilon: float,
    f: Callable[[Floats], Floats],
    derivative: Callable[[Floats], Floats],
    outputs: int | None = None,
) -> tuple[tuple[tuple[int, ...], ...], float]:
    """The blocks of the best mechanism for D_f and its value, in float64 without a certificate.

    Args:
        p0: k probabilities.
        p1: the same under the other hypothesis.
        epsilon: in nats, > 0.
        f: convex on (0, infinity), elementwise on arrays.
        derivative: f', or a right derivative, elementwise.
        outputs: the largest number of outputs, or None.

    Returns:
        The symbols of each block in likelihood-ratio order, and the divergence of the output laws.

    Raises:
        InputError: for masses that are no distributions, or an f that is seen not to be convex
            with that derivative on the ratios 1/E..E.

    Cost: O(k^2) evaluations of f.
    """
    a, b = (np.asarray(p, dtype=np.float64) for p in (p0, p1))
    if a.shape != b.shape or a.ndim != 1 or not a.size:
        raise InputError("p0 and p1: need two arrays of one length")
    for name, p in (("p0", a), ("p1", b)):
        if not np.all(p >= 0) or abs(p.sum() - 1) > 1e-9:
            raise InputError(f"{name}: the probabilities must be >= 0 and sum to 1")
    if not 0 < epsilon < 300:
        raise InputError(f"epsilon: {epsilon} is not between 0 and 300")
    _require_convex(f, derivative, epsilon)
    order = np.argsort(a / np.where(a + b > 0, a + b, 1.0), kind="stable")
    scores = _scores(a[order], b[order], float(np.expm1(epsilon)), f, derivative)
    c = float(np.expm1(epsilon))
    cuts = best_cuts(scores, c, outputs)
    blocks = tuple(tuple(int(x) for x in part) for part in np.split(order, cuts[1:-1]))
    return blocks, partition_value(scores, c, cuts)


def _scores(
    a: Floats,
    b: Floats,
    c: float,
    f: Callable[[Floats], Floats],
    derivative: Callable[[Floats], Floats],
) -> Floats:
    k, one = len(a), np.ones(1)
    prefix = [np.concatenate([[0.0], np.cumsum(p)]) for p in (a, b)]
    first, end = np.triu_indices(k + 1, 1)
    u, w = (1 + c * (p[end] - p[first]) for p in prefix)
    t = u / w
    values = f(t) - f(one)[0] - derivative(one)[0] * (t - 1)
    scores = np.full((k + 1, k + 1), -np.inf)
    scores[first, end] = w * values
    return scores


def _require_convex(
    f: Callable[[Floats], Floats], derivative: Callable[[Floats], Floats], epsilon: float
) -> None:
    """Refuse functions whose tangents cross them at one of some hundred ratios."""
    t = np.exp(np.linspace(-epsilon, epsilon, 129))
    values, slopes = f(t), derivative(t)
    if not (np.all(np.isfinite(values)) and np.all(np.isfinite(slopes))):
        raise InputError("f: is not finite on the ratios from exp(-epsilon) to exp(epsilon)")
    tangents = values[:, None] + slopes[:, None] * (t[None, :] - t[:, None])
    scale = np.abs(values).max() + np.abs(slopes).max() * np.ptp(t)
    if np.any(tangents > values[None, :] + _SLACK * scale):
        raise InputError("f: is not convex with that derivative")
