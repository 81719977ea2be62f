"""Real numbers that are compared by balls of rising precision, by python-flint and not the kernel.

A real number is a function from bits to a ball, or a Fraction. Two that no precision separates are
taken as equal: a difference below 2**-8000 between numbers this short is none.
"""

from fractions import Fraction

from flint import arb, ctx, fmpq

PRECISIONS = (128, 640, 2560, 8192)


def ball(x):
    """A ball around a rational."""
    return arb(fmpq(x.numerator, x.denominator))


def exponential(level):
    """E of a level of a claim: a Fraction, or a function from bits to a ball."""
    if "exp_epsilon" in level:
        return Fraction(level["exp_epsilon"])
    nats = Fraction(level["nats"])
    return (lambda: ball(nats).exp()) if nats else Fraction(1)


def evaluated(x):
    """The ball of a real number at the working precision."""
    return ball(x) if isinstance(x, Fraction | int) else x()


def sign(x):
    """The sign of a real number: 1, -1 or 0."""
    if isinstance(x, Fraction | int):
        return (x > 0) - (x < 0)
    before = ctx.prec
    try:
        for bits in PRECISIONS:
            ctx.prec = bits
            value = x()
            if value > 0 or value < 0:
                return 1 if value > 0 else -1
    finally:
        ctx.prec = before
    return 0


def at_most(x, y):
    """Whether x <= y."""
    if isinstance(x, Fraction | int) and isinstance(y, Fraction | int):
        return x <= y
    return sign(lambda: evaluated(y) - evaluated(x)) >= 0


def rational_near(x, digits):
    """The largest multiple of 10**-digits at most a real number (up to the last place)."""
    if isinstance(x, Fraction | int):
        return Fraction(x * 10**digits // 1, 10**digits)
    before, ctx.prec = ctx.prec, 4 * digits + 4000
    try:
        return Fraction(int((x() * arb(10) ** digits).floor().mid().fmpz()), 10**digits)
    finally:
        ctx.prec = before


def convergents(x, most):
    """The first convergents of a rational, by its continued fraction."""
    p, q = [0, 1], [1, 0]
    for _ in range(most):
        whole = x.numerator // x.denominator
        p.append(whole * p[-1] + p[-2])
        q.append(whole * q[-1] + q[-2])
        yield Fraction(p[-1], q[-1])
        if x == whole:
            return
        x = 1 / (x - whole)
