"""Exact risk of a design scheme, the least that any unbiased scheme can have, and where they meet.

Letters: v symbols, b outputs, r outputs on a symbol, lambda_ on two, E = exp(epsilon); alpha, beta
as in ``verify.kernel.estimation``. Risk is the expected squared error; ``n_risk`` is n times it,
exact for every n.
"""

from dataclasses import dataclass
from fractions import Fraction

from solvers.backend import arb, ball, ball_bounds, working_precision
from solvers.epsilon import Epsilon, parse_epsilon
from verify.kernel.distribution import Distribution
from verify.kernel.errors import InputError
from verify.kernel.estimation import canonical_risk, hit_probabilities
from verify.kernel.exact import INFINITE, Extended
from verify.kernel.interval import Interval, enclose_sqrt

__all__ = [
    "OptimalWindow",
    "Parameters",
    "enclose_loss",
    "is_optimal_block_size",
    "optimal_block_sizes",
    "optimal_window",
    "optimum",
    "require_alphabet",
]

_BITS = 192
_MAX_BITS = 4096


@dataclass(frozen=True, slots=True)
class Parameters:
    """A regular pairwise balanced structure, by its numbers.

    Args:
        v: symbols, at least 2.
        b: outputs.
        r: outputs on every symbol, lambda_ < r < b.
        lambda_: outputs on every two symbols.

    Raises:
        InputError: for numbers with which reports carry no information.
    """

    v: int
    b: int
    r: int
    lambda_: int

    def __post_init__(self) -> None:
        """Refuse structures that do not tell symbols apart."""
        if self.v < 2 or not 0 <= self.lambda_ < self.r < self.b:
            raise InputError(
                f"v = {self.v}, b = {self.b}, r = {self.r}, lambda = {self.lambda_}: telling "
                "symbols apart needs v >= 2 and 0 <= lambda < r < b"
            )

    def hit_probabilities(self, exp_epsilon: Fraction) -> tuple[Fraction, Fraction]:
        """(alpha, beta), *exact*: a symbol lies on its own report, on that of another."""
        return hit_probabilities(self.b, self.r, self.lambda_, exp_epsilon)

    def n_risk(self, exp_epsilon: Fraction, prior: Distribution | None = None) -> Fraction:
        """The risk of the canonical estimator times n, *exact*; without a prior the worst.

        Raises:
            InputError: for E = 1, or a prior on another number of symbols.
        """
        worst = canonical_risk(self.v, self.b, self.r, self.lambda_, exp_epsilon)
        if prior is None:
            return worst
        if len(prior) != self.v:
            raise InputError(f"prior: has {len(prior)} masses for {self.v} symbols")
        alpha, beta = self.hit_probabilities(exp_epsilon)
        hits = [beta + (alpha - beta) * mass for mass in prior.masses]
        return sum((mu * (1 - mu) for mu in hits), Fraction(0)) / (alpha - beta) ** 2


def require_alphabet(alphabet_size: object) -> int:
    """The number of symbols, if it is an integer and at least 2."""
    if not isinstance(alphabet_size, int) or isinstance(alphabet_size, bool) or alphabet_size < 2:
        raise InputError(f"alphabet size: {alphabet_size!r} is not an integer of at least 2")
    return alphabet_size


def is_optimal_block_size(v: int, k: int, exp_epsilon: Fraction) -> bool:
    """Whether block designs with block size k are exactly optimal at E, by the closed form."""
    return optimal_window(v, k).contains(exp_epsilon)


def _optimal_at(v: int, exp_epsilon: Fraction) -> tuple[int, ...]:
    near = int(v / (exp_epsilon + 1))  # the real minimiser is v/(E+1)
    candidates = range(max(1, near - 1), min(v - 1, near + 2) + 1)
    return tuple(k for k in candidates if is_optimal_block_size(v, k, exp_epsilon))


def optimal_block_sizes(alphabet_size: int, epsilon: object) -> tuple[int, ...]:
    """K*: the block sizes k of exactly optimal block designs on v symbols at epsilon, *exact*.

    Args:
        alphabet_size: v >= 2.
        epsilon: an ``Epsilon`` or what ``parse_epsilon`` reads; positive.

    Returns:
        One size, or two consecutive ones when e^epsilon lies exactly on a border.

    Raises:
        InputError: for other arguments.

    Reference: Park, Nam and Lee 2023.

    >>> optimal_block_sizes(100, 1)
    (27,)
    """
    v, level = require_alphabet(alphabet_size), parse_epsilon(epsilon)
    _require_informative(level)
    bits, bounds = 0, Interval(level.exp_lower, level.exp_upper)
    while True:
        low, high = (_optimal_at(v, end) for end in (bounds.lower, bounds.upper))
        if low == high:
            return low
        # e^epsilon is transcendental here and the squares of borders are rational: it ends.
        bits = max(2 * bits, 2 * _BITS)
        if bits > _MAX_BITS:
            raise InputError(f"epsilon = {level}: too close to a border of the optimal block sizes")
        bounds = level.level.enclose_exp_epsilon(bits)


