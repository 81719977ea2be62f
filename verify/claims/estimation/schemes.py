"""Schemes: privacy, unbiasedness, risk, marginal equivalence."""

from fractions import Fraction
from functools import cache
from typing import Any

import sympy as sp

from solvers.estimation.corrected import corrected_n_risk
from solvers.estimation.risk import Parameters
from verify.claims.claim import Claim, Exhaustive, Symbolic
from verify.claims.domain import boxed
from verify.claims.estimation.definitions import (
    LEVELS,
    Blocks,
    channel_rows,
    count_law,
    exact_risk,
    hits,
    named_blocks,
    numbers,
    scheme_domain,
)
from verify.claims.families import compositions
from verify.claims.proof import Identity, Statement
from verify.kernel.channel import Channel
from verify.kernel.distribution import Distribution
from verify.kernel.incidence import BlockDesign
from verify.kernel.ldp import largest_column_ratio

__all__ = ["CLAIMS"]

_PARK = "Park, Nam, Lee 2023"


@cache
def _blocks(name: str) -> Blocks:
    return named_blocks()[name]


def _priors(v: int) -> list[tuple[Fraction, ...]]:
    """The uniform law, a point mass and a law in between."""
    skew = tuple(Fraction(2 * (x + 1), v * (v + 1)) for x in range(v))
    return [(Fraction(1, v),) * v, tuple(Fraction(x == 0) for x in range(v)), skew]


def _is_private(instance: Any, stretch: int = 1) -> str:
    name, level = instance
    ratio = largest_column_ratio(Channel(channel_rows(_blocks(name), level))).exp_epsilon
    expected = level**stretch
    return "" if ratio == expected else f"the largest column ratio is {ratio}, not {expected}"


def _design_statements(slip: int = 0) -> tuple[Statement, ...]:
    """alpha, beta of a block design in v, k, E, with b k = v r and r (k-1) = lambda (v-1)."""
    E, v, k, r = sp.symbols("E v k r", positive=True)
    b, lam = v * r / k, r * (k - 1) / (v - 1)
    D = r * E + b - r
    alpha, beta = r * E / D, (lam * E + r - lam) / D
    w = k * E + v - k
    hypotheses = (E - 1, v - k, k - 1, v - 2)
    return (
        Identity("alpha", alpha, (k + slip) * E / w, hypotheses),
        Identity("beta", beta, k * ((k - 1) * E + v - k) / ((v - 1) * w), hypotheses),
        Identity("alpha - beta", alpha - beta, k * (v - k) * (E - 1) / ((v - 1) * w), hypotheses),
        Identity("estimates sum to 1", (k - v * beta) / (alpha - beta), sp.Integer(1), hypotheses),
    )


def _hits_as_stated(instance: Any, *, of_complement: bool = False) -> str:
    name, level = instance
    v, b, r, lam, sizes = numbers(_blocks(name))
    alpha, beta = hits(_blocks(name), level)
    stated = Parameters(v, b, r, lam).hit_probabilities(level)
    if of_complement and len(sizes) == 1:
        stated = Parameters(v, b, b - r, b - 2 * r + lam).hit_probabilities(level)
    return "" if (alpha, beta) == stated else f"by definition {alpha}, {beta}; stated {stated}"


def _unbiased(instance: Any, *, without_beta: bool = False) -> str:
    name, level = instance
    blocks = _blocks(name)
    for prior in _priors(blocks[0]):
        _, mean = exact_risk(blocks, level, prior, 1)
        if without_beta:
            alpha, beta = hits(blocks, level)
            mean = [m + beta / (alpha - beta) for m in mean]
        if list(prior) != mean:
            return f"the mean estimate of {[str(p) for p in prior]} is {[str(m) for m in mean]}"
    return ""


