"""The leakage profile of a channel: its worst leakage as a function of the least prior mass c.

For the column of output y with maximum h, minimum m and sum s, the worst exp(leakage) over the
priors with masses >= c is h/(c s + (1 - Nc) m) = 1/(a + b c) with a = m/h and b = (s - N m)/h >= 0.
The reciprocal of the profile is therefore the lower envelope of lines on [0, 1/N]: concave,
piecewise linear, with exact breakpoints.

The Dobrushin bound at that leakage is min(1, (1 - a - b c)/(1 + a - (N - b) c)), on each piece a
quotient of linear functions and so monotone: its infimum over c is reached at a breakpoint.
"""

from dataclasses import dataclass
from fractions import Fraction

from solvers.leakage.contraction import dobrushin_coefficient
from solvers.leakage.dobrushin import dobrushin_at_leakage
from verify.kernel.channel import Channel
from verify.kernel.errors import InputError
from verify.kernel.exact import INFINITE, Extended, as_rational

__all__ = ["BestBound", "LeakageProfile", "Segment", "leakage_profile"]


@dataclass(frozen=True, slots=True)
class Segment:
    """One piece of a profile: exp(leakage) = 1/(intercept + slope c) for lower <= c <= upper.

    Args:
        lower: the least c of the piece.
        upper: the largest c of the piece.
        output: the first output that attains the profile on the piece.
        intercept: a = min K / max K of that output.
        slope: b = (sum K - N min K) / max K of that output.
    """

    lower: Fraction
    upper: Fraction
    output: int
    intercept: Fraction
    slope: Fraction


@dataclass(frozen=True, slots=True)
class BestBound:
    """The least Dobrushin bound that a channel's own leakages give, and where.

    Args:
        c: the least c at which the infimum is reached.
        exp_leakage: the exponential of the worst leakage there.
        bound: the infimum over c of the bound, *exact*.
        coefficient: the Dobrushin coefficient of the channel, *exact*; never above the bound.
        ldp_bound: the bound from the largest column ratio alone, (E - 1)/(E + 1), or 1.
    """

    c: Fraction
    exp_leakage: Extended
    bound: Fraction
    coefficient: Fraction
    ldp_bound: Fraction


@dataclass(frozen=True, slots=True)
class LeakageProfile:
    """c to the exponential of the worst leakage over priors with masses >= c, *exact*.

    Args:
        channel: the channel.
        segments: the pieces, from c = 0 to c = 1/N without gaps.
    """

    channel: Channel
    segments: tuple[Segment, ...]

    @property
    def breakpoints(self) -> tuple[Fraction, ...]:
        """0, the values of c where the formula changes, and 1/N."""
        return (self.segments[0].lower, *(segment.upper for segment in self.segments))

    def exp_leakage(self, c: object) -> Extended:
        """The exponential of the worst leakage at c, *exact*.

        Raises:
            InputError: if c is outside [0, 1/N].
        """
        mass = as_rational(c, "c")
        for segment in self.segments:
            if segment.lower <= mass <= segment.upper:
                reciprocal = segment.intercept + segment.slope * mass
                return 1 / reciprocal if reciprocal else INFINITE
        n = self.channel.n_inputs
        raise InputError(f"c: {mass} is outside [0, 1/{n}] for {n} inputs")

    def dobrushin_bound(self, c: object) -> Fraction:
        """The bound on the Dobrushin coefficient from the leakage at c alone, *exact*."""
        mass = as_rational(c, "c")
        return dobrushin_at_leakage(self.channel.n_inputs, mass, self.exp_leakage(mass))

    def best_bound(self) -> BestBound:
        """The infimum over c of the Dobrushin bound at the channel's own leakage, *exact*.

        Reference: Grosse, Saeidian, Oechtering, Skoglund 2026 for the bound at one c.
        """
        values = [(self.dobrushin_bound(c), c) for c in self.breakpoints]
        bound, c = min(values)
        return BestBound(
            c, self.exp_leakage(c), bound, dobrushin_coefficient(self.channel), values[0][0]
        )


def leakage_profile(channel: Channel) -> LeakageProfile:
    """The leakage profile of the channel.

    Raises:
        InputError: for a channel with one input, which leaks nothing and has no profile.

    Cost: O(m k) for m outputs and k pieces.

    >>> K = Channel((("1/2", "1/2", "0"), ("0", "1/2", "1/2"), ("1/2", "0", "1/2")))
    >>> leakage_profile(K).exp_leakage("1/10")
    Fraction(5, 1)
    """
    n = channel.n_inputs
    if n < 2:
        raise InputError("channel: has one input; a leakage profile needs at least two")
    lines = []
    for y, column in enumerate(channel.columns()):
        high, low = max(column), min(column)
        if high:
            lines.append((low / high, (sum(column) - n * low) / high, y))
    return LeakageProfile(channel, _lower_envelope(lines, Fraction(1, n)))


def _lower_envelope(
    lines: list[tuple[Fraction, Fraction, int]], end: Fraction
) -> tuple[Segment, ...]:
    """The pieces of the pointwise minimum of the lines (intercept, slope, output) on [0, end]."""
    here, (intercept, slope, output) = Fraction(0), min(lines)
    segments = []
    while True:
        # Only a less steep line can come below; the first to do so, then the least steep, wins.
        crossings = [((a - intercept) / (slope - b), b, y, a) for a, b, y in lines if b < slope]
        upper, b, y, a = min(crossings, default=(end, slope, output, intercept))
        segments.append(Segment(here, min(upper, end), output, intercept, slope))
        if upper >= end:
            return tuple(segments)
        here, intercept, slope, output = upper, a, b, y
