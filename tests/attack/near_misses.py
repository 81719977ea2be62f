"""Forgeries that fit one kind only: a set left out, enclosures that touch, shifts that fail."""

from fractions import Fraction
from itertools import chain

from tests.attack.design_near_misses import DESIGN, moved_point, swapped_blocks
from tests.attack.long_sums import long_sum
from tests.attack.mixture_near_misses import other_mixture
from tests.attack.places import at, changed, copied, with_number
from tests.attack.reals import ball, convergents, exponential, rational_near

DIGITS = (3, 9, 20, 38, 60, 150)


def touching_exponential(*paths):
    """A forgery that puts rationals next to e^epsilon, on either side, at these places."""

    def forgery(rng, content, donor):
        E = exponential(content["claim"]["level"])
        digits = rng.choice(DIGITS)
        below = rational_near(E, digits)
        pair = [below, below + Fraction(1, 10**digits)]
        if rng.random() < 0.3:
            near = list(convergents(rational_near(E, 60), rng.randint(2, 20)))
            pair = near[-2:]
        path = rng.choice(paths)
        if not isinstance(at(content, path), list):
            return with_number(content, path, rng.choice(pair))
        values = rng.choice([pair, pair[::-1], pair[:1] * 2, pair[-1:] * 2])
        return changed(content, path, [str(Fraction(value)) for value in values])

    return forgery


def touching_bounds(rng, content, donor):
    """lower and upper set to one number, exchanged, or moved past each other by almost nothing."""
    claim = content["claim"]
    low, high = Fraction(claim["lower"]), Fraction(claim["upper"])
    tiny = Fraction(1, 10 ** rng.choice(DIGITS))
    middle = (low + high) / 2
    low, high = rng.choice([
        (low, low), (high, high), (high, low), (middle, middle), (high + tiny, high + tiny),
        (low - tiny, low - tiny), (low, high - tiny), (low + tiny, high), (high, high + tiny),
        (low - tiny, middle), (middle, high + tiny),
    ])  # fmt: skip
    result = copied(content)
    result["claim"].update(lower=str(low), upper=str(high))
    return result


def touching_level(rng, content, donor):
    """The level in nats next to the logarithm of the least E, on either side; or E next to it."""
    claim = content["claim"]
    if claim["exp_epsilon"] == "1":
        return None
    ratio, digits = Fraction(claim["exp_epsilon"]), rng.choice(DIGITS)
    tiny = Fraction(1, 10**digits)
    below = rational_near(lambda: ball(ratio).log(), digits)
    level = rng.choice([
        {"nats": str(below)}, {"nats": str(below + tiny)}, {"exp_epsilon": str(ratio - tiny)},
        {"exp_epsilon": str(ratio + tiny)}, {"exp_epsilon": str(ratio)},
    ])  # fmt: skip
    return changed(content, ("claim", "level"), level)


def reshaped_rows(rng, content, donor):
    """Rows or columns exchanged, doubled, added up, of zeros, or with an entry gone."""
    rows = copied(content["claim"]["rows"])
    x, y = rng.randrange(len(rows)), rng.randrange(len(rows[0]))
    other = rng.randrange(len(rows[0]))
    match rng.randrange(6):
        case 0:
            rows.append(rows[x])
        case 1:
            for row in rows:
                row[y], row[other] = row[other], row[y]
        case 2:
            for row in rows:
                row.insert(y, "0")
        case 3:
            for row in rows:
                if y != other:
                    row[y], row[other] = str(Fraction(row[y]) + Fraction(row[other])), "0"
        case 4:
            rows[x][y], rows[x][other] = rows[x][other], rows[x][y]
        case 5:
            rows[x] = ["1" if j == y else "0" for j in range(len(rows[x]))]
    return changed(content, ("claim", "rows"), rows)


