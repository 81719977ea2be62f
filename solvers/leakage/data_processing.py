"""Strong data processing: how far two output laws of a private channel can be, at most.

P, Q are laws of the input with masses >= c, d = TV(P, Q); the channel has N inputs and leaks at
most log(E) over c. eta is the largest Dobrushin coefficient, R the output ratio,
d' = d/(1 - Nc), and P = c + (1 - Nc) P'. The bounds:
- ``binette-e``: Binette's inequality at TV eta d with ratios in [1/E, E].
- ``binette-r``: the same with ratios in [1/R, R].
- ``binette-s``: the same with ratios in [1/S, S], S = 1 + d' (R - 1). Proof: P'K', Q'K' are
  w + d' a, w + d' b where a column of K' holds l <= a, b <= R l and w >= (1 - d') l, so their ratio
  is at most 1 + d' (a - b)/(w + d' b) <= S.
- ``dobrushin``: D(PK||QK) <= eta D(P||Q) for every f-divergence (Cohen, Kempermann, Zbaganu 1998).
- ``ldp-contraction``: D <= ((R-1)/(R+1))^2 D(P'||Q') for operator convex f
  (Asoodeh, Zhang 2024; here for K').
- ``ldp-chi2``: chi2 <= (R-1)^2 max(1/R, 2/(R+2)) d'^2, where 1/R alone serves two inputs; then
  KL <= log(1 + chi2) and squared Hellinger <= KL. Proof below.
- ``ldp-kl``: KL <= min(4, R^2) (R-1)^2 d'^2 (Duchi, Jordan, Wainwright 2013, Theorem 1; for K').

Proof of ``ldp-chi2``. With Z = QK, u = a/Z, v = b/Z: chi2 = d'^2 E_Z (u - v)^2, E u = E v = 1, and
for each y both lie in some [l, R l] that holds 1. For x = alpha (R - 1) >= 0 and kappa >= 2 x/R,
kappa >= (R-1)^2 - x, kappa >= x/R + (R-1)^2/R^2, convexity gives (u - v)^2 <=
alpha (u + v - 2) + kappa at the corners of every such square and so inside. The least kappa is
(R-1)^2 max(1/R, 2/(R+2)). Ternary randomized response with R = 4 exceeds (R-1)^2/R: the factor
1/R alone, true for two inputs, is false for three.
"""

from dataclasses import dataclass
from fractions import Fraction

from solvers.epsilon import Epsilon, parse_epsilon
from solvers.leakage.binette import (
    Measure,
    binette_constant,
    enclose_f_divergence,
    from_f_divergence,
    largest_divergence,
    parse_measure,
)
from solvers.leakage.contraction import dobrushin_coefficient
from solvers.leakage.dobrushin import dobrushin_at_leakage, require_least_mass
from solvers.leakage.output_ratio import interior_law, kernel_output_ratio, largest_output_ratio
from solvers.leakage.worst_leakage import worst_exp_leakage
from verify.kernel.channel import Channel
from verify.kernel.distribution import Distribution
from verify.kernel.errors import InputError
from verify.kernel.exact import Extended, Infinity
from verify.kernel.interval import Interval, enclose_log

__all__ = [
    "OutputBound",
    "Setting",
    "TvConstants",
    "kernel_setting",
    "leakage_setting",
    "output_bounds",
    "total_variation",
    "tv_constants",
]


@dataclass(frozen=True, slots=True)
class Setting:
    """What is known of a channel: one channel, or all with a leakage.

    Args:
        n_inputs: N.
        c: the least mass of an input law.
        exp_leakage: E, the worst exp(leakage) over c.
        contraction: eta, an *upper bound* on the Dobrushin coefficient.
        output_ratio: R, an *upper bound* on the output ratio.
    """

    n_inputs: int
    c: Fraction
    exp_leakage: Extended
    contraction: Fraction
    output_ratio: Extended


@dataclass(frozen=True, slots=True)
class OutputBound:
    """An upper bound on a divergence between two output laws.

    Args:
        name: which bound, as in the module.
        upper: *upper bound*, rational.
    """

    name: str
    upper: Fraction


