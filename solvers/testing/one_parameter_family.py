"""The largest value over private channels of a family of f-divergences with one parameter.

A family has an interval low <= l <= high, an f-divergence D_l for each parameter l, and a value
phi(l, d) that does not fall as d >= 0 rises. Wanted is the maximum over l and over private channels
(with at most n outputs) of phi(l, D_l(M0||M1)); for one channel that is the largest value which its
output laws have in the family.

**Theorem.** For each l some Sort-Partition-Randomize mechanism is best, so the supremum over all
channels is one over finitely many mechanisms, and such a mechanism reaches it whenever the maximum
over l is attained for each of them.
Proof. Two suprema commute. For fixed l, phi(l, .) is largest where D_l is, which some such
mechanism reaches; there are finitely many of them.

**Cells.** Let points l_1 < ... < l_n in the interval have proved bounds on the best D_l over all
channels. A family supplies a bound on phi(l, D_l) for all l between two neighbouring points and all
channels, from the bounds at the two. So the maximum lies between the largest phi(l_i, lower_i) and
the largest bound of a cell: branch and bound over l, the inner problems solved by certificates that
the kernel accepts. ``family_enclosure`` puts them together in exact arithmetic. An interval may be
open, with no inner problem at its ends; then the first and the last cell have one point only.

**A family of one's own** needs a name map l -> ``alpha:...``, phi as enclosures and in float64, and
``cell``. What makes a bound of second order in the length of a cell is a few dozen points; one of
first order, such as phi(l, D_l) <= phi at the right end where phi(l, D_l) rises with l, takes about
1/sqrt(gap) of them and is best left to gaps of 1e-4.

Reference: proved above; Ghazi 2026 for the inner problem.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

from solvers.testing.alphabet import order_alphabet
from solvers.testing.objective import Floats
from solvers.testing.renyi import best_segment
from solvers.testing.solve import UnprovedError
from verify.kernel.certificate import Certificate, check_certificate
from verify.kernel.distribution import Distribution
from verify.kernel.errors import InputError
from verify.kernel.exact import as_rational, parse_canonical
from verify.kernel.interval import Interval, enclose_log
from verify.kernel.privacy_level import read_level

__all__ = [
    "BITS",
    "FamilyCell",
    "FamilyPoint",
    "FloatScore",
    "OneParameterFamily",
    "RatioRange",
    "family_enclosure",
]

BITS = 192
"""The precision of values and bounds."""

FloatScore = Callable[[Floats, Floats, Floats], Floats]
"""(x - y, x, y) to a score of blocks, as in ``Objective``."""


@dataclass(frozen=True, slots=True)
class RatioRange:
    """Upper bounds that hold at every output of every private channel for one pair of laws.

    Args:
        ratio: on M0/M1 and M1/M0.
        log: on |log M0/M1|.
        spread: on the difference of two values of log M0/M1; its variance under any law is at most
            spread^2/4 (Popoviciu 1935).
    """

    ratio: Fraction
    log: Fraction
    spread: Fraction

    @classmethod
    def of(cls, p0: Distribution, p1: Distribution, exp_epsilon: Fraction) -> "RatioRange":
        """The range for log(exp_epsilon)-LDP channels, by ``solvers.testing.renyi``."""
        pairs = (p0, p1), (p1, p0)
        ratios = [best_segment(order_alphabet(*pair), exp_epsilon)[0] for pair in pairs]
        logs = [enclose_log(ratio, BITS).upper for ratio in ratios]
        return cls(max(ratios), max(logs), sum(logs, Fraction(0)))


@dataclass(frozen=True, slots=True)
class FamilyPoint:
    """What is known of the inner problem at one parameter.

    Args:
        parameter: l.
        divergence: holds the best D_l over all channels.
        value: encloses phi(l, d) for these d.
    """

    parameter: Fraction
    divergence: Interval
    value: Interval


@dataclass(frozen=True, slots=True)
class FamilyCell:
    """The parameters between two neighbouring points.

    Args:
        left: the point where the cell begins; None for the open end of the interval.
        right: the point where it ends; None for the open end.
        stops: the points that every cover has.
        range: of the likelihood ratios of the outputs.
    """

    left: FamilyPoint | None
    right: FamilyPoint | None
    stops: Mapping[Fraction, FamilyPoint]
    range: "RatioRange"


@dataclass(frozen=True, slots=True)
class OneParameterFamily:
    """A family of f-divergences D_l with values phi(l, D_l), see the module.

    Args:
        name: for titles and messages.
        low: the least parameter.
        high: the greatest parameter, above ``low``.
        divergence: l to the name of D_l, an f-divergence of ``parse_divergence``.
        value: (l, d) to an enclosure of phi(l, d) for d >= 0; it does not fall as d rises.
        cell: to an upper bound on phi(l, D_l) for all l in the cell and all private channels; None
            where it has none. It must be proved: nothing checks it.
        value_float: (l, d) to phi in float64, to guide the search; nan where float64 loses it.
        stops: parameters that are points of every cover, where the bound needs them or phi has a
            corner.
        is_open: whether the ends have no inner problem.
        far: for a ``value_float`` of nan: l to a score whose sum over blocks, divided by E - 1 + s
            for s blocks, gives phi by the function beside it, which rises.

    Raises:
        InputError: unless low < high and the stops lie in the interval.
    """

    name: str
    low: Fraction
    high: Fraction
    divergence: Callable[[Fraction], str]
    value: Callable[[Fraction, Fraction], Interval]
    cell: Callable[[FamilyCell], Fraction | None]
    value_float: Callable[[Fraction, float], float]
    stops: tuple[Fraction, ...] = ()
    is_open: bool = False
    far: Callable[[Fraction], tuple[FloatScore, Callable[[float], float]]] | None = field(
        default=None, kw_only=True
    )

    def __post_init__(self) -> None:
        """Refuse an empty interval."""
        for number in ("low", "high"):
            object.__setattr__(self, number, as_rational(getattr(self, number), number))
        if self.low >= self.high:
            raise InputError(f"{self.name}: the interval from {self.low} to {self.high} is empty")
        if not all(self.low <= stop <= self.high for stop in self.stops):
            raise InputError(f"{self.name}: a stop lies outside {self.low}..{self.high}")

    @property
    def needed(self) -> tuple[Fraction, ...]:
        """The parameters of every cover, rising."""
        ends = () if self.is_open else (self.low, self.high)
        return tuple(sorted({*ends, *self.stops}))

    def point(self, parameter: Fraction, lower: Fraction, upper: Fraction) -> FamilyPoint:
        """The point with bounds on the best divergence."""
        first, last = (self.value(parameter, max(d, Fraction(0))) for d in (lower, upper))
        return FamilyPoint(parameter, Interval(lower, upper), Interval(first.lower, last.upper))


def _cells(
    family: OneParameterFamily, points: Sequence[FamilyPoint], ratios: RatioRange
) -> list[FamilyCell]:
    """The cells between rising points, with those at open ends."""
    stops = {point.parameter: point for point in points if point.parameter in family.stops}
    row: list[FamilyPoint | None] = [*points]
    if family.is_open:
        row = [None, *row, None]
    return [FamilyCell(x, y, stops, ratios) for x, y in pairwise(row)]


def family_enclosure(
    family: OneParameterFamily,
    parameters: Sequence[Fraction],
    certificates: Sequence[Certificate],
) -> Interval:
    """Encloses the largest value of the family over private channels, by its cells.

    Args:
        family: the family; its ``cell`` is believed.
        parameters: rising, the needed ones among them.
        certificates: of kind ``testing``, one for the divergence at each parameter, for one problem
            at one level. The mechanism of each gives a lower bound, and all together prove the
            upper one.

    Raises:
        InputError: if they are for different problems or other parameters.
        UnprovedError: if the kernel does not accept one of them, or the cover is too coarse.
    """
    _require_cover(family, parameters, certificates)
    _require_one_problem(certificates)
    points = []
    for parameter, certificate in zip(parameters, certificates, strict=True):
        verdict = check_certificate(certificate)
        if not verdict.is_accepted:
            raise UnprovedError(f"the kernel did not accept a certificate: {verdict.reason}")
        bounds = (parse_canonical(certificate.claim[end]) for end in ("lower", "upper"))
        points.append(family.point(parameter, *bounds))
    claim = certificates[0].claim
    p0, p1 = (_law(claim[key]) for key in ("p0", "p1"))
    exp_epsilon = read_level(claim["level"]).enclose_exp_epsilon(BITS).upper
    ratios = RatioRange.of(p0, p1, exp_epsilon)
    bounds_of_cells = [family.cell(cell) for cell in _cells(family, points, ratios)]
    found = [bound for bound in bounds_of_cells if bound is not None]
    if len(found) < len(bounds_of_cells):
        raise UnprovedError(f"the cover is too coarse to bound {family.name}")
    lower = max(point.value.lower for point in points)
    return Interval(lower, max(lower, *found))


def _law(masses: object) -> Distribution:
    if not isinstance(masses, list):
        raise InputError("certificates: a law must be a list")
    return Distribution(tuple(parse_canonical(mass) for mass in masses))


def _require_cover(
    family: OneParameterFamily, parameters: Sequence[Fraction], certificates: Sequence[Certificate]
) -> None:
    if len(parameters) != len(certificates) or not parameters:
        raise InputError("certificates: need one for each parameter")
    inside = all(family.low <= x <= family.high for x in parameters)
    if not inside or any(x >= y for x, y in pairwise(parameters)):
        raise InputError(f"parameters: must rise from {family.low} to {family.high}")
    missing = set(family.needed) - set(parameters)
    if missing:
        raise InputError(f"parameters: {min(missing)} must be among them")
    for parameter, certificate in zip(parameters, certificates, strict=True):
        name = family.divergence(parameter)
        if certificate.kind != "testing" or certificate.claim.get("divergence") != name:
            raise InputError(f"certificates: need one of kind testing for {name}")


def _require_one_problem(certificates: Sequence[Certificate]) -> None:
    keys = ("p0", "p1", "level", "outputs")
    problems = [{key: c.claim.get(key) for key in keys} for c in certificates]
    if any(problem != problems[0] for problem in problems):
        raise InputError("certificates: are for different problems")