def infinite_ratio(rng, content, donor):
    """A channel with a zero beside a positive entry, its ratio claimed to be inf or finite."""
    result = reshaped_rows(rng, content, donor)
    claim = result["claim"]
    claim["exp_epsilon"] = rng.choice(["inf", "Infinity", claim["exp_epsilon"], "1"])
    claim["level"] = rng.choice([{"nats": "10000"}, {"exp_epsilon": "9" * 3999}, claim["level"]])
    return result


def omitted_set(rng, content, donor):
    """One set of symbols violates its constraint by almost nothing, the sum of all l is as before.

    Separators, which tell the kernel where to look, are left out or moved.
    """
    witness = content["witness"]
    lams = [Fraction(text) for text in witness["multipliers"]]
    k = len(lams)
    inside = [x for x in range(k) if rng.random() < 0.5] or [0]
    outside = [x for x in range(k) if x not in inside] or [k - 1]
    step = rng.choice([1, -1]) * Fraction(1, 10 ** rng.choice(DIGITS))
    lams[rng.choice(inside)] -= step
    lams[rng.choice(outside)] += step if rng.random() < 0.8 else 0
    result = copied(content)
    result["witness"]["multipliers"] = list(map(str, lams))
    if rng.random() < 0.7:
        result["witness"]["separators"] = _separators(rng, witness["separators"])
    total = sum(lams)
    if content["claim"]["outputs"] is None and rng.random() < 0.5:
        result["claim"]["upper"] = str(total)
        result["claim"]["lower"] = str(min(total, Fraction(content["claim"]["lower"])))
    return result


def _separators(rng, separators):
    numbers = [Fraction(text) for text in separators]
    moved = [number + Fraction(rng.randint(-9, 9), 10 ** rng.choice(DIGITS)) for number in numbers]
    choices = [
        [], numbers[::2], moved, sorted({*numbers, Fraction(1)}), numbers * 2, numbers[::-1],
        [-number for number in numbers], [Fraction(rng.randint(1, 99), rng.randint(1, 99))],
    ]  # fmt: skip
    return list(map(str, rng.choice(choices)))


def split_set(rng, content, donor):
    """The blocks of the mechanism with a symbol moved, two merged, one split, or all in one."""
    blocks = copied(content["witness"]["blocks"])
    i, j = rng.randrange(len(blocks)), rng.randrange(len(blocks))
    match rng.randrange(5):
        case 0 if i != j:
            blocks[j].append(blocks[i].pop())
            blocks = [block for block in blocks if block]
        case 1 if i != j:
            blocks[i] += blocks.pop(j) if j > i else []
        case 2:
            blocks[i : i + 1] = [[x] for x in blocks[i]]
        case 3:
            blocks = [list(chain(*blocks))]
        case _:
            blocks[i][0], blocks[j][-1] = blocks[j][-1], blocks[i][0]
    result = changed(content, ("witness", "blocks"), blocks)
    if rng.random() < 0.5:
        result["claim"]["lower"] = "0"
    return result