def leakage_setting(n_inputs: int, c: object, epsilon: object) -> Setting:
    """All channels with N inputs and worst leakage epsilon over c; rounded up.

    Raises:
        InputError: for N < 2, c outside [0, 1/N] or an invalid epsilon.
    """
    mass, exp = require_least_mass(n_inputs, c), parse_epsilon(epsilon).exp_upper
    eta = dobrushin_at_leakage(n_inputs, mass, exp)
    return Setting(n_inputs, mass, exp, eta, largest_output_ratio(n_inputs, mass, exp))


def kernel_setting(channel: Channel, c: object) -> Setting:
    """One channel: its own leakage, Dobrushin coefficient and output ratio, *exact*."""
    mass = require_least_mass(channel.n_inputs, c)
    return Setting(
        channel.n_inputs,
        mass,
        worst_exp_leakage(channel, mass),
        dobrushin_coefficient(channel),
        kernel_output_ratio(channel, mass),
    )


def total_variation(p: Distribution, q: Distribution) -> Fraction:
    """TV(P, Q), half the l1 distance, *exact*."""
    return sum((abs(x - y) for x, y in zip(p.masses, q.masses, strict=True)), Fraction(0)) / 2


def output_bounds(
    divergence: str, setting: Setting, p: Distribution, q: Distribution, bits: int = 128
) -> tuple[OutputBound, ...]:
    """Upper bounds on D(PK||QK), the smallest first.

    Args:
        divergence: a name of ``parse_measure``.
        setting: what is known of K.
        p: P over the N inputs, masses >= c.
        q: Q, the same.
        bits: precision.

    Returns:
        Every bound of the module that applies and is finite; none if none is.

    Raises:
        InputError: for an unknown divergence, laws of another size or with a mass below c.
    """
    measure = parse_measure(divergence)
    for name, law in (("p", p), ("q", q)):
        if len(law) != setting.n_inputs or min(law.masses) < setting.c:
            raise InputError(f"{name}: needs {setting.n_inputs} masses of at least {setting.c}")
    if p.masses == q.masses:
        return (OutputBound("equal", Fraction(0)),)
    found = [*_binette_bounds(measure, setting, total_variation(p, q), bits)]
    if measure.family not in {"chernoff", "lr"}:
        found += _contraction_bounds(measure, setting, p, q, bits)
    if not isinstance(setting.output_ratio, Infinity):
        scaled = total_variation(p, q) / (1 - setting.n_inputs * setting.c)
        found += _square_bounds(measure, setting, setting.output_ratio, scaled, bits)
    return tuple(sorted(found, key=lambda bound: bound.upper))


def _binette_bounds(
    measure: Measure, setting: Setting, distance: Fraction, bits: int
) -> list[OutputBound]:
    at_output = setting.contraction * distance
    ratios = {"binette-e": setting.exp_leakage, "binette-r": setting.output_ratio}
    if not isinstance(setting.output_ratio, Infinity):
        scaled = distance / (1 - setting.n_inputs * setting.c)
        ratios["binette-s"] = 1 + scaled * (setting.output_ratio - 1)
    return [
        OutputBound(name, largest_divergence(measure, at_output, ratio, bits).upper)
        for name, ratio in ratios.items()
        if not isinstance(ratio, Infinity)
    ]


def _contraction_bounds(
    measure: Measure, setting: Setting, p: Distribution, q: Distribution, bits: int
) -> list[OutputBound]:
    factors = [("dobrushin", setting.contraction, p, q)]
    ratio, c = setting.output_ratio, setting.c
    if measure.is_operator_convex and not isinstance(ratio, Infinity):
        inner_p, inner_q = (Distribution(interior_law(law.masses, c)) for law in (p, q))
        square = ((ratio - 1) / (ratio + 1)) ** 2
        factors.append(("ldp-contraction", square, inner_p, inner_q))
    found = []
    for name, factor, first, second in factors:
        value = enclose_f_divergence(measure, first, second, bits)
        # A sum of 0 for an order below 1 is two disjoint laws, at infinite Renyi divergence.
        if not isinstance(value, Infinity) and (
            not _saturates(measure) or value.upper * factor < 1
        ):
            bound = from_f_divergence(measure, Interval.exactly(value.upper * factor), bits)
            found.append(OutputBound(name, bound.upper))
    return found


def _saturates(measure: Measure) -> bool:
    return measure.family == "renyi" and measure.order < 1


