"""Families of symmetric designs: for which parameters they have a member, and how to build it.

Letters: n = k - lambda. Members are recognised by arithmetic on (v, k, lambda) alone, so that
huge parameters are answered without building anything.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import isqrt

from combinatorics.construction import Construction, Existence, Exists
from combinatorics.hadamard.existence import hadamard_existence, regular_hadamard_existence
from combinatorics.hadamard.matrices import hadamard_matrix, regular_hadamard_matrix
from combinatorics.incidence_matrix import hadamard_from_signs
from combinatorics.number_theory import is_prime_power, is_square, prime_power
from combinatorics.obstruction import is_symmetric
from combinatorics.projective_geometry import point_hyperplane_design
from combinatorics.symmetric.affine import (
    brouwer_design,
    rajkundlia_mitchell_ionin_design,
    wallis_design,
)
from combinatorics.symmetric.hadamard_design import hadamard_2_design, menon_design
from combinatorics.symmetric.productive import (
    bush_type_hadamard,
    bush_type_sequence,
    parallel_class_sequence,
    productive_design,
)
from combinatorics.symmetric.sporadic import (
    gewirtz_biplane,
    higman_design,
    stored_design,
    stored_designs,
)
from verify.kernel.errors import LimitError
from verify.kernel.incidence import BlockDesign

__all__ = ["FAMILIES", "SymmetricFamily"]

Arguments = tuple[int, ...]
Parameters = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class SymmetricFamily:
    """A family of symmetric designs.

    Args:
        name: its name.
        reference: author and year.
        letters: names of the arguments of ``build``, for the text of a construction.
        arguments: yields the arguments of every member with parameters (v, k, lambda), from
            which lambda (v - 1) = k (k - 1) may be supposed.
        build: the member with given arguments.
        ingredient: for given arguments the construction of the Hadamard matrix that is used.
    """

    name: str
    reference: str
    letters: tuple[str, ...]
    arguments: Callable[[int, int, int], Iterator[Arguments]]
    build: Callable[..., BlockDesign]
    ingredient: Callable[..., Existence] | None = None

    def is_applicable(self, v: int, k: int, lambda_: int) -> bool:
        """Whether the family has a member with exactly these parameters, without building it."""
        if not 2 <= k < v or not is_symmetric(v, k, lambda_):
            return False
        return next(self.arguments(v, k, lambda_), None) is not None

    def construction(self, arguments: Arguments) -> Construction:
        """Name, arguments and reference of a member, with those of its ingredient."""
        values = [f"{letter} = {x}" for letter, x in zip(self.letters, arguments, strict=True)]
        own = Construction(", ".join([self.name, *values]), self.reference)
        matrix = self.ingredient(*arguments) if self.ingredient is not None else None
        if not isinstance(matrix, Exists):
            return own
        used = matrix.construction
        return Construction(f"{own.name}, with {used.name}", f"{own.reference}; {used.reference}")


def _prime_power_roots(n: int) -> Iterator[tuple[int, int]]:
    """The pairs (q, e) with q^e = n for a prime power n, q ascending."""
    decomposition = prime_power(n)
    if decomposition is not None:
        p, e = decomposition
        yield from ((p ** (e // part), part) for part in range(e, 0, -1) if e % part == 0)


def _points(q: int, d: int) -> int:
    """The number of points of PG(d - 1, q)."""
    return int((q**d - 1) // (q - 1))


def _hadamard(order: int) -> bool:
    try:
        return isinstance(hadamard_existence(order), Exists)
    except LimitError:
        return False


def _trivial_arguments(v: int, k: int, lambda_: int) -> Iterator[Arguments]:
    if k == v - 1 and lambda_ == v - 2:
        yield (v,)


def _trivial_design(v: int) -> BlockDesign:
    everything = (1 << v) - 1
    return BlockDesign(v, tuple(everything ^ 1 << point for point in range(v)))


def _point_hyperplane_arguments(v: int, k: int, lambda_: int) -> Iterator[Arguments]:
    for q, e in _prime_power_roots(k - lambda_):
        d = e + 1
        if v == _points(q, d + 1) and k == _points(q, d):
            yield d, q


def _hadamard_arguments(v: int, k: int, lambda_: int) -> Iterator[Arguments]:
    if (v, k) == (4 * lambda_ + 3, 2 * lambda_ + 1) and lambda_ > 0 and _hadamard(v + 1):
        yield (v + 1,)


def _hadamard_design(order: int) -> BlockDesign:
    return hadamard_2_design(hadamard_from_signs(hadamard_matrix(order).matrix))


def _menon_arguments(v: int, k: int, lambda_: int) -> Iterator[Arguments]:
    t = k - 2 * lambda_
    if t < 2 or (v, k) != (4 * t * t, 2 * t * t - t):
        return
    try:
        if isinstance(regular_hadamard_existence(v), Exists):
            yield (v,)
    except LimitError:
        return


def _menon_design(order: int) -> BlockDesign:
    return menon_design(hadamard_from_signs(regular_hadamard_matrix(order).matrix))


def _wallis_arguments(v: int, k: int, lambda_: int) -> Iterator[Arguments]:
    if not is_square(k - lambda_):
        return
    for q, e in _prime_power_roots(isqrt(k - lambda_)):
        d = e + 1
        r = _points(q, d)
        if (v, k) == (q**d * (r + 1), q**e * r):
            yield q, d


def _rajkundlia_arguments(v: int, k: int, lambda_: int) -> Iterator[Arguments]:
    for r, m in _prime_power_roots(k):
        q, remainder = divmod(k * (r - 1), r * lambda_)
        if m < 2 or remainder or r <= q or not is_prime_power(q):
            continue  # m = 1 gives points and hyperplanes
        d = 2
        while _points(q, d) < r:
            d += 1
        if _points(q, d) == r and v == 1 + q * r * _points(r, m):
            yield q, d, m


def _brouwer_arguments(v: int, k: int, lambda_: int) -> Iterator[Arguments]:
    for r, m in _prime_power_roots(k):
        if m < 2 or r % 2 == 0 or v != 1 + 2 * r * _points(r, m):
            continue  # m = 1 gives back the Hadamard design
        if 2 * r * lambda_ == k * (r - 1) and _hadamard(2 * r + 2):
            yield r, m


def _brouwer(r: int, m: int) -> BlockDesign:
    return brouwer_design(_hadamard_design(2 * r + 2), m)


def _productive_splittings(k: int, lambda_: int) -> Iterator[tuple[int, int, int]]:
    """The (s, c, m), m >= 2, with k = c s^(2m-1) and k - lambda = (c s^(m-1))², s a prime power."""
    n = k - lambda_
    if n < 1 or not is_square(n) or k % isqrt(n):
        return
    for s, m in _prime_power_roots(k // isqrt(n)):
        c, remainder = divmod(isqrt(n), s ** (m - 1))
        if m >= 2 and remainder == 0:
            yield s, c, m


def _multiplied(base: int, s: int, m: int) -> int:
    """The number of points of the substitution of designs on ``base`` points, Q = s²."""
    return base * _points(s * s, m)


def _bush_arguments(v: int, k: int, lambda_: int) -> Iterator[Arguments]:
    for s, u, m in _productive_splittings(k, lambda_):
        sign = s - 2 * u
        if sign in {-1, 1} and v == _multiplied(4 * u * u, s, m) and _hadamard(2 * u):
            yield u, sign, m


def _bush_design(u: int, sign: int, m: int) -> BlockDesign:
    bush = bush_type_hadamard(hadamard_from_signs(hadamard_matrix(2 * u).matrix))
    return productive_design(bush_type_sequence(bush, sign), m)


def _mcfarland_arguments(v: int, k: int, lambda_: int) -> Iterator[Arguments]:
    for s, c, m in _productive_splittings(k, lambda_):
        for q, e in _prime_power_roots(c):
            d = e + 1
            r = _points(q, d)
            if s in {r, q**d + q - 1} and v == _multiplied(q**d * (r + 1), s, m):
                yield q, d, m, int(s != r)


def _mcfarland_design(q: int, d: int, m: int, complemented: int) -> BlockDesign:
    cells = parallel_class_sequence(q, d, "mcfarland", complemented=bool(complemented))
    return productive_design(cells, m)


def _spence_arguments(v: int, k: int, lambda_: int) -> Iterator[Arguments]:
    for s, c, m in _productive_splittings(k, lambda_):
        e = 0
        while 3**e < c:
            e += 1
        classes = _points(3, e + 1)
        fits = 3**e == c > 1 and v == _multiplied(3 * c * classes, s, m)
        if fits and s in {classes + 1, 2 * classes - 1}:
            yield e + 1, m, int(s != classes + 1)


def _spence_design(d: int, m: int, complemented: int) -> BlockDesign:
    cells = parallel_class_sequence(3, d, "spence", complemented=bool(complemented))
    return productive_design(cells, m)


def _stored_arguments(v: int, k: int, lambda_: int) -> Iterator[Arguments]:
    if (v, k, lambda_) in stored_designs():
        yield v, k, lambda_


def _single(parameters: Parameters) -> Callable[[int, int, int], Iterator[Arguments]]:
    def arguments(v: int, k: int, lambda_: int) -> Iterator[Arguments]:
        if (v, k, lambda_) == parameters:
            yield ()

    return arguments


FAMILIES = (
    SymmetricFamily("all points but one", "trivial", ("v",), _trivial_arguments, _trivial_design),
    SymmetricFamily(
        "Gewirtz graph with loops",
        "Hall, Lane and Wales 1970",
        (),
        _single((56, 11, 2)),
        gewirtz_biplane,
    ),
    SymmetricFamily("Higman's design", "G. Higman 1969", (), _single((176, 50, 14)), higman_design),
    SymmetricFamily(
        "stored design",
        "found by prescribing a group; data/sporadic.json",
        ("v", "k", "lambda"),
        _stored_arguments,
        stored_design,
    ),
    SymmetricFamily(
        "points and hyperplanes of PG(d, q)",
        "Bose 1939; Beth, Jungnickel and Lenz 1999, I.2.16",
        ("d", "q"),
        _point_hyperplane_arguments,
        point_hyperplane_design,
    ),
    SymmetricFamily("Wallis", "Wallis 1971", ("q", "d"), _wallis_arguments, wallis_design),
    SymmetricFamily(
        "Rajkundlia-Mitchell-Ionin",
        "Rajkundlia 1983; Mitchell 1979; Ionin 1998",
        ("q", "d", "m"),
        _rajkundlia_arguments,
        rajkundlia_mitchell_ionin_design,
    ),
    SymmetricFamily(
        "Brouwer",
        "Brouwer 1983",
        ("r", "m"),
        _brouwer_arguments,
        _brouwer,
        lambda r, _: hadamard_existence(2 * r + 2),
    ),
    SymmetricFamily(
        "Hadamard design",
        "Todd 1933",
        ("order",),
        _hadamard_arguments,
        _hadamard_design,
        hadamard_existence,
    ),
    SymmetricFamily(
        "Menon, from a regular Hadamard matrix",
        "Menon 1962",
        ("order",),
        _menon_arguments,
        _menon_design,
        regular_hadamard_existence,
    ),
    SymmetricFamily(
        "Ionin, from a Bush-type Hadamard matrix",
        "Ionin 1998; Kharaghani 2000",
        ("u", "sign", "m"),
        _bush_arguments,
        _bush_design,
        lambda u, *_: hadamard_existence(2 * u),
    ),
    SymmetricFamily(
        "Ionin, from McFarland's building sets",
        "Ionin 1999",
        ("q", "d", "m", "complemented"),
        _mcfarland_arguments,
        _mcfarland_design,
    ),
    SymmetricFamily(
        "Ionin, from Spence's building sets",
        "Ionin 1999",
        ("d", "m", "complemented"),
        _spence_arguments,
        _spence_design,
    ),
)
"""The families, the cheapest to build first."""
