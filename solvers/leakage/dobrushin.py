"""The largest Dobrushin coefficient of a channel with (epsilon, c)-PML, and a channel that has it.

A channel with N inputs is (epsilon, c)-PML (pointwise maximal leakage) if it leaks at most epsilon
under every prior with masses >= c. With E = e^epsilon the largest coefficient is
eta = min(1, (E - 1)/(E (1 - Nc) + 1)); it is 1 from epsilon = log(2/(Nc)) on.

Attained with two outputs, for every N >= 2 and 0 <= c <= 1/N: half of the inputs answer 1 with
probability (1 + eta)/2, half with (1 - eta)/2, and for odd N one input tosses a fair coin. Both
columns then sum to N/2, and (1 + eta)/2 <= E (cN/2 + (1 - Nc)(1 - eta)/2) holds with equality
when eta < 1.
"""

from dataclasses import dataclass
from fractions import Fraction

from solvers.epsilon import Epsilon, parse_epsilon
from verify.kernel.certificate import Certificate
from verify.kernel.channel import Channel
from verify.kernel.errors import InexactNumberError, InputError, LimitError
from verify.kernel.exact import INFINITE, Extended, Infinity, as_rational, rational_text
from verify.kernel.interval import Interval, enclose_log
from verify.kernel.verdict import Status

__all__ = [
    "DobrushinBound",
    "attaining_kernel",
    "dobrushin_at_leakage",
    "dobrushin_bound",
    "dobrushin_certificate",
    "require_least_mass",
]


@dataclass(frozen=True, slots=True)
class DobrushinBound:
    """The largest Dobrushin coefficient of an (epsilon, c)-PML channel, enclosed.

    Args:
        n_inputs: N.
        c: the least mass of a prior.
        epsilon: the worst leakage.
        lower: *lower bound*, reached by ``attaining_kernel``.
        upper: *upper bound*; equal to ``lower`` when e^epsilon is rational.
        contracts: whether the coefficient is below 1.
        exp_threshold: 2/(Nc), the least e^epsilon at which it is 1; INFINITE for c = 0.
    """

    n_inputs: int
    c: Fraction
    epsilon: Epsilon
    lower: Fraction
    upper: Fraction
    contracts: bool
    exp_threshold: Extended

    def enclose_threshold(self, bits: int = 128) -> Interval | Infinity:
        """Encloses the threshold log(2/(Nc)) in nats; INFINITE for c = 0."""
        if isinstance(self.exp_threshold, Infinity):
            return INFINITE
        return enclose_log(self.exp_threshold, bits)

    def __repr__(self) -> str:
        """The bound to ten digits and what it is of."""
        return (
            f"<DobrushinBound {float(self.upper):.10g} for {self.n_inputs} inputs, "
            f"epsilon {self.epsilon}, c {self.c}>"
        )


def require_least_mass(n_inputs: int, c: object) -> Fraction:
    """The least mass c as a rational in [0, 1/N].

    Raises:
        InputError: if it is not, or N < 2.
        InexactNumberError: if c is a float or N is not an int.
    """
    if not isinstance(n_inputs, int):
        raise InexactNumberError(f"inputs: {type(n_inputs).__name__} is not an int")
    if n_inputs < 2:
        raise InputError(f"inputs: {n_inputs} is less than 2")
    mass = as_rational(c, "c")
    if not 0 <= mass * n_inputs <= 1:
        raise InputError(f"c: {mass} is outside [0, 1/{n_inputs}] for {n_inputs} inputs")
    return mass


def dobrushin_at_leakage(n_inputs: int, c: Fraction, exp_leakage: Extended) -> Fraction:
    """min(1, (E - 1)/(E (1 - Nc) + 1)) for a rational or infinite E >= 1, *exact*.

    Reference: Grosse, Saeidian, Oechtering, Skoglund 2026.

    >>> dobrushin_at_leakage(2, Fraction(0), Fraction(3))
    Fraction(1, 2)
    """
    if isinstance(exp_leakage, Infinity):
        return Fraction(1)
    bound = (exp_leakage - 1) / (exp_leakage * (1 - n_inputs * c) + 1)
    return min(bound, Fraction(1))


