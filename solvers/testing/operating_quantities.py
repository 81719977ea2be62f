"""What a mechanism means for a test on many users: error exponents and sample sizes.

With g(a) = sum M0^a M1^(1-a) and priors w, 1 - w, the least Bayes error of n samples is at most
w^a (1-w)^(1-a) g(a)^n, and at least w (1-w) g(1/2)^(2n): by Cauchy-Schwarz the square of
sum sqrt(w P (1-w) Q) is at most sum min(wP, (1-w)Q) times sum max, and the latter is at most 1.
These give the first bracket of the least n with a given error; as the error never rises with n,
exact values close it by bisection as far as the limit on work allows.

Reference: Chernoff 1952; Kailath 1967 (the lower bound).
"""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from solvers.output_law import output_law
from solvers.testing.chernoff_information import enclose_affinity, enclose_chernoff_information
from solvers.testing.product_test import ProductTest
from verify.kernel.channel import Channel
from verify.kernel.distribution import Distribution
from verify.kernel.divergence import enclose_divergence, parse_divergence
from verify.kernel.errors import InputError, LimitError
from verify.kernel.exact import Infinity
from verify.kernel.interval import Interval, enclose_log

__all__ = [
    "ErrorExponents",
    "PriceOfPrivacy",
    "SampleSize",
    "error_exponents",
    "price_of_privacy",
    "sample_size",
]

_BITS = 128
_ORDERS = tuple(Fraction(n, 16) for n in range(1, 16))


@dataclass(frozen=True, slots=True)
class ErrorExponents:
    """Rates at which the errors of the best test fall with the number of samples, in nats.

    Args:
        bayes: of the Bayes error: the Chernoff information.
        type_two: of the second error at a fixed first one: the relative entropy of M0 to M1.
        type_one: of the first error at a fixed second one: that of M1 to M0.
    """

    bayes: Interval | Infinity
    type_two: Interval | Infinity
    type_one: Interval | Infinity


@dataclass(frozen=True, slots=True)
class SampleSize:
    """Bounds on the least number of samples with a given Bayes error.

    Args:
        lower: no fewer samples suffice.
        upper: so many suffice; None if no number does.
    """

    lower: int
    upper: int | None

    @property
    def is_exact(self) -> bool:
        """Whether the two bounds agree."""
        return self.lower == self.upper


@dataclass(frozen=True, slots=True)
class PriceOfPrivacy:
    """Exponents and sample sizes with and without a mechanism.

    Args:
        private: exponents of the output laws.
        non_private: exponents of the input laws.
        private_samples: samples that the mechanism needs.
        non_private_samples: samples that the bare data need.
    """

    private: ErrorExponents
    non_private: ErrorExponents
    private_samples: SampleSize
    non_private_samples: SampleSize

    @property
    def factor(self) -> tuple[Fraction, Fraction | None]:
        """Bounds on how many times more samples privacy needs."""
        bare, private = self.non_private_samples, self.private_samples
        if bare.upper is None:
            return Fraction(1), None
        low = Fraction(private.lower, max(bare.upper, 1))
        return low, None if private.upper is None else Fraction(private.upper, max(bare.lower, 1))


def error_exponents(m0: Distribution, m1: Distribution) -> ErrorExponents:
    """The exponents of the best tests between two laws, enclosed."""
    kl = parse_divergence("kl")
    return ErrorExponents(
        enclose_chernoff_information(m0, m1),
        enclose_divergence(kl, m0, m1, _BITS),
        enclose_divergence(kl, m1, m0, _BITS),
    )


def sample_size(
    m0: Distribution, m1: Distribution, target: Fraction, prior0: Fraction = Fraction(1, 2)
) -> SampleSize:
    """The least number of samples whose best test has a Bayes error of at most ``target``.

    Args:
        target: a positive probability.
        prior0: the prior of M0, strictly between 0 and 1.

    Returns:
        Bounds that hold for certain, equal unless the exact errors are over the limit on work.

    Raises:
        InputError: for a target or prior out of range.
    """
    if not 0 < prior0 < 1:
        raise InputError(f"prior0: {prior0} is not strictly between 0 and 1")
    if target <= 0:
        raise InputError(f"target: {target} is not positive")
    if min(prior0, 1 - prior0) <= target:
        return SampleSize(0, 0)
    if m0.masses == m1.masses:
        return SampleSize(0, None)
    low, high = _bracket(m0, m1, target, prior0)
    while low < high:
        middle = (low + high) // 2
        try:
            error = ProductTest(m0, m1, middle).bayes_error(prior0)
        except LimitError:
            if middle == low:
                break
            return _up_to_limit(m0, m1, target, prior0, low, high)
        if error <= target:
            high = middle
        else:
            low = middle + 1
    return SampleSize(low, high)


def _up_to_limit(
    m0: Distribution, m1: Distribution, target: Fraction, prior0: Fraction, low: int, high: int
) -> SampleSize:
    """A better lower end from the largest number of samples that can be computed."""
    n = low
    while True:
        try:
            error = ProductTest(m0, m1, n).bayes_error(prior0)
        except LimitError:
            return SampleSize(low, high)
        if error <= target:
            return sample_size_between(m0, m1, target, prior0, low, n)
        low = n + 1
        n = max(2 * n, 1)


def sample_size_between(
    m0: Distribution, m1: Distribution, target: Fraction, prior0: Fraction, low: int, high: int
) -> SampleSize:
    """The least number, known to lie in low..high, by exact bisection."""
    while low < high:
        middle = (low + high) // 2
        if ProductTest(m0, m1, middle).bayes_error(prior0) <= target:
            high = middle
        else:
            low = middle + 1
    return SampleSize(low, high)


def _bracket(
    m0: Distribution, m1: Distribution, target: Fraction, prior0: Fraction
) -> tuple[int, int]:
    """Bounds on the least number of samples from the two inequalities of the module."""
    half = enclose_affinity(m0, m1, Fraction(1, 2), _BITS)
    if half.upper <= 0:
        return 1, 1  # disjoint laws: one sample tells them apart
    need = enclose_log(target / (prior0 * (1 - prior0)), _BITS)
    rate = enclose_log(half.lower, _BITS).lower * 2
    low = max(0, floor(need.upper / rate)) if rate < 0 else 0
    highs = []
    for order in _ORDERS:
        affinity = enclose_affinity(m0, m1, order, _BITS).upper
        if affinity < 1:
            prior = enclose_log(prior0, _BITS).scaled(order) + enclose_log(
                1 - prior0, _BITS
            ).scaled(1 - order)
            gap = enclose_log(target, _BITS).lower - prior.upper
            highs.append(max(0, ceil(gap / enclose_log(affinity, _BITS).upper)))
    if not highs:
        raise LimitError("the two laws are too close to bound the number of samples")
    return min(low, *highs), min(highs)


def price_of_privacy(
    p0: Distribution,
    p1: Distribution,
    channel: Channel,
    target: Fraction,
    prior0: Fraction = Fraction(1, 2),
) -> PriceOfPrivacy:
    """Exponents and sample sizes of a mechanism beside those of the bare data.

    Args:
        channel: any channel on the alphabet of p0 and p1.
        target: the Bayes error aimed at.
        prior0: the prior of the first hypothesis.
    """
    m0, m1 = output_law(channel, p0), output_law(channel, p1)
    return PriceOfPrivacy(
        error_exponents(m0, m1),
        error_exponents(p0, p1),
        sample_size(m0, m1, target, prior0),
        sample_size(p0, p1, target, prior0),
    )
