"""Privacy: the coupling in an exact discrete model, on enclosed laws, and in certificates."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import sympy as sp
from flint import ctx

from solvers.thresholding.audit import audit_privacy
from solvers.thresholding.certificate import mechanism_certificate
from solvers.thresholding.lower_bounds import path_length
from solvers.thresholding.negative_controls import (
    cap_evaluations,
    drop_shared_noise,
    fix_evaluations,
    flip_sign,
    halve_shift_budget,
    skip_purification,
)
from solvers.thresholding.rounds import Direction
from verify.claims.claim import Claim, Exhaustive, Randomised, Symbolic
from verify.claims.domain import boxed, listed
from verify.claims.proof import Identity, Statement, nonnegative
from verify.claims.thresholding.settings import calibrated, parameters_of, settings
from verify.kernel.certificate import check_certificate
from verify.kernel.coupling import Round, check_round

__all__ = ["CLAIMS"]

_PAPER = "Chaturvedi, Henzinger et al. 2026"
_SHARED, _OWN = Fraction(1, 2), Fraction(2, 3)
"""e^(-eps_0) and e^(-eps_1) of the discrete model: S and Y are geometric with these ratios."""


def _probability(
    places: Sequence[int], *, stops: bool, shared: Fraction = _SHARED, own: Fraction = _OWN
) -> Fraction:
    """P[tau = t] or P[tau > t] when round i accepts iff Y_i >= j_i + S, exactly.

    Given S the acceptance is own^max(0, j + S). From S = max(-j) on it is c x with x = own^S, so
    the sum over S is a finite part and geometric series of the expanded product.
    """
    start = max(0, *(-j for j in places))
    total = Fraction(0)
    for s in range(start):
        accepts = [own ** max(0, j + s) for j in places]
        total += (1 - shared) * shared**s * _event(accepts, stops=stops)
    polynomial = [Fraction(1)]
    for i, j in enumerate(places):
        factor = (
            [Fraction(0), own**j] if stops and i == len(places) - 1 else [Fraction(1), -(own**j)]
        )
        polynomial = _times(polynomial, factor)
    for power, coefficient in enumerate(polynomial):
        ratio = shared * own**power
        total += coefficient * (1 - shared) * ratio**start / (1 - ratio)
    return total


def _event(accepts: Sequence[Fraction], *, stops: bool) -> Fraction:
    product_ = Fraction(1)
    for i, a in enumerate(accepts):
        product_ *= a if stops and i == len(accepts) - 1 else 1 - a
    return product_


def _times(left: Sequence[Fraction], right: Sequence[Fraction]) -> list[Fraction]:
    found = [Fraction(0)] * (len(left) + len(right) - 1)
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            found[i + j] += a * b
    return found


def _coupled(instance: Any, shift: int = 2, *, no_shared: bool = False) -> str:
    """P[tau = t | X] <= e^(eps_0 + 2 eps_1) P[tau = t | X'] and P[tau > t | X] <= e^eps_0 ..."""
    places, moves = instance
    if len(places) != len(moves):
        return ""
    others = [j + d for j, d in zip(places, moves, strict=True)]
    first, second = (_probability(x, stops=True) for x in (places, others))
    limit = 1 / (_SHARED * _OWN**shift)
    if first > limit * second:
        return f"P[tau = {len(places)}] is {first} and {second}, over the factor {limit}"
    first, second = (_probability(x, stops=False) for x in (places, others))
    limit = Fraction(1) if no_shared else 1 / _SHARED
    if first > limit * second:
        return f"P[tau > {len(places)}] is {first} and {second}, over the factor {limit}"
    return ""


def _sequences(size: int) -> list[Any]:
    values = range(-size, size + 1)
    return [
        (places, moves)
        for t in (1, 2, 3)
        for places in product(values, repeat=t)
        for moves in product((-1, 0, 1), repeat=t)
    ]


def _drawn() -> Any:
    from hypothesis import strategies as st  # noqa: PLC0415 - Hypothesis is slow to import

    places = st.lists(st.integers(-6, 6), min_size=1, max_size=6)
    return places.flatmap(
        lambda js: st.tuples(
            st.just(tuple(js)),
            st.tuples(*(st.sampled_from((-1, 0, 1)) for _ in js)),
        )
    )


def _neighbour_statements(wrong: int = 0) -> tuple[Statement, ...]:
    """Costs of the shifts; the shifted arguments dominate for every move d in [-1, 1]."""
    e, th = sp.symbols("epsilon theta", positive=True)
    up, down = sp.symbols("up down", nonnegative=True)  # d = 1 - down = up - 1
    shared, own = th * e / (2 + th), e / (2 + th)
    return (
        Identity("cost", shared + (2 - wrong) * own, e),
        nonnegative("a rejection: d - 1 <= 0", 1 - (1 - down), nonnegative=(up, down)),
        nonnegative(
            "an acceptance: d + (2 - 1) >= 0", (up - 1) + (2 - wrong) - 1, nonnegative=(up, down)
        ),
    )


def _audited(instance: Any, share: Fraction = Fraction(1)) -> str:
    """The largest enclosed log-ratio over adversarial neighbours is at most epsilon."""
    ctx.prec = 128
    result = audit_privacy(calibrated(instance, 2))
    if not result.log_ratio.upper <= result.epsilon.lower * share:
        return (
            f"{result.event}: the log-ratio is {float(result.log_ratio.upper):.8f}, epsilon "
            f"{float(result.epsilon.lower):.8f}"
        )
    return ""


def _certified(instance: Any, *, cheaper: bool = False) -> str:
    """The kernel accepts the coupling certificate of the mechanism."""
    run, step = parameters_of(instance)
    certificate = mechanism_certificate(run, [step])
    if cheaper:
        from dataclasses import replace  # noqa: PLC0415

        claim = dict(certificate.claim)
        claim["total"] = "99/100"
        certificate = replace(certificate, claim=claim)
    verdict = check_certificate(certificate)
    return "" if verdict.is_accepted else verdict.reason


def _round_rule(instance: Any, *, shift_one: bool = False) -> str:
    """The kernel's rule for a round agrees with the discrete model: shifts below a + 1 fail."""
    sign, at_least, shared_shift, shift = instance
    rule = check_round(
        Round(Fraction(1), sign, at_least, Fraction(0), monotone=False), shared_shift, shift
    )
    needed = shared_shift + (0 if shift_one else 1)
    expected = at_least == (sign == 1) and shift >= needed
    return "" if rule.is_accepted == expected else f"accepted: {rule.is_accepted}"


_CONTROLS = {
    "no shared noise": drop_shared_noise,
    "shift budget halved": halve_shift_budget,
    "evaluations capped": cap_evaluations,
    "evaluations fixed": fix_evaluations,
    "not purified": skip_purification,
    "wrong sign": flip_sign,
}


def _refuted(instance: Any, *, survives: bool = False) -> str:
    """The broken variant is certainly not epsilon-DP, by a witness."""
    name, setting = instance
    ctx.prec = 128
    step = calibrated(setting, 1)[0]
    direct = step.direction is Direction.DIRECT
    if (name == "wrong sign") == direct or (name == "not purified" and not step.step.delta):
        return ""  # the control is about the other direction, or about delta > 0
    if name in {"evaluations capped", "evaluations fixed"} and not direct:
        return ""
    found = _CONTROLS[name](step)
    if found.is_refuted == survives:
        return f"{name}: refuted {found.is_refuted}, at {found.event}"
    return ""


_FLIPPED = (("1/10", "99/100", "1/1000"), "2", "1", "1/10", "log(3)")


def _controls(size: int) -> list[Any]:
    """Each variant at the first parameter sets and at a flipped one; the dear ones only once."""
    chosen = [*(s for s, _ in settings().orbits(size)), _FLIPPED]
    dear = {"shift budget halved", "evaluations fixed"}
    return [
        (name, s) for name in _CONTROLS for i, s in enumerate(chosen) if name not in dear or i == 0
    ]


def _path(instance: Any, *, quarter: bool = False) -> str:
    """A private event grows from a to 1 - b in d steps only if E^d (E+1)^2 a b >= E.

    Up to 1/(E+1) a step multiplies p by E, from E/(E+1) on it divides 1 - p by E, and one step
    leads from the one to the other.
    """
    level, a, b = instance
    steps = path_length(a, 1 - b, level)
    reached = level**steps * a * b
    enough = 4 * reached >= 1 if quarter else reached * (level + 1) ** 2 >= level
    return "" if enough else f"{steps} steps lead from {a} to {1 - b}"


def _path_statements(slip: int = 0) -> tuple[Statement, ...]:
    """Both rules agree where p = 1/(E+1); E/(E+1)^2 is at most 1/4, its limit for E -> 1."""
    E = sp.Symbol("E", positive=True)
    p = 1 / (E + 1 + slip)
    return (
        Identity("the rules meet", E * p, 1 - (1 - p) / E, (E - 1,)),
        Identity(
            "below a quarter",
            sp.Rational(1, 4) - E / (E + 1) ** 2,
            (E - 1) ** 2 / (4 * (E + 1) ** 2),
        ),
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "thresholding.coupling-cost",
        "S -> S+1 and Y -> Y+2 cover every move of a neighbour and cost eps_0 + 2 eps_1 = eps",
        f"{_PAPER}, privacy theorem; derived",
        "symbolic for all moves d in [-1, 1] and all theta",
        "Y -> Y+1 covers them",
        (Symbolic(_neighbour_statements, lambda: _neighbour_statements(1)),),
    ),
    Claim(
        "thresholding.coupling-exact",
        "P[tau=t] changes at most by e^(eps_0+2eps_1) and P[tau>t] by e^eps_0 between neighbours",
        f"{_PAPER}, privacy theorem; derived",
        "geometric noises, exact laws in closed form, all sequences of up to 3 rounds",
        "P[tau=t] changes at most by e^(eps_0+eps_1)",
        (
            Exhaustive(
                listed("places -{size}..{size} of up to 3 rounds with all moves", _sequences),
                _coupled,
                lambda i: _coupled(i, 1),
                size=2,
                batch=512,
            ),
            Randomised(_drawn, _coupled, lambda i: _coupled(i, 1), examples=200),
        ),
    ),
    Claim(
        "thresholding.shared-noise-pays",
        "rejections before time t cost e^eps_0 once, however many there are",
        f"{_PAPER}, privacy theorem (sparse vector)",
        "geometric noises, exact laws, all sequences of up to 3 rounds",
        "rejections cost nothing",
        (
            Exhaustive(
                listed("places -{size}..{size} of up to 3 rounds with all moves", _sequences),
                _coupled,
                lambda i: _coupled(i, no_shared=True),
                size=2,
                batch=512,
            ),
        ),
    ),
    Claim(
        "thresholding.stopping-law",
        "enclosed stopping laws of adversarial neighbours have log-ratio at most epsilon",
        f"{_PAPER}, privacy theorem",
        "ten parameter sets, two rounds, both directions, delta >= 0",
        "the log-ratio is at most 0.9 epsilon",
        (
            Exhaustive(
                settings(),
                _audited,
                lambda i: _audited(i, Fraction(9, 10)),
                size=10,
                batch=1,
            ),
        ),
    ),
    Claim(
        "thresholding.certificate",
        "the kernel accepts the coupling certificate of every calibrated mechanism",
        f"{_PAPER}, privacy theorem",
        "all 96 parameter sets",
        "it accepts 99/100 of the cost",
        (Exhaustive(settings(), _certified, lambda i: _certified(i, cheaper=True), size=96),),
    ),
    Claim(
        "thresholding.round-rule",
        "the kernel accepts shifts (a, b) for a round exactly when b >= a + 1 and the sign fits",
        "the proof in verify.kernel.coupling",
        "both signs and directions, shifts in quarters",
        "exactly when b >= a",
        (
            Exhaustive(
                boxed(
                    "signs, directions, shifts up to {size} in quarters",
                    lambda size: (
                        (1, -1),
                        (True, False),
                        [Fraction(n, 4) for n in range(4, 4 * size + 1)],
                        [Fraction(n, 4) for n in range(4 * size + 5)],
                    ),
                ),
                _round_rule,
                lambda i: _round_rule(i, shift_one=True),
                size=3,
                batch=512,
            ),
        ),
    ),
    Claim(
        "thresholding.negative-controls",
        "every broken variant is refuted by a witness: shared noise, budget, caps, purity, sign",
        "the privacy proof needs each of its parts",
        "six variants, at up to five parameter sets",
        "a broken variant survives",
        (
            Exhaustive(
                listed("six broken variants, at {size} + 1 parameter sets", _controls),
                _refuted,
                lambda i: _refuted(i, survives=True),
                size=4,
                batch=2,
            ),
        ),
    ),
    Claim(
        "thresholding.path-length",
        "a private event grows from a to 1 - b in d steps only if E^d >= E/((E+1)^2 a b)",
        f"{_PAPER}, lower bounds; derived",
        "a, b = 2^-j, five E, by iterating p -> min(Ep, 1-(1-p)/E)",
        "only if E^d >= 1/(4 a b), the limit of this for E -> 1",
        (
            Symbolic(_path_statements, lambda: _path_statements(1)),
            Exhaustive(
                boxed(
                    "E = 21/20..4 and a, b = 2^-2..2^-{size}",
                    lambda size: (
                        tuple(map(Fraction, ("21/20", "11/10", "3/2", "2", "4"))),
                        [Fraction(1, 2**j) for j in range(2, size + 1)],
                        [Fraction(1, 2**j) for j in range(2, size + 1)],
                    ),
                ),
                _path,
                lambda i: _path(i, quarter=True),
                size=16,
                smallest=3,
            ),
        ),
    ),
)
