"""What local differential privacy (LDP) says of pointwise maximal leakage (PML), and back.

E = e^epsilon. For a column with maximum h, minimum m and sum s the leakage over priors with masses
>= c is h/(c s + (1 - Nc) m). With h <= E m, least s gives the leakage of an LDP channel; with the
leakage given, largest s gives the column ratio of a PML channel. Both are attained.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from solvers.epsilon import parse_epsilon
from solvers.leakage.dobrushin import dobrushin_at_leakage, require_least_mass
from verify.kernel.exact import INFINITE, Extended

__all__ = ["Conversion", "conversion_table", "exp_ldp_of_leakage", "exp_leakage_of_ldp"]


def exp_leakage_of_ldp(c: Fraction, exp_epsilon: Fraction) -> Fraction:
    """E/(1 + c (E - 1)), *exact*: the largest exp(leakage) over c of a log(E)-LDP channel.

    Attained by a column with one entry E times the others, for every N >= 2.

    >>> exp_leakage_of_ldp(Fraction(1, 2), Fraction(3))
    Fraction(3, 2)
    """
    return exp_epsilon / (1 + c * (exp_epsilon - 1))


def exp_ldp_of_leakage(n_inputs: int, c: Fraction, exp_leakage: Fraction) -> Extended:
    """The largest column ratio of a channel with N inputs and this worst leakage over c, *exact*.

    E (1 - (N-1) c)/(1 - (N-1) c E), INFINITE when (N-1) c E >= 1: then a column may hold a zero.
    The extremal column has one entry below all the others.
    """
    others = (n_inputs - 1) * c
    if others * exp_leakage >= 1:
        return INFINITE
    return exp_leakage * (1 - others) / (1 - others * exp_leakage)


@dataclass(frozen=True, slots=True)
class Conversion:
    """One line of a conversion table; every value is *exact* for the rational E of the line.

    Args:
        c: the least mass of a prior.
        exp_epsilon: E, read as the level of either definition.
        leakage_of_ldp: the exp(leakage) over c that every log(E)-LDP channel keeps.
        ldp_of_leakage: the e^epsilon that every (log E, c)-PML channel keeps, or INFINITE.
        dobrushin_of_ldp: the largest Dobrushin coefficient of a log(E)-LDP channel.
        dobrushin_of_leakage: the same of a (log E, c)-PML channel.
    """

    c: Fraction
    exp_epsilon: Fraction
    leakage_of_ldp: Fraction
    ldp_of_leakage: Extended
    dobrushin_of_ldp: Fraction
    dobrushin_of_leakage: Fraction


def conversion_table(
    n_inputs: int, c: Iterable[object], epsilon: Iterable[object]
) -> tuple[Conversion, ...]:
    """The conversions between LDP and PML for each c and each epsilon.

    Args:
        n_inputs: N >= 2.
        c: least masses of a prior, exact numbers in [0, 1/N].
        epsilon: levels as ``parse_epsilon`` reads them; the lines use ``exp_upper``, so that what
            they promise holds at epsilon too.

    Raises:
        InputError: for N < 2, c outside [0, 1/N] or an invalid epsilon.
    """
    levels = [parse_epsilon(level).exp_upper for level in epsilon]
    return tuple(
        Conversion(
            mass,
            exp,
            exp_leakage_of_ldp(mass, exp),
            exp_ldp_of_leakage(n_inputs, mass, exp),
            dobrushin_at_leakage(n_inputs, Fraction(0), exp),
            dobrushin_at_leakage(n_inputs, mass, exp),
        )
        for mass in (require_least_mass(n_inputs, value) for value in c)
        for exp in levels
    )
