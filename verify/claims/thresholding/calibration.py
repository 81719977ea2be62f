"""Calibration: the identity of Lambda, failure budgets, counting tests, purification, accuracy."""

from fractions import Fraction
from typing import Any

import sympy as sp
from flint import arb, ctx

from solvers.backend import ball, ball_bounds
from solvers.epsilon import Epsilon
from solvers.thresholding.calibration import failure_budget_ball, noise_allowance_ball
from solvers.thresholding.counting_test import chernoff_test, meets_tails, quantile_test
from solvers.thresholding.ex_post import calibrate_ex_post
from solvers.thresholding.purification import minimal_crossover
from solvers.thresholding.rounds import Direction
from verify.claims.claim import Claim, Exhaustive, Symbolic
from verify.claims.domain import boxed, listed
from verify.claims.proof import Identity, Statement, nonnegative
from verify.claims.thresholding.settings import calibrated, parameters_of, settings
from verify.kernel.coupling import check_purification
from verify.kernel.errors import InputError
from verify.kernel.privacy_level import PrivacyLevel

__all__ = ["CLAIMS"]

_PAPER = "Chaturvedi, Henzinger et al. 2026"


def _lambda_statements(slip: int = 0) -> tuple[Statement, ...]:
    """Ln of e^(eps_t (S_max + Y_max)) and of Lambda_t, with b = ln(4/beta), w = ln(5t ln^3(t+2)).

    4/beta_t = (4/beta) 5t ln^3(t+2), so ln(4/beta_t) = b + w.
    """
    e, et, th, b, w = sp.symbols("epsilon epsilon_t theta b w", positive=True)
    shared, own = th * e / (2 + th), e / (2 + th)
    left = et * (b / shared + (b + w) / own)
    right = (2 + th) * et / e * w + (3 + slip + th + 2 / th) * et / e * b
    return (
        Identity("rates", shared + 2 * own, e),
        Identity("ln Lambda", left, right),
    )


def _lambda_encloses(instance: Any, *, doubled: bool = False) -> str:
    """The solver's ln Lambda_t encloses the formula of the abstract."""
    run, step = parameters_of(instance)
    ctx.prec = 160
    for t in (1, 2, 10, 1000):
        found = noise_allowance_ball(run, step, t)
        ratio = step.scale.ratio_ball(run.step_rate) / (2 + ball(run.theta))
        theta, beta = ball(run.theta), ball(run.beta)
        formula = ratio * (
            (2 + theta) * (5 * t * arb(t + 2).log() ** 3).log()
            + (3 + theta + 2 / theta) * (4 / beta).log()
        )
        if not found.overlaps(formula * (2 if doubled else 1)):
            return f"t = {t}: {found} is not {formula}"
    return ""


def _sum_enclosure(n: int) -> tuple[Fraction, Fraction]:
    """Bounds on sum over t >= 1 of 1/(t ln^3(t+2)): n terms and integrals for the rest."""
    ctx.prec = 96
    partial = arb(0)
    for t in range(1, n + 1):
        partial += 1 / (t * arb(t + 2).log() ** 3)
    low = partial + 1 / (2 * arb(n + 3).log() ** 2)
    high = partial + (1 + arb(2) / n) / (2 * arb(n + 2).log() ** 2)
    return ball_bounds(low)[0], ball_bounds(high)[1]


def _budget(n: int, limit: Fraction = Fraction(5, 4)) -> str:
    """Sum beta_t < beta/4, and the whole failure budget beta/4 + 3/4 sum beta_t < beta."""
    low, high = _sum_enclosure(n)
    if not high < limit:
        return f"the sum lies in {float(low):.6f}..{float(high):.6f}"
    if n >= 1000 and not Fraction("1.23308") < low < high < Fraction("1.23312"):
        return f"the sum lies in {float(low):.6f}..{float(high):.6f}, not at 1.23309"
    total = Fraction(1, 4) + Fraction(3, 4) * high / 5
    return "" if total < 1 else f"the budget is {float(total):.6f} beta"


def _theta_statements(at_one: int = 0) -> tuple[Statement, ...]:
    """Theta (theta + 2/theta - 2 sqrt 2) = (theta - sqrt 2)^2."""
    th = sp.Symbol("theta", positive=True)
    if at_one:
        return (
            nonnegative("theta = 1 is least", th + 2 / th - 3, positive=(th,), multiplier=(th,)),
        )
    root = sp.sqrt(2)
    return (
        Identity(
            "excess is a square",
            sp.expand(th * (th + 2 / th - 2 * root)),
            sp.expand((th - root) ** 2),
        ),
    )


