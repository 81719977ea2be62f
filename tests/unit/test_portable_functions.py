"""exp, expm1, log and log1p of the solvers: close to the truth, and the same bits everywhere."""

import hashlib

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.testing import portable_functions

NAMES = ("exp", "expm1", "log", "log1p")
SHARE = 2.0**-50
DIGEST = "d5761c08586f5add1576fee9c128ec509818d00d3986a3b692385296b658f7cb"
"""Of the values below, as little-endian float64: it must not depend on the machine."""


def arguments(name: str) -> np.ndarray:
    """Numbers of all sizes that the function takes, made of small integers without rounding."""
    ramp = np.arange(1, 4001, dtype=np.float64)
    near, wide = (
        (ramp - 2000) / 4096,
        np.ldexp(ramp, (np.arange(4000) % 1900 - 960).astype(np.intc)),
    )
    tiny = np.ldexp(near, -(np.arange(4000) % 60).astype(np.intc))
    if name == "log":
        return np.concatenate([1 + near, 1 + tiny / 2, wide])
    if name == "log1p":
        return np.concatenate([2 * near[near > -0.49], tiny, wide, -1 + 1 / ramp])
    return np.concatenate([near, tiny, 350 * near])


def relative_error(name: str, x: float) -> float:
    with mpmath.workprec(200):
        true = getattr(mpmath, name)(mpmath.mpf(x))
        found = mpmath.mpf(float(getattr(portable_functions, name)(x)))
        return float(abs(found - true) / abs(true)) if true else float(abs(found))


@pytest.mark.parametrize("name", NAMES)
def test_every_fifth_argument(name) -> None:
    assert max(relative_error(name, float(x)) for x in arguments(name)[::5]) < SHARE


@given(st.floats(-700, 700))
def test_exponentials(x) -> None:
    assert relative_error("exp", x) < SHARE
    assert relative_error("expm1", x) < SHARE


@given(st.floats(min_value=1e-300, max_value=1e300))
def test_logarithms(x) -> None:
    assert relative_error("log", x) < SHARE
    assert relative_error("log1p", x) < SHARE
    if x < 1:
        assert relative_error("log1p", -x) < SHARE


def test_the_bits_are_the_same_everywhere() -> None:
    digest = hashlib.sha256()
    for name in NAMES:
        digest.update(getattr(portable_functions, name)(arguments(name)).astype("<f8").tobytes())
    assert digest.hexdigest() == DIGEST


def test_the_ends() -> None:
    inf, nan = float("inf"), float("nan")
    exp, expm1, log, log1p = (getattr(portable_functions, name) for name in NAMES)
    assert log([0.0, inf, 1.0]).tolist() == [-inf, inf, 0.0]
    assert log1p([-1.0, inf, 0.0]).tolist() == [-inf, inf, 0.0]
    assert exp([0.0, -1e6, -inf]).tolist() == [1.0, 0.0, 0.0]
    assert expm1([0.0, -1e6, -inf]).tolist() == [0.0, -1.0, -1.0]
    with np.errstate(over="ignore"):
        assert exp([1e6, inf]).tolist() == expm1([1e6, inf]).tolist() == [inf, inf]
    for function, x in ((exp, nan), (expm1, nan), (log, nan), (log1p, nan), (log, -1), (log1p, -2)):
        assert np.isnan(function(x))
    assert isinstance(exp(1.0), float)
