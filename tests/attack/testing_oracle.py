"""Optimal private testing by brute force: all partitions for the optimum, all sets for the witness.

Rational divergences are computed in fractions, the others in balls of rising precision. The
optimum is the largest divergence that randomized response over a partition of the symbols leaves
(the theorem of Sort-Partition-Randomize); an upper bound is proved again by all 2^k constraints.
"""

from fractions import Fraction
from functools import lru_cache, partial

from flint import arb

from tests.attack.reals import at_most, ball, evaluated, exponential, sign

ZERO = Fraction(0)
RATIONAL = ("tv", "chi2", "reverse-chi2", "lecam", "e-gamma")


def terms_of(name):
    """(weight, name) of the terms of a mixture."""
    split = (term.split("*") for term in name.split("+"))
    return [(Fraction(weight), part) for weight, part in split]


def perspective(name, x, y):
    """h(x, y) for x, y > 0 with h(1, 1) = 0; exact for fractions and a rational divergence."""
    if "*" in name:
        found = [(weight, perspective(part, x, y)) for weight, part in terms_of(name)]
        if all(isinstance(value, Fraction) for _, value in found):
            return sum((weight * value for weight, value in found), ZERO)
        return sum((ball(weight) * _as_ball(value) for weight, value in found), arb(0))
    family, _, order = name.partition(":")
    match family:
        case "tv" | "e-gamma":
            gamma = Fraction(order or 1)
            gap = x - gamma * y if isinstance(x, Fraction) else x - ball(gamma) * y
            offset = max(1 - gamma, ZERO)
            offset = offset * y if isinstance(x, Fraction) else ball(offset) * y
            return (max(gap, ZERO) if isinstance(x, Fraction) else gap.max(arb(0))) - offset
        case "chi2":
            return (x - y) ** 2 / y
        case "reverse-chi2":
            return (x - y) ** 2 / x
        case "lecam":
            return (x - y) ** 2 / (x + y)
        case "alpha" if isinstance(x, Fraction) and is_whole_power(name):
            a, t = int(order), x / y
            return y * (t**a - 1 - a * (t - 1)) / (a * (a - 1))
    x, y = (ball(z) if isinstance(z, Fraction) else z for z in (x, y))
    match family:
        case "kl":
            return x * (x / y).log()
        case "reverse-kl":
            return y * (y / x).log()
        case "js":
            return (x * (2 * x / (x + y)).log() + y * (2 * y / (x + y)).log()) / 2
        case "hellinger":
            return 2 * y - 2 * (x * y).sqrt()
    return power(Fraction(order), x, y)


def _as_ball(value):
    return ball(value) if isinstance(value, Fraction) else value


def power(order, x, y):
    """The perspective of the power divergence; kl and reverse-kl at orders 1 and 0."""
    if order in {0, 1}:
        return perspective("kl" if order else "reverse-kl", x, y)
    a = ball(order)
    return (y * (x / y) ** a - y - a * (x - y)) / (a * (a - 1))


def reported(name, value):
    """The Renyi divergence of a power divergence (a ball); other values as they are."""
    family, _, order = name.partition(":")
    if family != "renyi" or order == "1":
        return value
    a = ball(Fraction(order))
    return (1 + a * (a - 1) * value).log() / (a - 1)


def is_whole_power(name):
    """Whether the divergence is a power of small whole order, other than 0 and 1."""
    family, _, order = name.partition(":")
    whole = family == "alpha" and "/" not in order and len(order) <= 2
    return whole and order not in ("0", "1")


def is_exact(name, E):
    """Whether everything is rational."""
    parts = [part for _, part in terms_of(name)] if "*" in name else [name]
    rational = (part.partition(":")[0] in RATIONAL or is_whole_power(part) for part in parts)
    return isinstance(E, Fraction) and all(rational)


def partitions(items):
    """Every partition of a list into nonempty blocks."""
    if not items:
        yield []
        return
    first, rest = items[0], items[1:]
    for partition in partitions(rest):
        yield [[first], *partition]
        for i, block in enumerate(partition):
            yield [*partition[:i], [first, *block], *partition[i + 1 :]]


@lru_cache(maxsize=64)
def masks_of_partitions(k):
    """The partitions of 0..k-1 as tuples of bit masks."""
    found = partitions(list(range(k)))
    return [tuple(sum(1 << x for x in block) for block in blocks) for blocks in found]


def subset_sums(values):
    """The sums over all subsets, by bit mask."""
    sums = [ZERO]
    for value in values:
        sums += [partial + value for partial in sums]
    return sums


def optimum(claim, E, *, exact):
    """The optimum as a Fraction, or as a ball at the working precision."""
    p, q = ([Fraction(text) for text in claim[key]] for key in ("p0", "p1"))
    name, n = claim["divergence"], claim["outputs"]
    p, q = zip(*merged(p, q), strict=True)
    e = E if exact else evaluated(E)
    c = e - 1
    scores = [
        perspective(name, 1 + c * (a if exact else ball(a)), 1 + c * (b if exact else ball(b)))
        for a, b in zip(subset_sums(p), subset_sums(q), strict=True)
    ]
    limit = len(p) if n is None else n
    values = [
        sum((scores[mask] for mask in masks), ZERO if exact else arb(0)) / (c + len(masks))
        for masks in masks_of_partitions(len(p))
        if len(masks) <= limit
    ]
    if exact:
        return max(values)
    best = values[0]
    for value in values[1:]:
        best = best.max(value)
    return reported(name, best)


