"""Whether an accepted certificate tells the truth, by definitions and brute force.

Shares no code with the kernel. `flaw` names what is wrong with a certificate, and is empty when
the claim is true (and, for testing, when the witness proves its bound over all 2^k sets).
"""

from fractions import Fraction
from itertools import combinations, permutations, product

from tests.attack import coupling_oracle, design_oracle, testing_oracle
from tests.attack.reals import at_most, ball, evaluated, exponential, sign

ZERO = Fraction(0)


def flaw(content):
    """What is false in a well-formed certificate; empty if nothing is."""
    return FLAWS[content["kind"]](content["claim"], content["witness"])


def _rows(texts):
    rows = [[Fraction(text) for text in row] for row in texts]
    stochastic = all(sum(row) == 1 and min(row) >= 0 for row in rows)
    return rows if rows and stochastic and len({len(row) for row in rows}) == 1 else None


def largest_ratio(rows):
    """The largest ratio of two entries of a column; None where there is none."""
    ratio = Fraction(1)
    for column in zip(*rows, strict=True):
        for a, b in permutations(column, 2):
            if a and not b:
                return None
            ratio = max(ratio, a / b) if b else ratio
    return ratio


def largest_event_difference(rows):
    """max over rows x, x' and sets A of outputs of P(A given x) - P(A given x')."""
    largest = ZERO
    for p, q in combinations(rows, 2):
        steps = [a - b for a, b in zip(p, q, strict=True)]
        up = sum((step for step in steps if step > 0), ZERO)
        largest = max(largest, up, up - sum(steps))
    return largest


def worst_leakage(rows, c):
    """The largest max_x P(y given x)/P(y) over the vertices of the priors with masses >= c.

    None where there is no bound; -1 where there is no such prior.
    """
    n, worst = len(rows), Fraction(1)
    if not 0 <= n * c <= 1:
        return Fraction(-1)
    for corner, column in product(range(n), zip(*rows, strict=True)):
        mass = sum((c + (1 - n * c) * (x == corner)) * entry for x, entry in enumerate(column))
        if max(column) and not mass:
            return None
        worst = max(worst, max(column) / mass) if mass else worst
    return worst


def channel_flaw(claim, witness):
    """All numbers of a channel from its matrix."""
    rows = _rows(claim["rows"])
    if rows is None:
        return "the rows are no channel"
    ratio = largest_ratio(rows)
    if ratio is None or str(ratio) != claim["exp_epsilon"]:
        return "the largest ratio"
    if not at_most(ratio, exponential(claim["level"])):
        return "the level"
    if largest_event_difference(rows) != Fraction(claim["dobrushin_coefficient"]):
        return "the Dobrushin coefficient"
    pairs = [[Fraction(number) for number in pair] for pair in claim["leakage"]]
    return "" if all(worst_leakage(rows, c) == value for c, value in pairs) else "a leakage"


def contraction_flaw(claim, witness):
    """E_gamma over all pairs of rows."""
    rows = _rows(claim["rows"])
    if rows is None:
        return "the rows are no channel"
    previous = None
    for gamma, value in claim["e_gamma"]:
        g = Fraction(gamma)
        pairs = permutations(rows, 2)
        terms = ([max(a - g * b, ZERO) for a, b in zip(p, q, strict=True)] for p, q in pairs)
        if max(map(sum, terms), default=ZERO) != Fraction(value):
            return f"the coefficient at {gamma}"
        if g < 1 or (previous is not None and g <= previous):
            return "gamma does not increase from 1"
        previous = g
    return "" if claim["e_gamma"] else "no coefficient"


def leakage_flaw(claim, witness):
    """The closed form min(1, (E - 1)/(E (1 - Nc) + 1)) of the largest Dobrushin coefficient."""
    n, c, E = claim["inputs"], Fraction(claim["c"]), exponential(claim["level"])
    if n < 2 or not 0 <= n * c <= 1:
        return "no such priors"

    def bound():
        e = evaluated(E)
        return (e - 1) / (e * ball(1 - n * c) + 1)

    if isinstance(E, Fraction):
        value = min((E - 1) / (E * (1 - n * c) + 1), Fraction(1))
    else:
        value = bound if sign(lambda: bound() - 1) < 0 else Fraction(1)
    if not at_most(Fraction(claim["lower"]), value):
        return "lower is above the optimum"
    return "" if at_most(value, Fraction(claim["upper"])) else "upper is below the optimum"


def estimation_flaw(claim, witness):
    """The scheme as a matrix, its risk at the uniform law, and the bound over all sizes."""
    v, E, e = claim["v"], exponential(claim["level"]), Fraction(claim["exp_epsilon"])
    if not (2 <= v <= witness["points"] and e > 1 and at_most(e, E)):
        return "the level"
    built = design_oracle.developed(witness, witness["points"])
    if built is None:
        return "the blocks"
    blocks = [frozenset(x for x in block if x < v) for block in built]
    r, lambda_ = claim["r"], claim["lambda"]
    if not design_oracle.is_balanced(v, blocks, r, lambda_) or len(blocks) != claim["b"]:
        return "the design"
    if sorted({len(block) for block in blocks}) != claim["block_sizes"]:
        return "the block sizes"
    if largest_error(v, blocks, e) != Fraction(claim["n_risk"]):
        return "the risk"
    return _bound_flaw(claim, v, E)


def largest_error(v, blocks, e):
    """n times the expected squared error of the unbiased estimator at the uniform law.

    The channel has entries p/D and q/D for e = p/q; hits are counted in units of 1/D.
    """
    p, q = e.as_integer_ratio()
    sums = {sum(p if x in block else q for block in blocks) for x in range(v)}
    if len(sums) != 1:
        return None
    (total,) = sums
    hits = [
        [sum((p if x in block else q) for block in blocks if z in block) for z in range(v)]
        for x in range(v)
    ]
    alphas = {hits[x][x] for x in range(v)}
    betas = {hits[x][z] for x in range(v) for z in range(v) if x != z}
    if len(alphas) > 1 or len(betas) > 1 or alphas == betas:
        return None
    error = ZERO
    for z in range(v):  # whether a report hits z is a bit of mean mu
        mu = Fraction(sum(hits[x][z] for x in range(v)), v * total)
        error += mu * (1 - mu)
    return error / Fraction(alphas.pop() - betas.pop(), total) ** 2


def _bound_flaw(claim, v, E):
    def term(k):
        if isinstance(E, Fraction):
            return _term(v, k, E)
        return lambda: _term_ball(v, k, evaluated(E))

    terms = {k: term(k) for k in range(1, v)}
    least = [k for k in terms if all(at_most(terms[k], other) for other in terms.values())]
    if claim["optimal_block_sizes"] != least:
        return "the optimal block sizes"
    return "" if at_most(Fraction(claim["optimum"]), terms[least[0]]) else "the optimum"


def _term(v, k, e):
    return (v - 1) ** 2 * (k * e + v - k) ** 2 / (v * k * (v - k) * (e - 1) ** 2)


def _term_ball(v, k, e):
    return (v - 1) ** 2 * (k * e + (v - k)) ** 2 / (v * k * (v - k) * (e - 1) ** 2)


FLAWS = {
    "channel": channel_flaw,
    "contraction": contraction_flaw,
    "leakage": leakage_flaw,
    "estimation": estimation_flaw,
    "testing": testing_oracle.testing_flaw,
    "design": design_oracle.design_flaw,
    "coupling": coupling_oracle.coupling_flaw,
}
