"""Names of mixtures of divergences, with corners and without."""

from fractions import Fraction

from verify.kernel.divergence import parse_divergence

NAMES = (
    "1*kl",
    "1/2*hellinger+2*tv",
    "1*e-gamma:1/2+1/3*e-gamma:5/4+2*e-gamma:2",
    "1*e-gamma:2+3*kl",
    "1/5*alpha:3+3*lecam",
    "1/7*alpha:-1/2+1/7*js+2*reverse-kl",
    "1*tv+2*chi2+3*e-gamma:3/2",
)


def parts_of(name):
    terms = (term.split("*") for term in name.split("+"))
    return [(Fraction(weight), parse_divergence(part)) for weight, part in terms]