def _purification_statements(slip: int = 0) -> tuple[Statement, ...]:
    """The cleaned extreme pair (E q + delta, q) has ratio exactly E at the least crossover."""
    s, d, q, h = sp.symbols("s delta q h", positive=True)  # s = E - 1
    E = 1 + s
    phi = d / (s + (2 - slip) * d)

    def clean(p: Any, crossover: Any) -> Any:
        return crossover + (1 - 2 * crossover) * p

    room = sp.Symbol("room", positive=True)  # 1 - 2 (phi + h)
    larger = (1 - room) / 2  # a crossover phi + h, so that E clean(q) - clean(Eq + d) is
    gap = larger * (E - 1) - (1 - 2 * larger) * d
    least = d / (s + 2 * d)
    return (
        Identity("tight", clean(E * q + d, phi), E * clean(q, phi), (1 - q,)),
        Identity("gap of a larger one", gap.subs(room, 1 - 2 * (least + h)), h * (s + 2 * d)),
        Identity("cleaned threshold", phi / (1 - 2 * phi), d / s),
    )


def _purified(instance: Any, *, smaller: bool = False) -> str:
    """Every extreme pair is pure after the least crossover; the kernel agrees; less fails."""
    level, delta = instance
    epsilon = Epsilon.from_exp(level)
    phi = minimal_crossover(epsilon, delta)
    if smaller:
        phi = phi * Fraction(99, 100)
    for j in range(11):
        q = Fraction(j, 10)
        top = min(level * q + delta, 1 - (1 - q - delta) / level, Fraction(1))
        for p in {q, max(top, q)}:
            first, second = (phi + (1 - 2 * phi) * x for x in (p, q))
            if first > level * second or 1 - second > level * (1 - first):
                return f"p = {p}, p' = {q}: {first} and {second} after crossover {phi}"
    verdict = check_purification(PrivacyLevel(exp_epsilon=level), delta, phi)
    if not verdict.is_accepted:
        return verdict.reason
    less = check_purification(PrivacyLevel(exp_epsilon=level), delta, phi * Fraction(999, 1000))
    return "the kernel accepts a smaller crossover" if delta and less.is_accepted else ""


def _threshold_statements(as_published: int = 0) -> tuple[Statement, ...]:
    """Where cleaned probabilities differ by the factor x, in the units before cleaning.

    g = delta/(E-1) = phi/(1-2 phi): cleaned p is (1-2phi)(p + g), cleaned 1-p is (1-2phi)(1-p+g).
    """
    p, x, g = sp.symbols("p x g", positive=True)
    direct = p / x - (1 - 1 / x) * g
    loss = g if as_published else (x - 1) * g
    flipped = 1 - x * (1 - p) - loss
    return (
        Identity("direct", direct + g, (p + g) / x),
        Identity("flipped", 1 - flipped + g, x * (1 - p + g), (x - 1, 1 - p)),
        nonnegative(
            "direct loses at most delta/(E-1)",
            g - (1 - 1 / x) * g,
            positive=(x, g),
            multiplier=(x,),
        ),
    )


def _direction_statements(sign: int = 1) -> tuple[Statement, ...]:
    """p*/x - (1 - x(1-p*)) = (x-1)(x - p*(1+x))/x: direct rejects more exactly at p* <= x/(1+x)."""
    p, x = sp.symbols("p x", positive=True)
    return (
        Identity(
            "difference of the rejection thresholds",
            p / x - (1 - x * (1 - p)),
            (x - 1) * (x - p * (sign + x)) / x,
            (x - 1, 1 - p),
        ),
    )


def _chernoff_statements(slip: int = 0) -> tuple[Statement, ...]:
    """Tau = (1-1/gamma)/L, L = ln gamma: T = (m_hi - m_lo)/L and the two exponents are equal."""
    m, g, L, lt = sp.symbols("m gamma L log_tau", positive=True)
    tau = (1 - 1 / g) / L
    low = m / g
    high_exponent = m * (tau * lt - tau + 1 + slip)
    ratio = tau * g  # T / m_lo
    low_exponent = low * (ratio * (lt + L) - ratio + 1)
    return (
        Identity("threshold", tau * m, (m - low) / L, (g - 1,)),
        Identity("equal exponents", high_exponent, low_exponent, (g - 1,)),
    )


