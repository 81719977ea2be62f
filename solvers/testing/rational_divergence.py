"""Which divergences are rational at rational laws: there optima and proofs are exact."""

from fractions import Fraction

from verify.kernel.divergence import Divergence

__all__ = ["is_rational", "mixture_terms"]

_RATIONAL = {"tv", "chi2", "reverse-chi2", "lecam", "e-gamma"}


def mixture_terms(name: str) -> list[tuple[Fraction, str]]:
    """The weights and the parts of the name of a mixture; the name itself with weight 1 of another.

    >>> mixture_terms("1/2*kl+3*tv"), mixture_terms("kl")
    ([(Fraction(1, 2), 'kl'), (Fraction(3, 1), 'tv')], [(Fraction(1, 1), 'kl')])
    """
    if "*" not in name:
        return [(Fraction(1), name)]
    terms = (term.split("*") for term in name.split("+"))
    return [(Fraction(weight), part) for weight, part in terms]


def is_rational(divergence: Divergence) -> bool:
    """Whether f and its slopes are rational at rationals, and computed exactly by the kernel.

    >>> from verify.kernel.divergence import parse_divergence
    >>> [is_rational(parse_divergence(name)) for name in ("alpha:3", "alpha:1/2", "1*kl+1*tv")]
    [True, False, False]
    """
    return all(_is_rational_part(part) for _, part in mixture_terms(divergence.name))


def _is_rational_part(name: str) -> bool:
    family, _, order = name.partition(":")
    if family not in {"alpha", "renyi"}:
        return family in _RATIONAL
    power = Fraction(order)  # whole powers alone are exact, of moderate length
    return power.denominator == 1 and power not in {0, 1} and max(abs(power), abs(power - 1)) <= 32
