"""Theorems that forbid a 2-(v, k, lambda) design, with the way in which the parameters break them.

Letters: r blocks on a point, b blocks, n = k - lambda the order. Each function returns
``Impossible``, or None when its theorem does not apply; None never means that a design exists.
A theorem about difference sets or about designs with a given group is not used here.
"""

from combinatorics.construction import Impossible
from combinatorics.number_theory import factorize, hilbert_symbol, is_square

__all__ = [
    "bruck_ryser_chowla",
    "counting",
    "design_obstruction",
    "fisher",
    "hall_connor",
    "is_symmetric",
    "lam_thiel_swiercz",
    "schutzenberger",
    "spelled",
    "undecided_factor",
]


def is_symmetric(v: int, k: int, lambda_: int) -> bool:
    """Whether the parameters give as many blocks as points: lambda (v - 1) = k (k - 1)."""
    return lambda_ * (v - 1) == k * (k - 1)


def counting(v: int, k: int, lambda_: int) -> Impossible | None:
    """The counts r (k - 1) = lambda (v - 1) and b k = v r must have whole solutions."""
    name = "double counting"
    if lambda_ * (v - 1) % (k - 1):
        return Impossible(
            name, f"{k - 1} does not divide lambda (v - 1) = {spelled(lambda_ * (v - 1))}"
        )
    r = lambda_ * (v - 1) // (k - 1)
    if v * r % k:
        return Impossible(name, f"k = {spelled(k)} does not divide v r = {spelled(v * r)}")
    return None


def fisher(v: int, k: int, lambda_: int) -> Impossible | None:
    """A 2-design with k < v has at least as many blocks as points."""
    r = lambda_ * (v - 1) // (k - 1)
    if k < v and r < k:
        return Impossible("Fisher's inequality (Fisher 1940)", f"b = {v * r // k} < v = {v}")
    return None


def schutzenberger(v: int, k: int, lambda_: int) -> Impossible | None:
    """In a symmetric design with v even the order k - lambda is a square."""
    if v % 2 == 0 and not is_square(k - lambda_):
        return Impossible(
            "Schützenberger's theorem (Schützenberger 1949)",
            f"v is even and k - lambda = {spelled(k - lambda_)} is not a square",
        )
    return None


def bruck_ryser_chowla(v: int, k: int, lambda_: int) -> Impossible | None:
    """For v odd, z² = n x² + (-1)^((v-1)/2) lambda y² needs a nonzero integer solution.

    By the theorem of Hasse and Minkowski it has one exactly when the Hilbert symbol of its
    coefficients is 1 at 2 and at every odd prime that divides lambda or n; the first prime at
    which it is -1 is named. Only prime factors that can be found cheaply are looked at.

    Reference: Bruck and Ryser (1949), Chowla and Ryser (1950).
    """
    n, signed = k - lambda_, lambda_ if v % 4 == 1 else -lambda_
    if v % 2 == 0 or is_square(n):
        return None
    found = {prime for part in (n, lambda_) for prime, _ in factorize(part).primes}
    for prime in sorted({2} | found):
        if hilbert_symbol(n, signed, prime) == -1:
            return Impossible(
                "Bruck-Ryser-Chowla theorem (Chowla and Ryser 1950)",
                f"z² = {spelled(n)} x² {'+' if signed > 0 else '-'} {spelled(lambda_)} y² has "
                f"no solution at the prime {spelled(prime)}",
            )
    return None


def undecided_factor(v: int, k: int, lambda_: int) -> int | None:
    """A composite factor, too large to factor, at whose primes the last theorem stays open."""
    if v % 2 == 0 or is_square(k - lambda_):
        return None
    cofactors = [factorize(part).cofactor for part in (k - lambda_, lambda_)]
    return next((cofactor for cofactor in cofactors if cofactor > 1), None)


def lam_thiel_swiercz(v: int, k: int, lambda_: int) -> Impossible | None:
    """There is no projective plane of order 10."""
    if (v, k, lambda_) == (111, 11, 1):
        return Impossible(
            "no projective plane of order 10 (Lam, Thiel and Swiercz 1989)",
            "excluded by an exhaustive computer search",
        )
    return None


def hall_connor(v: int, k: int, lambda_: int) -> Impossible | None:
    """A quasi-residual design, r = k + lambda, with lambda 1 or 2 lies in a symmetric one.

    Reference: Hall and Connor (1954).
    """
    r = lambda_ * (v - 1) // (k - 1)
    if lambda_ > 2 or r != k + lambda_:
        return None
    enclosing = _symmetric_obstruction(v + r, r, lambda_)
    if enclosing is None:
        return None
    return Impossible(
        "Hall-Connor theorem (Hall and Connor 1954)",
        f"it would lie in a symmetric ({v + r}, {r}, {lambda_}) design; {enclosing.theorem}: "
        f"{enclosing.reason}",
    )


def _symmetric_obstruction(v: int, k: int, lambda_: int) -> Impossible | None:
    theorems = (schutzenberger, bruck_ryser_chowla, lam_thiel_swiercz)
    return next(filter(None, (theorem(v, k, lambda_) for theorem in theorems)), None)


def design_obstruction(v: int, k: int, lambda_: int) -> Impossible | None:
    """The first theorem that forbids a 2-(v, k, lambda) design, with 2 <= k < v, or None.

    >>> design_obstruction(22, 7, 2).theorem
    "Schützenberger's theorem (Schützenberger 1949)"
    """
    broken = counting(v, k, lambda_) or fisher(v, k, lambda_)
    if broken is not None:
        return broken
    if not is_symmetric(v, k, lambda_):
        return hall_connor(v, k, lambda_)
    if 2 * k > v:
        complement = (v, v - k, v - 2 * k + lambda_)
        return _symmetric_obstruction(*complement) if complement[1] > 1 else None
    return _symmetric_obstruction(v, k, lambda_)


def spelled(n: int) -> str:
    """The decimal digits of n, the middle left out when there are more than 40."""
    text = str(n)
    return text if len(text) <= 40 else f"{text[:12]}...{text[-6:]} ({len(text)} digits)"
