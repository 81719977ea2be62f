"""Arguments of ``solve_testing`` that are refused, and sizes of epsilon that are not."""

from fractions import Fraction

import pytest

from solvers import testing
from solvers.testing.output_curve import output_curve
from verify.kernel.errors import InexactNumberError, InputError

PAIR = (["1/8", "1/8", "1/4", "1/3", "1/6"], ["1/2", "1/10", "1/10", "1/5", "1/10"])


@pytest.mark.parametrize("divergence", [None, 5, b"kl", "nearness"])
def test_a_divergence_that_is_no_name_is_refused(divergence):
    with pytest.raises(InputError, match="divergence"):
        testing.solve_testing(*PAIR, "1", divergence)


@pytest.mark.parametrize("outputs", [2.0, True, 0, -1, "2"])
def test_outputs_that_are_no_positive_integer_are_refused(outputs):
    with pytest.raises(InputError, match="outputs"):
        testing.solve_testing(*PAIR, "1", "kl", outputs)


@pytest.mark.parametrize("outputs", [None, 2, 3])
@pytest.mark.parametrize("divergence", ["kl", "reverse-chi2", "hellinger", "js"])
@pytest.mark.parametrize("epsilon", ["1e-300", "1e-160", "1e-30", "1/1000000", "30", "60"])
def test_very_small_and_very_large_epsilon(epsilon, divergence, outputs):
    solution = testing.solve_testing(*PAIR, epsilon, divergence, outputs)
    assert solution.verdict.is_accepted
    assert solution.relative_gap <= Fraction(1, 10**30)


@pytest.mark.parametrize("divergence", ["kl", "chi2", "reverse-chi2", "hellinger", "alpha:1/3"])
@pytest.mark.parametrize("epsilon", ["40", "700"])
def test_large_epsilon_with_symbols_that_one_law_lacks(epsilon, divergence):
    """The best partitions differ by the factor 1 - 1/E, which floats do not see."""
    p = ["1/2", "1/4", "1/8", "0", "1/8", "0"]
    q = ["0", "1/4", "1/4", "1/3", "0", "1/6"]
    solution = testing.solve_testing(p, q, epsilon, divergence)
    assert solution.verdict.is_accepted
    assert solution.relative_gap <= Fraction(1, 10**30)
    assert solution.is_unique


@pytest.mark.parametrize("divergence", ["kl", "reverse-kl", "js", "hellinger", "chi2", "alpha:1/3"])
@pytest.mark.parametrize("noise", [Fraction(1, 10**12), Fraction(1, 10**40), Fraction(1, 10**90)])
@pytest.mark.parametrize("epsilon", ["1/1000", "1", "log(3000)"])
def test_nearly_identical_laws(divergence, noise, epsilon):
    """Scores are squares of differences that float64 prefix sums would lose."""
    weights, steps = range(3, 15), (5, -3, 1, 0, 2, -7, 4, 4, -6, 1, -2, 1)
    p = [Fraction(w, sum(weights)) for w in weights]
    q = [a + noise * step for a, step in zip(p, steps, strict=True)]
    solution = testing.solve_testing(p, q, epsilon, divergence)
    assert solution.verdict.is_accepted
    assert solution.is_unique
    assert solution.relative_gap <= Fraction(1, 10**30)


def test_an_epsilon_beyond_the_precision_is_refused_not_answered_wrongly():
    with pytest.raises(InputError, match="bits"):
        testing.solve_testing(*PAIR, "1e-600", "kl")


COUNTS = [3, "1/2", "0.5", 0], (1, Fraction(2), 0, 1)
LAWS = ["3/4", "1/8", "1/8", 0], ["1/4", "1/2", 0, "1/4"]


@pytest.mark.parametrize("divergence", ["kl", "tv", "renyi:2", "lr:2"])
@pytest.mark.parametrize("outputs", [None, 2])
def test_counts_are_the_laws_that_they_are_divided_into(divergence, outputs):
    counted = testing.solve_testing(*COUNTS, "1", divergence, outputs, weights=True)
    direct = testing.solve_testing(*LAWS, "1", divergence, outputs)
    assert counted.certificate == direct.certificate
    again = (direct.problem.p0, direct.problem.p1)
    same = testing.solve_testing(*again, "1", divergence, outputs, weights=True)
    assert same.certificate == direct.certificate


def test_counts_of_curves_and_families():
    assert output_curve(*COUNTS, "1", "tv", weights=True) == output_curve(*LAWS, "1", "tv")
    family = testing.weighted_hockey_stick_family(testing.polynomial_weight([1]), "1/2", 2)
    counted = testing.solve_family(*COUNTS, "1", family, weights=True)
    assert counted.certificates == testing.solve_family(*LAWS, "1", family).certificates


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        (([1, -1, 2], [1, 1, 1]), r"p0\[1\]: '-1' is negative"),
        (([1, 1], [0, 0]), "p1: the weights sum to 0"),
        (([], []), "p0: the weights sum to 0"),
        (([1, "x"], [1, 1]), r"p0\[1\]"),
        (([1, 1], [1, 0.5]), r"p1\[1\]: float is not an exact number"),
    ],
)
def test_weights_that_are_none_are_refused(pair, message):
    with pytest.raises((InputError, InexactNumberError), match=message):
        testing.solve_testing(*pair, "1", "kl", weights=True)


def test_counts_without_the_word_are_refused():
    with pytest.raises(InputError, match="sum to"):
        testing.solve_testing(*COUNTS, "1", "kl")