def _risk_statements(slip: int = 0) -> tuple[Statement, ...]:
    """N R at the uniform law, from sum mu (1 - mu)/(alpha - beta)^2."""
    E, v, k, s = sp.symbols("E v k s", positive=True)  # s is the sum of P_x^2
    w = k * E + v - k
    alpha = k * E / w
    beta = k * ((k - 1) * E + v - k) / ((v - 1) * w)
    m = alpha - beta
    # sum mu = v beta + m, sum mu^2 = v beta^2 + 2 beta m + m^2 s
    total = (v * beta + m) - (v * beta**2 + 2 * beta * m + m**2 * s)
    stated = (v - 1) ** 2 * w**2 / (v * k * (v - k) * (E - 1) ** 2) - (s - 1 / v)
    hypotheses = (E - 1, v - k, k - 1, v - 2)
    b, r, lam = sp.symbols("b r lambda", positive=True)
    D = r * E + b - r
    mean = (lam * E + r - lam) / D + (r - lam) * (E - 1) / (D * v)
    truncated = v * mean * (1 - mean) / ((r - lam) * (E - 1) / D) ** 2
    ratio_form = (
        (v * r + (E - 1) * (r + (v - 1) * lam))
        * (v * (b - r) + (v - 1) * (r - lam) * (E - 1))
        / (v * (r - lam) ** 2 * (E - 1) ** 2)
    )
    return (
        Identity("block designs", total / m**2, stated + slip, hypotheses),
        Identity("pairwise balanced", truncated, ratio_form + slip, (E - 1, r - lam, b - r)),
    )


def _risk(instance: Any, *, doubled: bool = False) -> str:
    """N R from enumerated reports, n = 1 and 2, against the solver's rational."""
    name, level = instance
    blocks = _blocks(name)
    v, b, r, lam, _ = numbers(blocks)
    parameters = Parameters(v, b, r, lam)
    for prior in _priors(v):
        stated = parameters.n_risk(level, Distribution(prior)) * (2 if doubled else 1)
        for n in (1, 2) if b <= 8 else (1,):
            risk, _ = exact_risk(blocks, level, prior, n)
            if n * risk != stated:
                return f"n = {n}: {n * risk} by enumeration, {stated} stated"
    return ""


def _worst_is_uniform(instance: Any, *, point_is_worst: bool = False) -> str:
    name, level = instance
    v, b, r, lam, _ = numbers(_blocks(name))
    parameters = Parameters(v, b, r, lam)
    worst = parameters.n_risk(level)
    if point_is_worst:
        worst = parameters.n_risk(level, Distribution(tuple(Fraction(x == 0) for x in range(v))))
    for law in compositions(3, v) if v <= 7 else ():
        prior = Distribution(tuple(Fraction(m, 3) for m in law))
        if parameters.n_risk(level, prior) > worst:
            return f"the law {[str(m) for m in prior.masses]} has a larger risk than {worst}"
    return ""


_EQUIVALENT = (
    ("symmetric(7,3,1)", "doubled(7,3,1)"),
    ("symmetric(7,3,1)", "complete(7,3)"),
    ("complete(6,2)", "complete(6,4)"),
)


def _equivalent(instance: Any, *, any_sizes: bool = False) -> str:
    """Designs with the same v and k have the same laws of N_x, for every n."""
    (first, second), level, n = instance
    one, two = _blocks(first), _blocks(second)
    if not any_sizes and numbers(one)[4] != numbers(two)[4]:
        return ""
    for prior in _priors(one[0]):
        laws = [count_law(blocks, level, prior, n) for blocks in (one, two)]
        if laws[0] != laws[1]:
            return f"{first} and {second}: the laws of N_0 differ at {[str(p) for p in prior]}"
    return ""


def _corrected(instance: Any, *, strictly: bool = False) -> str:
    """Moving the estimates to sum 1 never raises the risk, and changes nothing for designs."""
    name, level = instance
    v, b, r, lam, sizes = numbers(_blocks(name))
    bits = tuple(sum(1 << x for x in block) for block in _blocks(name)[1])
    design, parameters = BlockDesign(v, bits), Parameters(v, b, r, lam)
    for prior in _priors(v):
        law = Distribution(prior)
        before = parameters.n_risk(level, law)
        after = corrected_n_risk(design, parameters, level, law)
        if (after >= before) if strictly else (after > before):
            return f"{before} before and {after} after the correction"
        if len(sizes) == 1 and after != before:
            return f"uniform blocks, yet {before} before and {after} after the correction"
    return ""