def _counting(instance: Any, *, halved: bool = False) -> str:
    """Both tests keep both Poisson tails; the exact quantile test never needs a larger mean."""
    gamma, tail = instance
    ctx.prec = 128
    chernoff = chernoff_test(-ball(tail).log(), gamma)
    quantile = quantile_test(tail, gamma)
    if halved:
        tail = tail / 10
    for name, test in (("Chernoff", chernoff), ("quantile", quantile)):
        if not meets_tails(test, tail):
            return f"the {name} test with count {test.count} misses a tail of {tail}"
    if quantile.high_mean > chernoff.high_mean:
        return f"the quantile test needs {quantile.high_mean}, over {chernoff.high_mean}"
    return ""


def _accurate(instance: Any, *, late: bool = False) -> str:
    """Inside the noise cut-offs p* gives at least the high mean, the rejection threshold the low.

    Only a certain violation counts.
    """
    run, step = parameters_of(instance)
    ctx.prec = 160
    for calibrated_step in calibrated(instance, 3):
        t, test = calibrated_step.t, calibrated_step.test
        log_shared = (4 / ball(run.beta)).log()
        log_own = (4 / failure_budget_ball(run, t)).log()
        shared = (step.scale.ratio_ball(run.shared_rate) * log_shared).exp()
        own = (step.scale.ratio_ball(run.step_rate) * log_own).exp()
        clean = calibrated_step.channel.clean
        rejected_at = calibrated_step.rejection_threshold().lower
        if late:
            rejected_at = (rejected_at + step.p_star) / 2
        rate, slack = ball(calibrated_step.round.rate), 1 + Fraction(1, 2**60)  # rates are rounded
        high, low = test.high_mean, test.low_mean
        if calibrated_step.direction is Direction.DIRECT:
            at_star = rate * ball(clean(step.p_star)) / shared
            at_reject = rate * ball(clean(rejected_at)) * own
            fails = at_star < ball(high / slack) or at_reject > ball(low * slack)
        else:
            at_star = rate * ball(1 - clean(step.p_star)) * shared
            at_reject = rate * ball(1 - clean(rejected_at)) / own
            fails = at_star > ball(low * slack) or at_reject < ball(high / slack)
        if fails:
            return f"t = {t}: means {at_star} at p*, {at_reject} at the rejection threshold"
    return ""


def _ex_post_statements(slip: int = 0) -> tuple[Statement, ...]:
    """Log Lambda_t = eps_t (b/eta_0 + c/eta_t) <= 2 for eta_t = eps_t c, eta_0 >= eps_t b."""
    et, b, c, more = sp.symbols("epsilon_t b c more", positive=True)
    shared = et * b + more
    log_lambda = et * b / shared + et * c / (et * c)
    return (
        nonnegative(
            "ln Lambda <= 2",
            (2 - slip) - log_lambda,
            positive=(et, b, c, more, et * b + more),
            multiplier=(et * b + more,),
        ),
    )


