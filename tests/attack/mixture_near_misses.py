"""Forgeries of the name of a mixture W*D+W*D: order, spelling, weights, corners, terms."""

from fractions import Fraction

from tests.attack.places import copied

MOST = 16
STEPS = [Fraction(1, 10**digits) for digits in (2, 9, 20, 38, 60, 150)]
OTHERS = ("tv", "kl", "js", "chi2", "hellinger", "e-gamma:3/2", "e-gamma:1/2", "alpha:3")
SAME = {
    "tv": (1, "e-gamma:1"), "e-gamma:1": (1, "tv"), "chi2": (2, "alpha:2"), "kl": (1, "alpha:1"),
    "reverse-chi2": (2, "alpha:-1"), "reverse-kl": (1, "alpha:0"),
    "alpha:2": (Fraction(1, 2), "chi2"), "hellinger": (Fraction(1, 2), "alpha:1/2"),
}  # fmt: skip
"""Divergences with a factor times another one that has the same value."""


def terms_of(name):
    """(weight, name) of the terms; of a single divergence, itself with weight 1."""
    if "*" not in name:
        return [(Fraction(1), name)]
    split = (term.split("*") for term in name.split("+"))
    return [(Fraction(weight), part) for weight, part in split]


def spelled(terms):
    """The name of a mixture, with its terms in order."""
    return "+".join(sorted(f"{weight}*{part}" for weight, part in terms))


def _replaced(terms, i, *others):
    return [*terms[:i], *others, *terms[i + 1 :]]


def other_order(rng, terms):
    """The terms as they come, backwards, or by another rule of order."""
    while len(terms) < 2:
        terms = [*terms, (Fraction(rng.randint(1, 3)), rng.choice(OTHERS))]
    texts = sorted(f"{weight}*{part}" for weight, part in terms)
    rules = [
        lambda text: Fraction(text.split("*")[0]),
        lambda text: text.split("*")[1],
        lambda text: text[::-1],
    ]
    orders = [texts[::-1], texts[1:] + texts[:1], *(sorted(texts, key=rule) for rule in rules)]
    return "+".join(rng.choice(orders))


def other_spelling(rng, terms):
    """A weight that is not in lowest terms, decimal, signed, empty, or in brackets."""
    i, n = rng.randrange(len(terms)), rng.randint(2, 9)
    weight, part = terms[i]
    p, q = weight.as_integer_ratio()
    texts = [
        f"{n * p}/{n * q}", f"{p}/{q}", f"{p}/1", f"{p}.0", f"0{weight}", f"+{weight}",
        f" {weight}", f"{weight} ", "", f"{-p}/-{q}", f"({weight})", f"{p}e0", f"{p}/0",
        "inf", "nan", f"--{p}",
    ]  # fmt: skip
    return spelled(_replaced(terms, i, (rng.choice(texts), part)))


def moved_weight(rng, terms):
    """A weight one unit more or less, or by a hair, or two weights exchanged."""
    i, j = rng.randrange(len(terms)), rng.randrange(len(terms))
    weight, part = terms[i]
    unit = Fraction(rng.choice([1, -1]), weight.denominator)
    moved = [weight + unit, weight + 1, weight + rng.choice([1, -1]) * rng.choice(STEPS)]
    if i != j and rng.random() < 0.3:
        other = (weight, terms[j][1])
        return spelled(_replaced(_replaced(terms, i, (terms[j][0], part)), j, other))
    return spelled(_replaced(terms, i, (rng.choice(moved), part)))


def many_terms(rng, terms):
    """One term split into equal ones, the value as it was: 16 are allowed, 17 are not."""
    i, total = rng.randrange(len(terms)), rng.choice([2, MOST, MOST + 1, MOST + 1, 500])
    weight, part = terms[i]
    n = max(total - len(terms) + 1, 1)
    return spelled(_replaced(terms, i, *[(weight / n, part)] * n))


