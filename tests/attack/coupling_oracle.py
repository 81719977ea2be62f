"""The cheapest coupling that proves a thresholding claim, by trying the moves of a round.

Letters as on the format page. Between neighbours, with u = ln(p)/eps_t, a round accepts when
u + sign (Y - S) is large (at least) or, for sign -1, when u - (Y - S) is small in the other count;
either way for Y - S large. u moves by d, |d| <= 1, d >= 0 alone for a monotone box. The shared
noise moves by a = 1, the least that keeps rejections; the own noise by what undoes a and d.
"""

from fractions import Fraction

from tests.attack.reals import at_most, evaluated, exponential, sign

MOVES = [Fraction(k, 8) for k in range(-8, 9)]


def round_cost(kind):
    """The dearest acceptance of a round over all moves, in epsilons; None if not provable."""
    rate, monotone = Fraction(kind["rate"]), kind["monotone"]
    direct = kind["sign"] == 1
    if rate <= 0 or (kind["accepts"] == "at-least") != direct or (monotone and not direct):
        return None
    multiple = Fraction(kind["box"]["multiple"]) if "multiple" in kind["box"] else None
    if kind["released"] and (multiple is None or Fraction(kind["crossover"])):
        return None
    charge = multiple if kind["released"] else Fraction(0)
    costs = []
    for d in MOVES:
        up = charge * ((1 + d) if direct else (1 if d > 0 else 2))  # d -> 0 from below at 0
        if not monotone:
            costs.append(rate * (1 + (-d if direct else d)) + up)
        elif d >= 0:  # a record more: S moves; a record less: S stays, Y makes up for d
            costs += [rate * (1 - d) + charge * d, rate * d + charge * (1 - d)]
    return max(costs)


def is_pure(kind):
    """Whether the flipped bit of every (box, delta)-DP black box is purely box-DP."""
    delta, flip = Fraction(kind["delta"]), Fraction(kind["crossover"])
    if not (0 <= delta < 1 and 0 <= flip <= Fraction(1, 2)):
        return False
    if "multiple" in kind["box"]:
        return delta == 0 and Fraction(kind["box"]["multiple"]) > 0
    E = exponential(kind["box"])

    def clean(p):
        return flip + (1 - 2 * flip) * p

    # for p <= E p' + delta the worst pair is p' = 0, p = delta
    return at_most(clean(delta), lambda: evaluated(E) * evaluated(clean(Fraction(0))))


def tail_cost(tail, n_levels):
    """Twice the rates of all levels from 2**block on: a partial sum and what is beyond it."""
    block, scale = tail["block"], Fraction(tail["scale"])
    if n_levels != 2**block - 1 or scale < 0 or block < 0:
        return None
    cut = block + 6
    rates = sum(2**i * scale / (2**i * (i + 1) * (i + 2)) for i in range(block, cut))
    beyond = scale / (cut + 1)  # sum of 1/((i+1)(i+2)) from cut on
    return 2 * (rates + beyond)


def coupling_flaw(claim, witness):
    """Whether shifts exist that cost at most the claimed total."""
    shared, levels = Fraction(claim["shared_rate"]), claim["levels"]
    E = exponential(claim["epsilon"])
    if shared <= 0 or sign(lambda: evaluated(E) - 1) <= 0:
        return "no noise"
    kinds = [kind for level in levels for kind in level]
    if not all(levels) or not all(map(is_pure, kinds)):
        return "a box is not pure, or a level is empty"
    costs = [[round_cost(kind) for kind in level] for level in levels]
    if any(cost is None for level in costs for cost in level):
        return "a round that no shift covers"
    total = shared + sum(map(max, costs))
    if claim["tail"] is not None:
        tail = tail_cost(claim["tail"], len(levels))
        if tail is None:
            return "the tail"
        total += tail
    flags = {kind["monotone"] for kind in kinds}
    if len(flags) > 1 or (claim["tail"] is not None and True in flags):
        return "monotone rounds beside others"
    return "" if total <= Fraction(claim["total"]) else "the total"
