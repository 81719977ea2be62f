"""One call for every objective: f-divergences, Renyi divergences, Chernoff information, l_R."""

from collections.abc import Iterable
from fractions import Fraction

from solvers.epsilon import Epsilon, parse_epsilon
from solvers.testing.chernoff import solve_chernoff
from solvers.testing.laws import read_law
from solvers.testing.lr_distance import parse_lr_order, solve_lr_distance
from solvers.testing.rational_divergence import mixture_terms
from solvers.testing.renyi import solve_renyi, solve_renyi_infinity, solve_renyi_zero
from solvers.testing.solve import TestingSolution, solve_f_divergence
from verify.kernel.distribution import Distribution
from verify.kernel.divergence import DIVERGENCE_NAMES, parse_divergence
from verify.kernel.errors import InputError, LimitError
from verify.kernel.exact import as_rational, excerpt

__all__ = ["OBJECTIVE_NAMES", "canonical_name", "solve_testing"]

OBJECTIVE_NAMES = (*DIVERGENCE_NAMES, "chernoff", "lr:R", "W*D+W*D")
_MOST_BITS = 900
_RENYI_LIMITS = {"inf": solve_renyi_infinity, "0": solve_renyi_zero}


def canonical_name(text: str) -> str:
    """The one spelling of an objective, with its parameter in lowest terms.

    Raises:
        InputError: for any other text.

    >>> canonical_name("renyi:0.5"), canonical_name("lr:inf"), canonical_name("2*tv+0.5*kl")
    ('renyi:1/2', 'lr:inf', '1/2*kl+2*tv')
    """
    if not isinstance(text, str):
        raise InputError(f"divergence: {excerpt(text)} is not the name of one, such as 'kl'")
    family, colon, parameter = text.partition(":")
    if text == "chernoff":
        return text
    if family == "lr" and colon:
        order = parse_lr_order(parameter)
        return f"lr:{'inf' if order is None else order}"
    if family == "renyi" and colon:
        if parameter == "inf":
            return text
        if not as_rational(parameter, "divergence renyi"):
            return "renyi:0"
    try:
        return parse_divergence(text).name
    except InputError as error:
        if "is unknown" not in str(error):
            raise
        known = ", ".join(OBJECTIVE_NAMES)
        raise InputError(f"divergence: {excerpt(text)} is unknown; choose one of {known}") from None


def solve_testing(
    p0: Distribution | Iterable[object],
    p1: Distribution | Iterable[object],
    epsilon: object,
    divergence: str,
    outputs: int | None = None,
    *,
    weights: bool = False,
) -> TestingSolution:
    """The best epsilon-LDP channel for telling P0 from P1, with certificates of optimality.

    Args:
        p0: k probabilities (int, Fraction, exact text) that sum to 1, or a Distribution.
        p1: the same under the other hypothesis.
        epsilon: an ``Epsilon`` or what ``parse_epsilon`` reads.
        divergence: one of ``OBJECTIVE_NAMES``; ``renyi:inf`` and ``renyi:0`` are allowed, and
            ``lr:inf``.
        outputs: the largest number of outputs, or None.
        weights: whether the numbers are counts or weights, to be divided by their sums.

    Returns:
        A solution whose certificates the kernel has accepted; value_lower <= optimum <=
        value_upper. For ``renyi:0``, ``renyi:inf``, ``lr:R`` and ``chernoff`` the certificates are
        those of f-divergences, and the theorem that leads from them to the value stands in the
        module of the objective.

    Raises:
        InputError: for distributions, names or numbers out of range.
        InexactNumberError: for floats.
        UnprovedError: if no proof was found; never a wrong answer.

    Reference: Ghazi 2026 (Sort, Partition, Randomize); optimality by weak duality, see
    ``verify.kernel.optimality``; ``chernoff``: see ``solvers.testing.chernoff``.

    >>> solution = solve_testing(["3/4", "1/4"], ["1/4", "3/4"], "log(3)", "tv")
    >>> solution.value_lower, solution.value_upper, solution.blocks
    (Fraction(1, 4), Fraction(1, 4), ((1,), (0,)))
    """
    name = canonical_name(divergence)
    if outputs is not None and (type(outputs) is not int or outputs < 1):
        raise InputError(f"outputs: {excerpt(outputs)} is not an integer of at least 1, or None")
    law0, law1 = (read_law(p, n, weights=weights) for p, n in ((p0, "p0"), (p1, "p1")))
    return _solve_named(law0, law1, parse_epsilon(epsilon), name, outputs)


def _solve_named(
    law0: Distribution, law1: Distribution, level: Epsilon, name: str, outputs: int | None
) -> TestingSolution:
    """The solution by the module of the objective that has this canonical name."""
    family, _, parameter = name.partition(":")
    if family == "chernoff":
        return solve_chernoff(law0, law1, level, outputs)
    if family == "lr":
        return solve_lr_distance(law0, law1, level, parse_lr_order(parameter), outputs)
    for _, part in mixture_terms(name):
        kind, _, order = part.partition(":")
        if kind in {"alpha", "renyi"} and order not in _RENYI_LIMITS:
            _require_moderate(Fraction(order), level.exp_upper, name)
    if family == "renyi" and parameter in _RENYI_LIMITS:
        return _RENYI_LIMITS[parameter](law0, law1, level, outputs)
    if family == "renyi" and parameter != "1":
        return solve_renyi(law0, law1, level, name, outputs)
    return solve_f_divergence(law0, law1, level, name, outputs)


def _require_moderate(order: Fraction, exp_epsilon: Fraction, name: str) -> None:
    """Refuse powers E^A that the float tier cannot hold."""
    bits = exp_epsilon.numerator.bit_length() - exp_epsilon.denominator.bit_length() + 1
    if max(abs(order), abs(order - 1)) * bits > _MOST_BITS:
        raise LimitError(
            f"divergence {name}: exp(epsilon)^A is over the limit of 2^{_MOST_BITS}; "
            "lower the order or epsilon"
        )
