"""The analytic centre of a polytope: where the product of the distances from its faces is largest.

It is one point, and a smooth function of the faces. So whatever an interior point is found by, and
however a machine rounds, Newton's method from there leads to the same point but for the last digits
- unlike a solver of linear programs, which may answer with any point of the best face.

Reference: Boyd, Vandenberghe 2004, sections 8.5.3 and 10.2; Nesterov, Nemirovskii 1994 (the step
1/(1 + decrement) never leaves the polytope).
"""

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cho_factor, cho_solve
from scipy.sparse import csr_array, diags_array
from threadpoolctl import threadpool_limits

__all__ = ["analytic_centre"]

Floats = NDArray[np.float64]
_MOST_STEPS = 80
_CLOSE = 1e-7  # the decrement is squared by the last step
_NEAR = 0.25
_INSIDE = 0.95


def analytic_centre(
    start: Floats, faces: csr_array, least: Floats, equations: Floats, values: Floats
) -> Floats | None:
    """The point v of {faces.v > least, equations.v = values} with the largest sum of log(slack).

    Args:
        start: n unknowns with faces.v > least and nearly equations.v = values.
        faces: shape (m, n), of rank n.
        least: shape (m,).
        equations: shape (s, n), of rank s.
        values: shape (s,).

    Returns:
        The centre to about 10 digits of each slack; None where Newton's method fails.

    Cost: O(n^3) and a product of faces with themselves, some 15 times.
    """
    with threadpool_limits(1):  # on a busy machine threads cost more than matrices of this size
        return _newton(start, faces, least, equations, values)


def _newton(
    v: Floats, faces: csr_array, least: Floats, equations: Floats, values: Floats
) -> Floats | None:
    """The centre by damped Newton steps from a point inside."""
    for _ in range(_MOST_STEPS):
        slack = faces @ v - least
        if not np.all(slack > 0):
            return None
        hessian = (faces.T @ diags_array(1 / slack**2) @ faces).toarray()
        try:
            step = _newton_step(hessian, faces.T @ (1 / slack), equations, values - equations @ v)
        except (LinAlgError, ValueError):
            return None
        rate = (faces @ step) / slack
        decrement = float(np.sqrt(np.sum(rate * rate)))
        v = v + _length(rate, decrement) * step
        if decrement < _CLOSE:
            return v
    return None


def _newton_step(hessian: Floats, rise: Floats, equations: Floats, missing: Floats) -> Floats:
    """The step d that maximises rise.d - d.hessian.d/2 subject to equations.d = missing."""
    factor = cho_factor(hessian)
    free, turned = cho_solve(factor, rise), cho_solve(factor, equations.T)
    prices = np.linalg.solve(equations @ turned, equations @ free - missing)
    step: Floats = free - turned @ prices
    return step


def _length(rate: Floats, decrement: float) -> float:
    """How far to go: all the way when near, else until the sum of logarithms rises no more."""
    if decrement < _NEAR:
        return 1.0
    sure = 1 / (1 + decrement)
    length = min(1.0, _INSIDE / max(float(-np.min(rate)), _INSIDE))
    while length > sure and np.sum(np.log1p(length * rate)) < length * decrement**2 / 10:
        length /= 2
    return max(length, sure)