def _ex_post(instance: Any, *, halved: bool = False) -> str:
    """Lambda_t <= e^2 for the solver's ex-post steps."""
    run, step = parameters_of(instance)
    limit = ball_bounds(arb(1 if halved else 2).exp())[1]
    for t in (1, 5, 50):
        try:
            found = calibrate_ex_post(run, step, t)
        except InputError:
            return ""  # epsilon_t ln(4/beta) is above epsilon: refused, as it should be
        if found.lambda_t.lower > limit:
            return f"t = {t}: Lambda is {float(found.lambda_t.lower):.6f}"
    return ""


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "thresholding.lambda-identity",
        "e^(eps_t (S_max+Y_max)) = ((5t ln^3(t+2))^(2+th) (4/beta)^(3+th+2/th))^(eps_t/eps)",
        f"{_PAPER}, abstract",
        "symbolic for all parameters; the solver's enclosure at 16 parameter sets",
        "the exponent of 4/beta is 4 + theta + 2/theta",
        (
            Symbolic(_lambda_statements, lambda: _lambda_statements(1)),
            Exhaustive(
                settings(), _lambda_encloses, lambda i: _lambda_encloses(i, doubled=True), size=16
            ),
        ),
    ),
    Claim(
        "thresholding.failure-budget",
        "sum 1/(t ln^3(t+2)) = 1.23309.., so sum beta_t < beta/4 and all failures stay below beta",
        f"{_PAPER}, accuracy",
        "sums enclosed, the rest by integrals",
        "the sum is below 6/5",
        (
            Exhaustive(
                listed(
                    "numbers of terms up to {size} thousand",
                    lambda size: [100, *(1000 * n for n in range(1, size + 1, 3))],
                ),
                _budget,
                lambda n: _budget(n, Fraction(6, 5)),
                size=10,
                batch=2,
            ),
        ),
    ),
    Claim(
        "thresholding.best-theta",
        "the exponent 3 + theta + 2/theta of 4/beta is least at theta = sqrt 2",
        f"{_PAPER}; derived",
        "symbolic",
        "it is least at theta = 1",
        (Symbolic(_theta_statements, lambda: _theta_statements(1)),),
    ),
    Claim(
        "thresholding.purification",
        "delta/(E-1+2 delta) is the least crossover that makes every (eps, delta)-DP bit pure",
        f"{_PAPER}, cleaning; derived",
        "symbolic for the extreme pair; grids of pairs at four E and ten delta",
        "delta/(E-1+delta) is; 99/100 of the least one serves",
        (
            Symbolic(_purification_statements, lambda: _purification_statements(1)),
            Exhaustive(
                boxed(
                    "E = 21/20, 3/2, 3, 20 and delta = j/{size}0",
                    lambda size: (
                        (Fraction(21, 20), Fraction(3, 2), Fraction(3), Fraction(20)),
                        [Fraction(j, 10 * size) for j in range(1, 10 * size)],
                    ),
                ),
                _purified,
                lambda i: _purified(i, smaller=True),
                size=4,
            ),
        ),
    ),
    Claim(
        "thresholding.cleaned-thresholds",
        "direct: reject at p*/x - (1-1/x) g, flipped: at 1 - x(1-p*) - (x-1) g; g = delta/(E-1)",
        f"{_PAPER}, abstract, where the flipped loss is delta/eps; derived",
        "symbolic for all p*, x, g",
        "flipped steps reject at 1 - x(1-p*) - g",
        (Symbolic(_threshold_statements, lambda: _threshold_statements(1)),),
    ),
    Claim(
        "thresholding.direction",
        "the direct step rejects more than the flipped one exactly when p* <= x/(1+x)",
        f"{_PAPER}, direction",
        "symbolic for all p*, x",
        "exactly when p* <= x/(x-1)",
        (Symbolic(_direction_statements, lambda: _direction_statements(-1)),),
    ),
    Claim(
        "thresholding.counting-test",
        "the equal-exponent threshold keeps both Poisson tails, and exact quantiles need no more",
        "Chernoff 1952; derived",
        "symbolic for the exponents; gamma = 6/5..2, tails to 1/4000, by enclosed Poisson sums",
        "they keep tails ten times smaller",
        (
            Symbolic(_chernoff_statements, lambda: _chernoff_statements(1)),
            Exhaustive(
                boxed(
                    "gamma = 6/5, 3/2, 2 and {size} tails 1/(20 j^2)",
                    lambda size: (
                        (Fraction(2), Fraction(3, 2), Fraction(6, 5)),
                        [Fraction(1, 20 * j * j) for j in range(1, size + 1)],
                    ),
                ),
                _counting,
                lambda i: _counting(i, halved=True),
                size=10,
                batch=4,
            ),
        ),
    ),
    Claim(
        "thresholding.accuracy",
        "inside the noise cut-offs p* is accepted and the rejection threshold rejected by the test",
        f"{_PAPER}, accuracy",
        "16 parameter sets, three steps, both directions, delta >= 0",
        "half way between the rejection threshold and p* is rejected",
        (
            Exhaustive(
                settings(),
                _accurate,
                lambda i: _accurate(i, late=True),
                size=16,
                batch=4,
            ),
        ),
    ),
    Claim(
        "thresholding.ex-post",
        "with eta_t = eps_t ln(4/beta_t) and eta_0 >= eps_t ln(4/beta), Lambda_t <= e^2",
        f"{_PAPER}, ex-post variant; derived",
        "symbolic; 16 parameter sets at t = 1, 5, 50",
        "Lambda_t <= e",
        (
            Symbolic(_ex_post_statements, lambda: _ex_post_statements(1)),
            Exhaustive(settings(), _ex_post, lambda i: _ex_post(i, halved=True), size=16, batch=4),
        ),
    ),
)