def _require_informative(level: Epsilon) -> None:
    if level.exp_lower == 1:
        raise InputError(
            "epsilon = 0: every report is independent of its symbol, so no unbiased estimator "
            "exists (it would divide by e^epsilon - 1 = 0); give epsilon > 0"
        )


def optimum(alphabet_size: int, epsilon: object) -> Fraction:
    """M: no unbiased epsilon-private scheme has n times its worst risk below it.

    Returns:
        Exact when e^epsilon is rational, else a *lower bound* with a relative error below 2^-100.

    Raises:
        InputError: for fewer than 2 symbols or epsilon = 0.

    Reference: Ye and Barg 2018; proved in ``verify.kernel.estimation``.
    """
    v, level = require_alphabet(alphabet_size), parse_epsilon(epsilon)
    _require_informative(level)
    p, q = level.exp_upper.as_integer_ratio()
    k = _optimal_at(v, level.exp_upper)[0]
    numerator = (v - 1) ** 2 * (k * p + (v - k) * q) ** 2
    return Fraction(numerator, v * k * (v - k) * (p - q) ** 2)


@dataclass(frozen=True, slots=True)
class OptimalWindow:
    """The values of E at which a block design with given v and k is exactly optimal.

    Args:
        lower_squared: the square of the least E, *exact*; at least 1.
        upper_squared: the square of the largest, INFINITE for k = 1.
    """

    lower_squared: Fraction
    upper_squared: Extended

    @property
    def is_empty(self) -> bool:
        """Whether no E >= 1 lies in the window."""
        return isinstance(self.upper_squared, Fraction) and self.upper_squared < self.lower_squared

    def contains(self, exp_epsilon: Fraction) -> bool:
        """Whether E lies in the window, *exact*."""
        if exp_epsilon**2 < self.lower_squared:
            return False
        return not isinstance(self.upper_squared, Fraction) or exp_epsilon**2 <= self.upper_squared

    def enclose(self, bits: int = 64) -> tuple[Interval, Interval | Extended]:
        """Enclosures of the two end points."""
        lower = enclose_sqrt(self.lower_squared, bits)
        if not isinstance(self.upper_squared, Fraction):
            return lower, INFINITE
        return lower, enclose_sqrt(self.upper_squared, bits)


def optimal_window(v: int, k: int) -> OptimalWindow:
    """The window of E in which block designs with v points and block size k are optimal, *exact*.

    Raises:
        InputError: unless 1 <= k < v.

    >>> Fraction("2.9612") < optimal_window(101, 25).enclose(64)[0].lower < Fraction("2.9613")
    True
    >>> optimal_window(7, 3).upper_squared
    Fraction(10, 3)
    """
    if not 1 <= k < v:
        raise InputError(f"v = {v}, k = {k}: a block design needs 1 <= k < v")
    lower = Fraction((v - k) * (v - k - 1), k * (k + 1))
    upper = Fraction((v - k) * (v - k + 1), k * (k - 1)) if k > 1 else INFINITE
    return OptimalWindow(max(lower, Fraction(1)), upper)


def enclose_loss(
    n_risk: Fraction, alphabet_size: int, loss: Fraction, bits: int = _BITS
) -> Interval:
    """Encloses the limit of n^(u/2) times the worst expected u-th power error, 1 <= u <= 2.

    It is C_u v (n_risk/v)^(u/2) with C_u = 2^(u/2) Gamma((u+1)/2)/sqrt(pi): for n to infinity the
    errors are normal, and the uniform law is the worst. For u = 2 it is n_risk, for every n.

    Args:
        n_risk: n times the worst expected squared error, of a scheme or of the lower bound.
        alphabet_size: v.
        loss: u.
        bits: precision.

    Raises:
        InputError: for u outside [1, 2].

    Reference: Ye and Barg 2019.
    """
    if not 1 <= loss <= 2:
        raise InputError(f"loss: u = {loss} is not in 1..2")
    if loss == 2:
        return Interval.exactly(n_risk)
    with working_precision(bits):
        u = ball(loss)
        constant = arb(2) ** (u / 2) * ((u + 1) / 2).gamma() / arb.pi().sqrt()
        value = constant * alphabet_size * ball(n_risk / alphabet_size) ** (u / 2)
        return Interval(*ball_bounds(value))