def dobrushin_bound(n_inputs: int, c: object, epsilon: object) -> DobrushinBound:
    """The largest Dobrushin coefficient of an (epsilon, c)-PML channel with N inputs.

    Args:
        n_inputs: N >= 2.
        c: the least mass of a prior, an exact number in [0, 1/N]; 0 is local differential privacy.
        epsilon: an `Epsilon`, or what ``parse_epsilon`` reads.

    Returns:
        The value enclosed to about 38 digits, *exact* for rational e^epsilon.

    Raises:
        InputError: for N < 2, c outside [0, 1/N] or an invalid epsilon.

    Reference: Grosse, Saeidian, Oechtering, Skoglund 2026.

    >>> dobrushin_bound(4, "1/8", "log(3)").upper
    Fraction(4, 5)
    """
    mass, level = require_least_mass(n_inputs, c), parse_epsilon(epsilon)
    lower, upper = (
        dobrushin_at_leakage(n_inputs, mass, exp) for exp in (level.exp_lower, level.exp_upper)
    )
    threshold: Extended = 2 / (n_inputs * mass) if mass else INFINITE
    contracts = isinstance(threshold, Infinity) or not _reaches(level, threshold)
    return DobrushinBound(n_inputs, mass, level, lower, upper, contracts, threshold)


def _reaches(epsilon: Epsilon, threshold: Fraction) -> bool:
    status = epsilon.level.allows(threshold)
    if status is Status.UNDECIDED:
        raise LimitError(f"epsilon: {epsilon} is too close to log({threshold}) to be told apart")
    return status is Status.ACCEPTED


def attaining_kernel(n_inputs: int, c: object, epsilon: object) -> Channel:
    """An (epsilon, c)-PML channel with two outputs whose Dobrushin coefficient is the largest.

    Its probabilities come from the rational ``exp_lower`` <= e^epsilon: its leakage is rounded
    down and it reaches the ``lower`` of ``dobrushin_bound`` exactly.

    Args:
        n_inputs: N >= 2.
        c: the least mass of a prior, an exact number in [0, 1/N].
        epsilon: an `Epsilon`, or what ``parse_epsilon`` reads.

    Raises:
        InputError: for N < 2, c outside [0, 1/N] or an invalid epsilon.

    Reference: the construction of the module, proved there.

    >>> [str(row[0]) for row in attaining_kernel(3, "1/9", "log(2)").rows]
    ['5/7', '2/7', '1/2']
    """
    mass, level = require_least_mass(n_inputs, c), parse_epsilon(epsilon)
    eta = dobrushin_at_leakage(n_inputs, mass, level.exp_lower)
    high, low, half = (1 + eta) / 2, (1 - eta) / 2, Fraction(1, 2)
    firsts = [high] * (n_inputs // 2) + [low] * (n_inputs // 2) + [half] * (n_inputs % 2)
    return Channel(tuple((first, 1 - first) for first in firsts))


def dobrushin_certificate(bound: DobrushinBound) -> Certificate:
    """The certificate of kind ``leakage``: the attaining channel and the dual multipliers."""
    kernel = attaining_kernel(bound.n_inputs, bound.c, bound.epsilon)
    exp_upper = bound.epsilon.exp_upper
    multiplier = 1 / (exp_upper * (1 - bound.n_inputs * bound.c) + 1)
    if (exp_upper - 1) * multiplier < 1:
        multipliers = (multiplier, multiplier, Fraction(0))
    else:
        multipliers = (Fraction(0), Fraction(0), Fraction(1))
    level = bound.epsilon.level
    claim = {
        "inputs": bound.n_inputs,
        "c": rational_text(bound.c),
        "level": {"nats": rational_text(level.nats)}
        if level.nats is not None
        else {"exp_epsilon": rational_text(bound.epsilon.exp_lower)},
        "lower": rational_text(bound.lower),
        "upper": rational_text(bound.upper),
    }
    witness = {
        "rows": [[rational_text(entry) for entry in row] for row in kernel.rows],
        "pair": [0, bound.n_inputs // 2],
        "exp_leakage": rational_text(exp_upper),
        "multipliers": [rational_text(number) for number in multipliers],
    }
    return Certificate("leakage", claim, witness)
