"""Whether two partitions have exactly the same value, where no precision could tell.

At a rational E the value of a partition is a rational combination of logarithms or of roots of
positive rationals, up to a term that is the same for all partitions (sum x = sum y = E - 1 + s):

- ``kl`` sum x log(x/y), ``reverse-kl`` its mirror;
- ``js`` sum (x log(2x/(x+y)) + y log(2y/(x+y)))/2;
- ``hellinger`` -2 sum y (x/y)^(1/2); ``alpha:A``, ``renyi:A``: sum y (x/y)^A;

each divided by E - 1 + s. A mixture is a sum of a combination of logarithms and one of roots and
rationals; by Lindemann's theorem it is 0 just when both are, as the exponential of the first is
algebraic and that of an algebraic number other than 0 is not.

Logarithms: written over a base of pairwise coprime integers, found by greatest common divisors
alone, a combination is 0 just when the exponent sum of every member is, because the logarithms of
coprime integers > 1 are linearly independent over the rationals. Roots: n-th roots of positive
rationals no two of which have a rational ratio are linearly independent, so those with rational
ratio are added up and each sum must be 0. So are their p-th powers for p prime to n, as t^p is an
n-th power just when t is: nothing is raised to a large power. A tie at a transcendental E that is
an identity in E is one at every rational E, so it is found at the rational E of the mechanism.

Reference: Bach, Driscoll, Shallit 1993 (factor refinement); Besicovitch 1940 (roots); Lindemann
1882 (exponentials).
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from math import gcd, lcm

from solvers.testing.alphabet import OrderedAlphabet
from solvers.testing.objective import Objective
from solvers.testing.rational_divergence import is_rational
from verify.kernel.exact import Infinity

__all__ = [
    "are_tied",
    "is_zero_of_logarithms",
    "is_zero_of_powers",
    "is_zero_of_roots",
    "rational_root",
]

_BITS = 64
_NAMES = {"alpha:1": "kl", "renyi:1": "kl", "alpha:0": "reverse-kl"}
Combination = list[tuple[Fraction, Fraction]]
"""Pairs (coefficient, argument) of a sum of coefficient * log(argument) or of roots."""


def coprime_base(numbers: Iterable[int]) -> list[int]:
    """Pairwise coprime integers > 1 such that every number is a product of powers of them."""
    base: list[int] = []
    waiting = [number for number in numbers if number > 1]
    while waiting:
        number = waiting.pop()
        for place, member in enumerate(base):
            common = gcd(number, member)
            if common > 1:
                del base[place]
                parts = (common, member // common, number // common)
                waiting += [part for part in parts if part > 1]
                break
        else:
            if number not in base:
                base.append(number)
    return base


def _exponent(number: int, member: int) -> int:
    count = 0
    while number % member == 0:
        number //= member
        count += 1
    return count


def is_zero_of_logarithms(terms: Combination) -> bool:
    """Whether the sum of coefficient * log(argument) is 0, for positive rational arguments."""
    numbers = {n for _, r in terms for n in (r.numerator, r.denominator)}
    return all(
        not sum(
            q * (_exponent(r.numerator, member) - _exponent(r.denominator, member))
            for q, r in terms
        )
        for member in coprime_base(numbers)
    )


def _integer_root(number: int, degree: int) -> int:
    """The largest integer whose power is at most the number, by Newton's method from above."""
    if number.bit_length() <= degree:
        return min(number, 1)
    root = 1 << -(-number.bit_length() // degree)
    while True:
        smaller = ((degree - 1) * root + number // root ** (degree - 1)) // degree
        if smaller >= root:
            return root
        root = smaller


def rational_root(number: Fraction, degree: int) -> Fraction | None:
    """The rational whose power is the given rational > 0; None if there is none."""
    top, bottom = (_integer_root(n, degree) for n in (number.numerator, number.denominator))
    root = Fraction(top, bottom)
    return root if root**degree == number else None


def is_zero_of_roots(terms: Combination, degree: int) -> bool:
    """Whether the sum of coefficient * argument**(1/degree) is 0, for positive arguments."""
    return is_zero_of_powers(terms, Fraction(1, degree))


def is_zero_of_powers(terms: Combination, exponent: Fraction) -> bool:
    """Whether the sum of coefficient * argument**exponent is 0, for positive arguments."""
    classes: list[tuple[Fraction, Fraction]] = []  # a representative and the sum in its units
    for q, r in terms:
        for place, (representative, total) in enumerate(classes):
            ratio = rational_root(r / representative, exponent.denominator)
            if ratio is not None:
                classes[place] = representative, total + q * ratio**exponent.numerator
                break
        else:
            classes.append((r, q))
    return not any(total for _, total in classes)


def _kl(x: Fraction, y: Fraction) -> Combination:
    return [(x, x / y)]


def _js(x: Fraction, y: Fraction) -> Combination:
    return [(x / 2, 2 * x / (x + y)), (y / 2, 2 * y / (x + y))]


_LOGARITHMS: dict[str, Callable[[Fraction, Fraction], Combination]] = {
    "kl": _kl,
    "reverse-kl": lambda x, y: _kl(y, x),
    "js": _js,
}


def _power(name: str) -> Fraction | None:
    family, _, order = name.partition(":")
    if name == "hellinger":
        return Fraction(1, 2)
    if family in {"alpha", "renyi"} and order.lstrip("-").replace("/", "").isdigit():
        return Fraction(order)
    return None


@dataclass
class _Sums:
    """A number as a combination of logarithms plus one of powers with one exponent."""

    exponent: Fraction
    logarithms: Combination = field(default_factory=list)
    powers: Combination = field(default_factory=list)

    def add(self, factor: Fraction, part: Objective, x: Fraction, y: Fraction) -> None:
        """Add factor h(x, y), up to what is the same for all partitions."""
        name = _NAMES.get(part.divergence.name, part.divergence.name)
        power = _power(name)
        if name in _LOGARITHMS:
            self.logarithms += [(factor * q, r) for q, r in _LOGARITHMS[name](x, y)]
        elif is_rational(part.divergence) or power is None:
            mu = part.divergence.perspective(x, y, _BITS)
            if isinstance(mu, Infinity):
                raise ArithmeticError("a private channel has finite scores")
            self.powers.append((factor * mu.lower, Fraction(1)))
        else:
            scale = -2 if name == "hellinger" else 1 / (power * (power - 1))
            whole, count = power.denominator == 1, power / self.exponent
            term = (y * (x / y) ** int(power), 1) if whole else (y, (x / y) ** int(count))
            self.powers.append((factor * scale * term[0], Fraction(term[1])))

    def is_zero(self) -> bool:
        """Whether the number is 0."""
        return is_zero_of_logarithms(self.logarithms) and is_zero_of_powers(
            self.powers, self.exponent
        )


def are_tied(
    goal: Objective,
    alphabet: OrderedAlphabet,
    c: Fraction,
    first: Sequence[int],
    second: Sequence[int],
) -> bool | None:
    """Whether two partitions have the same value, *exact*; None for a divergence not listed above.

    Args:
        goal: the divergence, or a mixture.
        alphabet: k symbols.
        c: E - 1.
        first: the cuts of a partition.
        second: the cuts of another.
    """
    parts = goal.parts or ((Fraction(1), goal),)
    divergences = [part.divergence for _, part in parts]
    names = [_NAMES.get(f.name, f.name) for f in divergences]
    powers = [_power(name) for name in names]
    for f, name, power in zip(divergences, names, powers, strict=True):
        if not (is_rational(f) or name in _LOGARITHMS or power is not None):
            return None
    sums = _Sums(_exponent_of_all({power for power in powers if power is not None}))
    prefix0, prefix1 = alphabet.prefix_sums()
    common = set(pairwise(first)) & set(pairwise(second)) if len(first) == len(second) else set()
    for cuts, sign in ((first, 1), (second, -1)):
        total = c + len(cuts) - 1
        for i, j in pairwise(cuts):
            if (i, j) not in common:
                x, y = 1 + c * (prefix0[j] - prefix0[i]), 1 + c * (prefix1[j] - prefix1[i])
                for weight, part in parts:
                    sums.add(sign * weight / total, part, x, y)
    return sums.is_zero()


def _exponent_of_all(orders: Collection[Fraction]) -> Fraction:
    """An exponent of which all orders but the integers are multiples: their own if there is one."""
    broken = [order for order in orders if order.denominator > 1]
    if len(broken) == 1:
        return broken[0]
    return Fraction(1, lcm(*(order.denominator for order in broken)))
