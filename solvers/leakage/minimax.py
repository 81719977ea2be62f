"""Le Cam's two-point lower bounds on the minimax risk behind a private channel.

Two laws P, Q of the input whose parameters are 2 D apart, n users who each pass one sample through
a channel of their own, and a loss l(distance): every estimator has risk at least
(l(D)/2)(1 - TV_n) for one of the two, where TV_n is the total variation of the two laws of all n
outputs. With t, h, k, x upper bounds on the total variation, squared Hellinger distance
sum (sqrt p - sqrt q)^2, KL and chi2 of one output, TV_n is at most each of
1 - (1 - t)^n,  sqrt(1 - (1 - h/2)^(2n)),  sqrt(n k/2),  sqrt(1 - e^(-n k)),  sqrt((1 + x)^n - 1)/2
(sub-additivity, Le Cam, Pinsker, Bretagnolle and Huber, Jensen).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from solvers.leakage.data_processing import Setting, output_bounds
from solvers.leakage.dobrushin import dobrushin_bound
from verify.kernel.distribution import Distribution
from verify.kernel.errors import InputError
from verify.kernel.exact import INFINITE, excerpt
from verify.kernel.interval import Interval, enclose_exp, enclose_log, enclose_sqrt

__all__ = [
    "LeCamBound",
    "enclose_inflation_factor",
    "le_cam_bound",
    "non_private_setting",
    "samples_needed",
    "total_variation_of_samples",
]

_DIVERGENCES = ("tv", "hellinger", "kl", "reverse-kl", "chi2", "reverse-chi2")
_BITS = 96
_MAX_SAMPLES = 1 << 80


@dataclass(frozen=True, slots=True)
class LeCamBound:
    """A lower bound on the minimax risk.

    Args:
        risk: *lower bound* on the risk, rational.
        total_variation: *upper bound* on TV_n that gives it.
        route: the divergence through which TV_n was bounded, and its data-processing bound.
    """

    risk: Fraction
    total_variation: Fraction
    route: str


def non_private_setting(n_inputs: int) -> Setting:
    """The setting of users who send their samples as they are."""
    return Setting(n_inputs, Fraction(0), INFINITE, Fraction(1), INFINITE)


_OneOutput = tuple[tuple[str, str, Fraction], ...]


def _one_output(setting: Setting, p: Distribution, q: Distribution) -> _OneOutput:
    """For each divergence: its name, the smallest bound's name and value."""
    found = []
    for divergence in _DIVERGENCES:
        bounds = output_bounds(divergence, setting, p, q, _BITS)
        if bounds:
            found.append((divergence, bounds[0].name, bounds[0].upper))
    return tuple(found)


def _exp_upper(exponent: Fraction) -> Fraction | None:
    """An upper bound on e^exponent; None above 2, where nothing useful follows."""
    if exponent > 2:
        return None
    return enclose_exp(max(exponent, Fraction(-1000)), _BITS).upper


def _exp_lower(exponent: Fraction) -> Fraction:
    """A lower bound on e^exponent for an exponent <= 0."""
    return enclose_exp(exponent, _BITS).lower if exponent > -1000 else Fraction(0)


def _log(argument: Fraction) -> Interval:
    return enclose_log(argument, _BITS)


def _of_samples(divergence: str, one: Fraction, n: int) -> Iterator[Fraction]:
    """Upper bounds on TV_n, possibly above 1, from a bound on one output."""
    if divergence == "tv" and one < 1:
        yield 1 - _exp_lower(n * _log(1 - one).lower)
    elif divergence == "hellinger" and one < 2:
        yield _sqrt(1 - _exp_lower(2 * n * _log(1 - one / 2).lower))
    elif divergence.endswith("kl"):
        yield _sqrt(n * one / 2)
        yield _sqrt(1 - _exp_lower(-n * one))
    elif divergence.endswith("chi2"):
        power = _exp_upper(n * _log(1 + one).upper)
        if power is not None:
            yield _sqrt(max(power - 1, Fraction(0))) / 2


def _sqrt(argument: Fraction) -> Fraction:
    return enclose_sqrt(argument, _BITS).upper


def _smallest(outputs: _OneOutput, n: int) -> tuple[Fraction, str]:
    found = [(Fraction(1), "trivial")]
    for divergence, bound, one in outputs:
        found += ((value, f"{divergence}:{bound}") for value in _of_samples(divergence, one, n))
    return min(found)


def total_variation_of_samples(
    setting: Setting, p: Distribution, q: Distribution, n_samples: int
) -> Fraction:
    """An *upper bound* on TV_n, the total variation of n private outputs.

    Raises:
        InputError: for n < 0, or laws that the setting does not allow.
    """
    return le_cam_bound(Fraction(0), setting, p, q, n_samples).total_variation


def le_cam_bound(
    loss: Fraction, setting: Setting, p: Distribution, q: Distribution, n_samples: int
) -> LeCamBound:
    """The largest of Le Cam's two-point lower bounds, (l(D)/2)(1 - TV_n).

    Args:
        loss: l(D) >= 0, the loss at half the distance between the two parameters.
        setting: what is known of the channels.
        p: P, masses >= the c of the setting.
        q: Q, the same.
        n_samples: n users.

    Returns:
        A *lower bound* on the minimax risk over any class that holds P and Q.

    Raises:
        InputError: for n < 0, or laws that the setting does not allow.

    Reference: Le Cam 1973; the module for TV_n.
    """
    if not isinstance(n_samples, int) or not 0 <= n_samples <= _MAX_SAMPLES:
        raise InputError(f"n_samples: {excerpt(n_samples)} is not an integer in 0..2^80")
    upper, route = _smallest(_one_output(setting, p, q), n_samples)
    return LeCamBound(loss / 2 * (1 - upper), upper, route)


def samples_needed(error: Fraction, setting: Setting, p: Distribution, q: Distribution) -> int:
    """A *lower bound* on the n for which some test of P against Q errs with at most ``error``.

    The error is the mean of the two kinds, at least (1 - TV_n)/2.

    Args:
        error: in (0, 1/2).
        setting: what is known of the channels.
        p: P, masses >= the c of the setting.
        q: Q, the same.

    Raises:
        InputError: for an error outside (0, 1/2), or when no number of samples up to 2^80 suffices.
    """
    if not 0 < error < Fraction(1, 2):
        raise InputError(f"error: {error} is outside (0, 1/2)")
    outputs, target = _one_output(setting, p, q), 1 - 2 * error
    high = 1
    while _smallest(outputs, high)[0] < target:
        high *= 2
        if high > _MAX_SAMPLES:
            raise InputError("the two laws cannot be told apart with 2^80 samples")
    low = high // 2
    while high - low > 1:  # too few samples at low, not shown to be too few at high
        middle = (low + high) // 2
        low, high = (middle, high) if _smallest(outputs, middle)[0] < target else (low, middle)
    return high


def enclose_inflation_factor(n_inputs: int, c: object, epsilon: object) -> Interval:
    """Encloses 1/eta: by what factor privacy inflates the samples that a Le Cam bound asks for.

    D(PK||QK) <= eta D(P||Q) for KL, chi2 and squared Hellinger distance, so n private samples tell
    no more than eta n plain ones in those bounds.

    Raises:
        InputError: for invalid arguments or epsilon = 0.
    """
    bound = dobrushin_bound(n_inputs, c, epsilon)
    if not bound.lower:
        raise InputError("epsilon: is 0; no number of samples makes up for it")
    return Interval(1 / bound.upper, 1 / bound.lower)