def other_problem(rng, content, donor):
    """Another divergence, order, number of outputs or pair of laws for the same witness."""
    claim, witness = content["claim"], content["witness"]
    result = copied(content)
    k = len(claim["p0"])
    match rng.randrange(6):
        case 0:
            names = (
                "tv",
                "kl",
                "js",
                "chi2",
                "lecam",
                "alpha:2",
                "e-gamma:1",
                "renyi:2",
                "alpha:0",
            )
            result["claim"]["divergence"] = rng.choice([*names, donor["claim"]["divergence"]])
        case 1:
            family, colon, order = claim["divergence"].partition(":")
            if not colon or "*" in family:
                return other_mixture(rng, content, donor)
            step = Fraction(rng.choice([1, -1]), 10 ** rng.choice(DIGITS[:3]))
            result["claim"]["divergence"] = f"{family}:{Fraction(order) + step}"
        case 2:
            result["claim"]["outputs"] = rng.choice([None, *range(k + 2)])
            if rng.random() < 0.5:
                result["witness"]["output_multiplier"] = rng.choice(["0", "1/1000", "-1/1000"])
        case 3:
            result["claim"].update(p0=claim["p1"], p1=claim["p0"])
        case 4:
            order = rng.sample(range(k), k)
            for part, key in (("claim", "p0"), ("claim", "p1"), ("witness", "multipliers")):
                if len(result[part][key]) == k:
                    result[part][key] = [result[part][key][x] for x in order]
        case 5:
            result["witness"]["bits"] = rng.choice([8, 9, 16, 64, 4096, witness["bits"] // 2])
    return result


def with_knots(rng, content, donor):
    """A few knots in place of the symbols, with multipliers from the other end of the world."""
    n = rng.randint(1, 5)
    inner = sorted({Fraction(rng.randint(1, 19), 20) for _ in range(n - 2)}) if n > 2 else []
    knots = rng.choice([[0, *inner, 1], [0, *inner], [*inner, 1], [0, *inner, *inner, 1]])
    lams = [Fraction(text) for text in content["witness"]["multipliers"]]
    high = max(Fraction(content["claim"]["upper"]), Fraction(0))
    values = [rng.choice([*lams, high / len(knots) if knots else high]) for _ in knots]
    result = copied(content)
    result["witness"]["knots"] = list(map(str, knots))
    result["witness"]["multipliers"] = list(map(str, values))
    if rng.random() < 0.5:
        result["claim"].update(lower="0", upper=str(max(sum(values), 0)))
    return result


def more_information(rng, content, donor):
    """A claim about the best scheme with the optimum or the best block sizes almost right."""
    result, claim = copied(content), content["claim"]
    tiny = Fraction(rng.choice([1, -1]), 10 ** rng.choice(DIGITS))
    match rng.randrange(4):
        case 0:
            result["claim"]["optimum"] = str(Fraction(claim["optimum"]) + tiny)
        case 1:
            result["claim"]["n_risk"] = str(Fraction(claim["n_risk"]) * (1 + tiny))
        case 2:
            sizes = [*claim["optimal_block_sizes"], rng.randint(0, claim["v"])]
            result["claim"]["optimal_block_sizes"] = rng.choice(
                [sizes, sorted({*sizes}), sizes[1:]]
            )
        case 3:
            result["claim"]["v"] += rng.choice([1, -1])
            result["witness"]["points"] += rng.choice([1, 0, -1])
    return result


def touching_shifts(rng, content, donor):
    """A shift, the total, a crossover or a tail that just fails, or a flag turned."""
    result, tiny = copied(content), Fraction(1, 10 ** rng.choice(DIGITS))
    claim, witness = result["claim"], result["witness"]
    rounds = list(chain(*claim["levels"]))
    choice = rng.randrange(9)
    if choice == 0:
        claim["total"] = str(Fraction(claim["total"]) - tiny)
    elif choice == 1:
        witness["shared_shift"] = str(1 + rng.choice([1, -1]) * tiny)
    elif choice == 2 and rounds:
        level = rng.choice(witness["shifts"])
        place = rng.randrange(len(level))
        level[place] = str(Fraction(level[place]) + rng.choice([-1, 1, -tiny, tiny]))
    elif choice == 3 and claim["tail"] is not None:
        key = rng.choice(["block", "scale"])
        old = Fraction(claim["tail"][key])
        new = old + rng.choice([1, -1] if key == "block" else [tiny, -tiny, -old])
        claim["tail"][key] = int(new) if key == "block" else str(new)
    elif choice == 4:
        claim["tail"] = rng.choice([None, {"block": rng.randint(0, 3), "scale": "0"}])
    elif choice == 5 and rounds:
        claim["levels"].append([rng.choice(rounds)])
        witness["shifts"].append([rng.choice(["1", "2"])])
    else:
        return _turned(rng, result, rounds, tiny)
    return result


def _turned(rng, result, rounds, tiny):
    if not rounds:
        return None
    whom = rounds if rng.random() < 0.3 else [rng.choice(rounds)]
    key = rng.choice([*rounds[0]])
    for kind in whom:
        turns = {
            "sign": -kind["sign"],
            "accepts": {"at-least": "at-most", "at-most": "at-least"}[kind["accepts"]],
            "released": not kind["released"],
            "monotone": not kind["monotone"],
            "box": rng.choice([{"multiple": str(tiny)}, {"multiple": "1"}, {"exp_epsilon": "2"}]),
        }
        steps = (tiny, -tiny, -Fraction(kind.get(key, 0)) if key in ("delta", "crossover") else 1)
        kind[key] = turns[key] if key in turns else str(Fraction(kind[key]) + rng.choice(steps))
        if key == "sign" and rng.random() < 0.5:
            kind["accepts"] = turns["accepts"]
    return result


def turned_gamma(rng, content, donor):
    """gamma moved, in wrong order, below 1, or its coefficient almost right."""
    pairs = copied(content["claim"]["e_gamma"])
    tiny = Fraction(rng.choice([1, -1]), 10 ** rng.choice(DIGITS))
    i, j = rng.randrange(len(pairs)), rng.randrange(2)
    pairs[i][j] = str(Fraction(pairs[i][j]) + tiny)
    if rng.random() < 0.3:
        pairs.insert(rng.randrange(len(pairs) + 1), rng.choice(pairs))
    return changed(content, ("claim", "e_gamma"), pairs)


def other_channel(rng, content, donor):
    """The attaining channel, its pair of rows or the multipliers of the bound almost right."""
    result, witness = copied(content), content["witness"]
    n, tiny = content["claim"]["inputs"], Fraction(1, 10 ** rng.choice(DIGITS))
    lams = [Fraction(text) for text in witness["multipliers"]]
    match rng.randrange(5):
        case 0:
            result["witness"]["pair"] = [rng.randrange(n), rng.randrange(n)]
        case 1:
            factor = 1 + rng.choice([tiny, -tiny, 1])
            result["witness"]["multipliers"] = [str(lam * factor) for lam in lams]
        case 2:
            c = rng.choice([Fraction(1, n), Fraction(0), Fraction(content["claim"]["c"])])
            result["claim"]["c"] = str(c + rng.choice([0, tiny, -tiny]))
        case 3:
            result["witness"]["multipliers"] = rng.choice([["0", "0", "1"], ["0", "1", "0"]])
            result["claim"]["upper"] = rng.choice(["1", str(1 - tiny), content["claim"]["upper"]])
        case 4:
            result["claim"]["inputs"] = n + 1
            result["witness"]["rows"].append(rng.choice(witness["rows"]))
    return result


EXP = ("witness", "exp_epsilon")
NEAR_MISSES = {
    "channel": {
        "level touches the ratio": touching_level,
        "rows reshaped": reshaped_rows,
        "infinite ratio": infinite_ratio,
    },
    "testing": {
        "worst set left out": omitted_set,
        "enclosure touches": touching_exponential(EXP),
        "bounds touch": touching_bounds,
        "blocks of the mechanism": split_set,
        "another problem, same witness": other_problem,
        "knots": with_knots,
        "another mixture": other_mixture,
        "long sums and powers": long_sum,
    },
    "estimation": {
        "enclosure touches": touching_exponential(EXP, ("claim", "exp_epsilon")),
        "optimum or sizes": more_information,
        "two blocks swapped": swapped_blocks,
        "one point moved": moved_point,
    },
    "leakage": {
        "enclosure touches": touching_exponential(("witness", "exp_leakage")),
        "bounds touch": touching_bounds,
        "channel or multipliers": other_channel,
    },
    "contraction": {"rows reshaped": reshaped_rows, "gamma or coefficient": turned_gamma},
    "design": DESIGN,
    "coupling": {"shifts, total, flags": touching_shifts},
}
SLOW = {"long sums and powers"}
"""Classes whose forgeries take a tenth of a second each."""