@lru_cache(maxsize=64)
def exact_optimum(laws, E, name, outputs):
    """The optimum of rational data; the forgeries of one base often ask for the same one."""
    claim = {"p0": laws[0], "p1": laws[1], "divergence": name, "outputs": outputs}
    return optimum(claim, E, exact=True)


def _optimum_ball(claim, E):
    return optimum(claim, E, exact=False)


def merged(p, q):
    """The symbols with mass, those of equal ratio added up."""
    groups = {}
    for a, b in zip(p, q, strict=True):
        if a or b:
            share = a / (a + b)
            old = groups.get(share, (ZERO, ZERO))
            groups[share] = old[0] + a, old[1] + b
    return list(groups.values())


def claim_flaw(claim):
    """Whether the optimum lies in [lower, upper]."""
    masses = [[Fraction(text) for text in claim[key]] for key in ("p0", "p1")]
    if len(masses[0]) != len(masses[1]) or any(sum(law) != 1 or min(law) < 0 for law in masses):
        return "no two laws"
    E, name = exponential(claim["level"]), claim["divergence"]
    laws, exact = (tuple(claim["p0"]), tuple(claim["p1"])), is_exact(name, E)
    best = (
        exact_optimum(laws, E, name, claim["outputs"])
        if exact
        else partial(_optimum_ball, claim, E)
    )
    if not at_most(Fraction(claim["lower"]), best):
        return "lower is above the optimum"
    return "" if at_most(best, Fraction(claim["upper"])) else "upper is below the optimum"


def dual_symbols(p, q, witness):
    """(P0, P1, l) of the symbols of equal ratio added up, or of the knots."""
    lams = [Fraction(text) for text in witness["multipliers"]]
    knots = [Fraction(text) for text in witness.get("knots", [])]
    if not knots:
        groups = {}
        for a, b, lam in zip(p, q, lams, strict=True):
            share = a / (a + b) if a + b else None
            old = groups.get(share, (ZERO, ZERO, ZERO))
            groups[share] = old[0] + a, old[1] + b, old[2] + lam
        return list(groups.values())
    masses = [[ZERO, ZERO] for _ in knots]
    for a, b in zip(p, q, strict=True):
        if not a + b:
            continue
        share = a / (a + b)
        i = next(i for i in range(1, len(knots)) if share <= knots[i])
        part = (share - knots[i - 1]) / (knots[i] - knots[i - 1])  # of the mass goes to knot i
        for place, weight in ((i - 1, (1 - part) * (a + b)), (i, part * (a + b))):
            masses[place][0] += knots[place] * weight
            masses[place][1] += (1 - knots[place]) * weight
    return [(*mass, lam) for mass, lam in zip(masses, lams, strict=True)]


def witness_flaw(claim, witness):
    """Whether the multipliers prove the upper bound: every set at E+, one after the other."""
    p, q = ([Fraction(text) for text in claim[key]] for key in ("p0", "p1"))
    name, n, t = claim["divergence"], claim["outputs"], Fraction(witness["output_multiplier"])
    low, high = (Fraction(text) for text in witness["exp_epsilon"])
    E = exponential(claim["level"])
    if low < 1 or not at_most(low, E) or not at_most(E, high):
        return "the enclosure of e^epsilon"
    if t < 0 or (n is None and t):
        return "the output multiplier"
    knots = [Fraction(text) for text in witness.get("knots", [])]
    if knots and (knots[0] or knots[-1] != 1 or knots != sorted({*knots})):
        return "the knots"
    total, c = sum(map(Fraction, witness["multipliers"])), high - 1
    for a, b, lam in all_sets(dual_symbols(p, q, witness)):
        slack = total + c * lam + t
        x, y = 1 + c * a, 1 + c * b
        exact = is_exact(name, high)
        mu = perspective(name, x, y) if exact else (lambda x=x, y=y: perspective(name, x, y))
        if not at_most(mu, slack):
            return "a set violates its constraint"
    bound = total + (t * n / (c + n) if n is not None else 0)
    upper = Fraction(claim["upper"])
    good = bound >= 0 and sign(lambda: ball(upper) - reported(name, ball(bound))) >= 0
    return "" if good else "the multipliers do not add up"


def all_sets(symbols):
    """The sums (P0, P1, l) of all sets of symbols."""
    columns = [subset_sums(column) for column in zip(*symbols, strict=True)]
    return zip(*columns, strict=True)


def testing_flaw(claim, witness):
    """What is wrong with the claim, or with its proof."""
    return claim_flaw(claim) or witness_flaw(claim, witness)
