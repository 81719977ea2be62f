"""Laws of the Hilbert symbol: bilinear, symmetric, trivial on norms, and the product formula."""

from hypothesis import given
from hypothesis import strategies as st

from combinatorics.number_theory import factorize, hilbert_symbol

NONZERO = st.integers(-(10**12), 10**12).filter(bool)
PRIMES = st.sampled_from([2, 3, 5, 7, 11, 101, 65537])


@given(NONZERO, NONZERO, NONZERO, PRIMES)
def test_bilinear_and_symmetric(a, b, c, p):
    assert hilbert_symbol(a, b * c, p) == hilbert_symbol(a, b, p) * hilbert_symbol(a, c, p)
    assert hilbert_symbol(a, b, p) == hilbert_symbol(b, a, p)


@given(NONZERO, NONZERO, PRIMES)
def test_trivial_cases(a, b, p):
    assert hilbert_symbol(a, -a, p) == 1
    assert hilbert_symbol(a, b * b, p) == 1
    if a not in {0, 1}:
        assert hilbert_symbol(a, 1 - a, p) == 1


@given(NONZERO, NONZERO)
def test_product_formula(a, b):
    product = -1 if a < 0 and b < 0 else 1
    primes = {2} | {p for n in (a, b) for p, _ in factorize(abs(n)).primes}
    for p in primes:
        product *= hilbert_symbol(a, b, p)
    assert product == 1


@given(st.integers(1, 10**6), st.integers(1, 10**6), st.integers(1, 10**6), PRIMES)
def test_a_form_with_an_integer_solution_is_solvable_at_every_prime(a, x, z, p):
    # z² = a x² + b * 1² with b chosen to fit.
    b = z * z - a * x * x
    if b:
        assert hilbert_symbol(a, b, p) == 1