def _square_bounds(
    measure: Measure, setting: Setting, ratio: Fraction, scaled: Fraction, bits: int
) -> list[OutputBound]:
    """The bounds by the square of the total variation, for the divergences below chi2."""
    factor = 1 / ratio if setting.n_inputs == 2 else max(1 / ratio, 2 / (ratio + 2))
    chi2 = (ratio - 1) ** 2 * factor * scaled**2
    if measure.name in {"chi2", "reverse-chi2"}:
        return [OutputBound("ldp-chi2", chi2)]
    if measure.name == "alpha:2":
        return [OutputBound("ldp-chi2", chi2 / 2)]
    if measure.name not in {"kl", "reverse-kl", "hellinger", "renyi:2"}:
        return []
    found = [OutputBound("ldp-chi2", enclose_log(1 + chi2, bits).upper)]
    if measure.name != "renyi:2":
        square = min(Fraction(4), ratio**2) * (ratio - 1) ** 2 * scaled**2
        found.append(OutputBound("ldp-kl", square))
    return found


@dataclass(frozen=True, slots=True)
class TvConstants:
    """Constants C with D_f(PK||QK) <= C TV(P, Q) for all (epsilon, c)-PML channels.

    For ``renyi`` and ``chernoff`` they bound the f-divergence beneath.

    Args:
        name: the divergence.
        by_exp_epsilon: *upper bound* eta times Binette's constant at E.
        by_output_ratio: *upper bound* eta times Binette's constant at the largest output ratio.
        ldp: the same for LDP at the same epsilon, from ``tanh(epsilon/2)`` in place of eta.
        attained: *lower bound* on the best constant: what the attaining kernel shows.
    """

    name: str
    by_exp_epsilon: Fraction
    by_output_ratio: Fraction
    ldp: Fraction
    attained: Fraction

    @property
    def smallest(self) -> Fraction:
        """The smaller of the two constants, an *upper bound*."""
        return min(self.by_exp_epsilon, self.by_output_ratio)


def tv_constants(
    divergence: str, n_inputs: int, c: object, epsilon: object, bits: int = 128
) -> TvConstants:
    """The constants in front of TV, and what the attaining kernel shows of the best one.

    The attaining kernel's output ratios are R0 and 1/R0 only, where Binette's inequality is an
    equality, for the two input laws c + (1 - Nc) delta_x: so the best constant is at least
    eta times Binette's constant at R0. For c = 0, R0 = E and the constant is best possible.

    Args:
        divergence: a name of ``parse_measure``.
        n_inputs: N >= 2.
        c: the least mass, in [0, 1/N).
        epsilon: a positive level.
        bits: precision.

    Raises:
        InputError: for invalid arguments, c = 1/N (no two laws) or epsilon = 0.
    """
    measure, level = parse_measure(divergence), parse_epsilon(epsilon)
    mass = require_least_mass(n_inputs, c)
    if mass * n_inputs == 1 or level.exp_lower == 1:
        raise InputError("the constants need c below 1/N and epsilon above 0")
    setting = leakage_setting(n_inputs, mass, level)
    return TvConstants(
        measure.name,
        _constant(measure, setting.contraction, level.exp_upper, bits).upper,
        _constant(measure, setting.contraction, setting.output_ratio, bits).upper,
        _constant(
            measure,
            dobrushin_at_leakage(n_inputs, Fraction(0), level.exp_upper),
            level.exp_upper,
            bits,
        ).upper,
        _attained(measure, n_inputs, mass, level, bits),
    )


def _constant(measure: Measure, eta: Fraction, ratio: Extended, bits: int) -> Interval:
    if isinstance(ratio, Infinity) or ratio == 1:
        raise InputError(f"ratio: {ratio} gives no finite constant")
    return binette_constant(measure, ratio, bits).scaled(eta)


def _attained(
    measure: Measure, n_inputs: int, c: Fraction, epsilon: Epsilon, bits: int
) -> Fraction:
    # Both columns of the attaining kernel sum to N/2 with extremes (1 +- eta)/2.
    eta = dobrushin_at_leakage(n_inputs, c, epsilon.exp_lower)
    shrunk = (1 - n_inputs * c) * eta
    return _constant(measure, eta, (1 + shrunk) / (1 - shrunk), bits).lower
