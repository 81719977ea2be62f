import pytest

from combinatorics.abelian_group import abelian_groups
from combinatorics.difference_sets.registry import FAMILIES
from combinatorics.self_conjugacy import difference_set_obstruction, is_self_conjugate
from verify.kernel.errors import InputError, LimitError
from verify.kernel.incidence import CyclicProduct


def test_self_conjugate_by_trying_all_powers():
    for p in (2, 3, 5, 7, 11):
        for w in range(1, 300):
            free = w
            while free % p == 0:
                free //= p
            powers = {pow(p, j, free) for j in range(1, free + 1)}
            assert is_self_conjugate(p, w) == ((-1) % free in powers), (p, w)


@pytest.mark.parametrize(
    ("v", "k", "lambda_", "groups"),
    [
        (16, 6, 2, {(8, 2), (4, 4), (4, 2, 2), (2, 2, 2, 2)}),
        (36, 15, 6, {(4, 3, 3), (2, 2, 3, 3)}),
        (100, 45, 20, set()),
        (45, 12, 3, {(3, 3, 5)}),
    ],
)
def test_groups_that_are_left(v, k, lambda_, groups):
    left = {
        group.orders
        for group in abelian_groups(v)
        if difference_set_obstruction(group.orders, k, lambda_) is None
    }
    assert left == groups


def test_turyn_bound_for_two_groups():
    # Difference sets exist in exactly the abelian groups of order 2^(2a+2), exponent <= 2^(a+2).
    for a, k in ((1, 6), (2, 28), (3, 120)):
        v = 4 ** (a + 1)
        for group in abelian_groups(v):
            broken = difference_set_obstruction(group.orders, k, k - 4**a)
            assert (broken is None) == (group.exponent <= 2 ** (a + 2)), group.orders


def test_no_known_difference_set_is_excluded():
    built = 0
    for v in range(7, 260):
        for k in range(3, (v - 1) // 2 + 1):
            lambda_, remainder = divmod(k * (k - 1), v - 1)
            if remainder:
                continue
            for family in FAMILIES:
                for arguments in family.arguments(v, k, lambda_):
                    group = family.build(*arguments).group
                    if isinstance(group, CyclicProduct):
                        built += 1
                        assert difference_set_obstruction(group.orders, k, lambda_) is None
    assert built > 60


def test_a_symmetric_theorem_is_named_first():
    broken = difference_set_obstruction((43,), 7, 1)
    assert "Bruck-Ryser-Chowla" in broken.theorem
    assert difference_set_obstruction((7,), 3, 2).theorem == "double counting"


@pytest.mark.parametrize(("orders", "k"), [((), 3), ((0, 7), 3), ((7,), 1), ((7,), 6)])
def test_refused(orders, k):
    with pytest.raises(InputError):
        difference_set_obstruction(orders, k, 1)
    with pytest.raises(LimitError):
        difference_set_obstruction((10**13,), 3, 1)