def _ratio_statements(power: int = 1) -> tuple[Statement, ...]:
    """The risk of a pairwise balanced scheme is unchanged when b, r, lambda are scaled together."""
    E, v, b, r, lam, t = sp.symbols("E v b r lambda t", positive=True)

    def risk(b: Any, r: Any, lam: Any) -> Any:
        return (
            (v * r + (E - 1) * (r + (v - 1) * lam))
            * (v * (b - r) + (v - 1) * (r - lam) * (E - 1))
            / (v * (r - lam) ** 2 * (E - 1) ** 2)
        )

    return (
        Identity(
            "scaling", risk(t * b, t * r, t**power * lam), risk(b, r, lam), (E - 1, r - lam, b - r)
        ),
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "estimation.private",
        "a design scheme with weights E and 1 has the largest column ratio E, exactly",
        f"{_PARK}, section II",
        "complete, cyclic and truncated designs on up to 13 points, four E",
        "the largest column ratio is E^2",
        (Exhaustive(scheme_domain, _is_private, lambda i: _is_private(i, 2), size=13, smallest=2),),
    ),
    Claim(
        "estimation.design-identities",
        "alpha, beta, alpha - beta of a block design depend on v, k, E alone; estimates sum to 1",
        f"{_PARK}, section II",
        "symbolic for all v, k, r, E; by definition on up to 13 points",
        "alpha is (k+1) E/(kE + v - k)",
        (
            Symbolic(_design_statements, lambda: _design_statements(1)),
            Exhaustive(
                scheme_domain,
                _hits_as_stated,
                lambda i: _hits_as_stated(i, of_complement=True),
                size=13,
                smallest=2,
            ),
        ),
    ),
    Claim(
        "estimation.unbiased",
        "(N_x/n - beta)/(alpha - beta) has mean P(x)",
        f"{_PARK}, section II",
        "three laws on each structure of up to 13 points, four E, by enumeration",
        "(N_x/n)/(alpha - beta) has mean P(x)",
        (
            Exhaustive(
                scheme_domain,
                _unbiased,
                lambda i: _unbiased(i, without_beta=True),
                size=13,
                smallest=2,
                batch=8,
            ),
        ),
    ),
    Claim(
        "estimation.risk",
        "n times the squared risk is the stated rational, for every law and n",
        f"{_PARK}, theorem on the risk",
        "symbolic for all v, k, E; enumerated reports for n = 1, 2",
        "n times the risk is twice that",
        (
            Symbolic(_risk_statements, lambda: _risk_statements(1)),
            Exhaustive(
                scheme_domain,
                _risk,
                lambda i: _risk(i, doubled=True),
                size=13,
                smallest=2,
                batch=8,
            ),
        ),
    ),
    Claim(
        "estimation.worst-law",
        "the uniform law has the largest risk",
        f"{_PARK}, section II",
        "laws in thirds on up to 7 points, four E",
        "a point mass has",
        (
            Exhaustive(
                scheme_domain,
                _worst_is_uniform,
                lambda i: _worst_is_uniform(i, point_is_worst=True),
                size=7,
                smallest=2,
            ),
        ),
    ),
    Claim(
        "estimation.marginal-equivalence",
        "two designs with the same v and k give N_x the same law for every n",
        f"{_PARK}, marginal equivalence",
        "a symmetric, a doubled and a complete design, n = 1..4, by convolution",
        "two designs with the same v do",
        (
            Exhaustive(
                boxed(
                    "three pairs of designs, four E, n = 1..{size}",
                    lambda size: (_EQUIVALENT, LEVELS, range(1, size + 1)),
                ),
                _equivalent,
                lambda i: _equivalent(i, any_sizes=True),
                size=4,
            ),
        ),
    ),
    Claim(
        "estimation.rpbd-ratio",
        "the risk of a pairwise balanced scheme depends on v, E and the ratio b : r : lambda",
        f"{_PARK}, regular pairwise balanced designs",
        "symbolic",
        "it does not change when lambda alone is scaled further",
        (Symbolic(_ratio_statements, lambda: _ratio_statements(2)),),
    ),
    Claim(
        "estimation.sum-to-one",
        "moving the estimates alike to sum 1 raises no risk, and is idle for block designs",
        "derived; Paterson, Stinson 2026 (pure protocols)",
        "three laws on each structure of up to 13 points, four E",
        "it lowers the risk always",
        (
            Exhaustive(
                scheme_domain,
                _corrected,
                lambda i: _corrected(i, strictly=True),
                size=13,
                smallest=2,
            ),
        ),
    ),
)