def nested(rng, terms):
    """A mixture within a mixture, or a weight written as a product."""
    i = rng.randrange(len(terms))
    weight, part = terms[i]
    texts = [f"1*{weight}*{part}", f"{weight}*1*{part}", f"{weight}*({part})", f"{weight}**{part}"]
    inside = f"1*({spelled(terms)})"
    return rng.choice(
        [spelled(_replaced(terms, i, tuple(rng.choice(texts).split("*", 1)))), inside]
    )


def renyi_part(rng, terms):
    """A Renyi divergence among the terms, or in the place of a power divergence."""
    i, name = rng.randrange(len(terms)), f"renyi:{rng.choice(['1', '2', '1/2', '3', '0', '-1'])}"
    weight, part = terms[i]
    family, _, order = part.partition(":")
    other = f"renyi:{order}" if family == "alpha" else name
    added = [*terms, (Fraction(1), name)]
    return spelled(rng.choice([_replaced(terms, i, (weight, other)), added]))


def no_weight(rng, terms):
    """A weight 0 or below: of a term more, of one that is there, or of two that cancel."""
    i, name = rng.randrange(len(terms)), rng.choice(OTHERS)
    weight, part = terms[i]
    made = [
        [*terms, ("0", name)], [*terms, ("-1", name)], [*terms, ("-0", name)],
        _replaced(terms, i, (-weight, part)), _replaced(terms, i, (Fraction(0), part)),
        [*terms, (Fraction(1), name), (Fraction(-1), name)], [*terms, (-STEPS[-1], name)],
    ]  # fmt: skip
    return spelled(rng.choice(made))


def equal_terms(rng, terms):
    """A term twice, with half of its weight or all of it; or under another name of its own."""
    i = rng.randrange(len(terms))
    weight, part = terms[i]
    factor, alias = SAME.get(part, (1, part))
    made = [
        [(weight / 2, part)] * 2, [(weight, part)] * 2, [(weight * factor, alias)],
        [(weight / 2, part), (weight * factor / 2, alias)], [],
    ]  # fmt: skip
    return spelled(_replaced(terms, i, *rng.choice(made)) or [(Fraction(1), "tv")])


def moved_corner(rng, terms):
    """A corner or an order a hair away, or a new corner of almost no weight."""
    step = rng.choice([1, -1]) * rng.choice([*STEPS, Fraction(1, 4)])
    places = [i for i, (_, part) in enumerate(terms) if ":" in part]
    if not places or rng.random() < 0.2:
        weight = rng.choice([*STEPS, Fraction(1, 2)])
        return spelled([*terms, (weight, f"e-gamma:{Fraction(rng.randint(1, 12), 4)}")])
    i = rng.choice(places)
    weight, part = terms[i]
    family, _, number = part.partition(":")
    return spelled(_replaced(terms, i, (weight, f"{family}:{Fraction(number) + step}")))


def scaled(rng, content, terms):
    """All weights times a factor, and all numbers that grow with them; or all but one a hair."""
    factor = rng.choice([Fraction(2), Fraction(1, 3), Fraction(10**30), Fraction(1, 10**30)])
    result = copied(content)
    claim, witness = result["claim"], result["witness"]
    claim["divergence"] = spelled([(factor * weight, part) for weight, part in terms])
    numbers = [(claim, "lower"), (claim, "upper"), (witness, "output_multiplier")]
    numbers += [(witness["multipliers"], i) for i in range(len(witness["multipliers"]))]
    for place, key in numbers:
        place[key] = str(factor * Fraction(place[key]))
    if rng.random() < 0.7:
        place, key = rng.choice(numbers)
        step = rng.choice([1, -1]) * rng.choice(STEPS)
        place[key] = str(Fraction(place[key]) * (1 + step))
    return result


RENAMED = (
    other_order, other_spelling, moved_weight, moved_weight, many_terms, nested, renyi_part,
    no_weight, equal_terms, equal_terms, moved_corner, moved_corner,
)  # fmt: skip


def other_mixture(rng, content, donor):
    """The divergence written as another mixture, most of another value or of no right form."""
    terms = terms_of(content["claim"]["divergence"])
    if rng.random() < 0.15:
        return scaled(rng, content, terms)
    result = copied(content)
    result["claim"]["divergence"] = rng.choice(RENAMED)(rng, terms)
    return result
