"""Forgeries that fit every kind: numbers moved, items reordered, parts of other certificates.

A forgery takes a source of randomness, the content of an accepted certificate and that of another
one of the same kind; it gives the content or the text of the forged file, or None where it does
not apply.
"""

from fractions import Fraction

from tests.attack.places import (
    at,
    changed,
    copied,
    is_integer,
    lists,
    numbers,
    objects,
    pieces,
    rational_lists,
    spelled,
    with_number,
)

TINY = [Fraction(1, 10**digits) for digits in (2, 6, 12, 30, 45, 80, 200)]
RULES = (
    lambda x, rng: -x,
    lambda x, rng: Fraction(0),
    lambda x, rng: Fraction(1),
    lambda x, rng: 1 / x if x else Fraction(2),
    lambda x, rng: 2 * x,
    lambda x, rng: x / 2,
    lambda x, rng: x + rng.choice([1, -1]),
    lambda x, rng: x * (1 + rng.choice([1, -1]) * rng.choice(TINY)),
    lambda x, rng: x + rng.choice([1, -1]) * rng.choice(TINY),
    lambda x, rng: Fraction(x.numerator + 1, x.denominator + 1),
    lambda x, rng: Fraction(x.numerator, x.denominator + 1),
)


def last_place(rng, content, donor):
    """One number moved by one unit in its last place."""
    path = rng.choice(numbers(content))
    old = Fraction(at(content, path))
    return with_number(content, path, old + Fraction(rng.choice([1, -1]), old.denominator))


def nearby_number(rng, content, donor):
    """One number replaced by a related one: sign, inverse, double, a little more."""
    path = rng.choice(numbers(content))
    old = at(content, path)
    new = rng.choice(RULES)(Fraction(old), rng)
    return with_number(content, path, new) if new.denominator == 1 or not is_integer(old) else None


def moved_mass(rng, content, donor):
    """Two numbers of one list moved by opposite amounts: sums stay as they are."""
    paths = rational_lists(content)
    if not paths:
        return None
    path = rng.choice(paths)
    items = list(at(content, path))
    giver, taker = rng.sample(range(len(items)), 2)
    first, second = Fraction(items[giver]), Fraction(items[taker])
    last = Fraction(1, max(first.denominator, second.denominator))
    step = rng.choice([*TINY, first, first / 2, last])
    items[giver], items[taker] = spelled(first - step), spelled(second + step)
    return changed(content, path, items)


def long_numbers(rng, content, donor):
    """Numbers replaced by close rationals of thousands of digits; a list keeps its sum."""
    bottom = 10 ** rng.choice([1000, 2500, 3990]) + 2 * rng.randint(0, 9) + 1
    result, paths = copied(content), rational_lists(content)
    if paths and rng.random() < 0.6:
        for path in rng.sample(paths, min(len(paths), rng.randint(1, 3))):
            items = at(result, path)
            i, j = rng.sample(range(len(items)), 2)
            step = Fraction(1, bottom + rng.randint(0, 3))
            items[i] = spelled(Fraction(items[i]) + step)
            items[j] = spelled(Fraction(items[j]) - step)
        return result
    paths = [path for path in numbers(content) if not is_integer(at(content, path))]
    for path in rng.sample(paths, min(len(paths), rng.randint(1, 6))):
        length = bottom + 2 * rng.randint(0, 99)
        old = Fraction(at(content, path))
        result = with_number(result, path, Fraction(round(old * length) + 1, length))
    return result


def reordered(rng, content, donor):
    """The items of one list in another order."""
    paths = lists(content)
    if not paths:
        return None
    path = rng.choice(paths)
    items = list(at(content, path))
    i, j = rng.sample(range(len(items)), 2)
    match rng.randrange(4):
        case 0:
            items[i], items[j] = items[j], items[i]
        case 1:
            items.reverse()
        case 2:
            items = items[1:] + items[:1]
        case 3:
            rng.shuffle(items)
    return changed(content, path, items)


def resized(rng, content, donor):
    """One item of a list left out, doubled, emptied or written over by its neighbour."""
    path = rng.choice(lists(content, 1) or [None])
    if path is None:
        return None
    items = list(at(content, path))
    i = rng.randrange(len(items))
    match rng.randrange(5):
        case 0:
            del items[i]
        case 1:
            items.insert(rng.randrange(len(items) + 1), items[i])
        case 2:
            items[i] = items[i - 1]
        case 3:
            items = []
        case 4:
            items.append(items[0])
    return changed(content, path, items)


def another_claim(rng, content, donor):
    """The witness of one problem with the claim of another."""
    return {**content, "claim": copied(donor["claim"])}


def one_part_of_another(rng, content, donor):
    """One key of claim or witness taken from another certificate of the kind."""
    part = rng.choice(["claim", "claim", "witness"] if content["witness"] else ["claim"])
    shared = sorted(content[part].keys() & donor[part].keys())
    key = rng.choice(shared) if shared else None
    return changed(content, (part, key), copied(donor[part][key])) if key else None


def two_numbers(rng, content, donor):
    """Two numbers moved at once, each by one unit in its last place or by a like amount."""
    first = last_place(rng, content, donor)
    return (last_place if rng.random() < 0.5 else nearby_number)(rng, first, donor)


def keys(rng, content, donor):
    """A key missing, unknown, misspelled, or moved between claim and witness."""
    result = copied(content)
    place = at(result, rng.choice(objects(content)))
    names = sorted(place) or ["none"]
    name, value = rng.choice(names), "1"
    match rng.randrange(6):
        case 0:
            place.pop(name, None)
        case 1:
            place[rng.choice(["extra", "", "verdict", "lambda_", "Claim", "__proto__"])] = value
        case 2:
            place[name + rng.choice([" ", "\u200b", "\0", "s"])] = place.pop(name, value)
        case 3:
            place[name.upper()] = place.pop(name, value)
        case 4:
            place[name.replace("a", "\u0430").replace("e", "\u0435")] = place.pop(name, value)
        case 5:
            result["claim"], result["witness"] = result["witness"], result["claim"]
    return result


def wrong_type(rng, content, donor):
    """A value of another type: bool for integer, number for text, null, a list around it."""
    path, old = rng.choice([*pieces(content), (("kind",), content["kind"]), (("version",), 1)])
    values = [None, True, False, [], {}, "", [old], {"value": old}, 0, 1, -1, str(old), 10**30]
    if is_integer(old):
        values += [bool(old)] * 6
    elif isinstance(old, str):
        values += [old.encode().hex(), old + "\n", [*old], old * 2]
    return changed(content, path, rng.choice(values))


GENERIC = {
    "one unit in the last place": last_place,
    "related number": nearby_number,
    "mass moved": moved_mass,
    "two numbers": two_numbers,
    "numbers of thousands of digits": long_numbers,
    "reordered": reordered,
    "item dropped or doubled": resized,
    "claim of another problem": another_claim,
    "one part of another": one_part_of_another,
    "keys": keys,
    "wrong type": wrong_type,
}
