"""Every family: members of all sizes checked by the kernel, predicates, refusals."""

import numpy as np
import pytest

from combinatorics.abelian_group import AbelianGroup, abelian_groups
from combinatorics.difference_sets import (
    FAMILIES,
    chen_difference_set,
    complement_difference_set,
    constructed_difference_set,
    davis_jedwab_difference_set,
    difference_set,
    difference_set_construction,
    dillon_dobbertin_difference_set,
    ding_yuan_difference_set,
    family_members,
    gordon_mills_welch_difference_set,
    hall_sextic_difference_set,
    has_menon_difference_set,
    helleseth_kumar_martinsen_difference_set,
    is_difference_set_constructible,
    lin_difference_set,
    maschietti_difference_set,
    mcfarland_difference_set,
    menon_bent_difference_set,
    menon_hadamard_difference_set,
    menon_product_difference_set,
    menon_turyn_difference_set,
    menon_two_group_difference_set,
    octic_difference_set,
    octic_with_zero_difference_set,
    paley_difference_set,
    quartic_difference_set,
    quartic_with_zero_difference_set,
    singer_difference_set,
    spence_difference_set,
    sporadic_difference_set,
    twin_prime_power_difference_set,
    whiteman_difference_set,
)
from combinatorics.difference_sets.building_set import (
    BuildingSet,
    difference_set_in_extension,
    is_covering_building_set,
    mcfarland_building_set,
    spence_building_set,
)
from combinatorics.difference_sets.chen import chen_building_set
from combinatorics.difference_sets.davis_jedwab import davis_jedwab_building_set
from combinatorics.difference_sets.power_functions import hyperoval_exponents
from combinatorics.finite_group import abelian_table
from combinatorics.incidence_matrix import development
from verify.kernel.design import check_design, check_difference_set
from verify.kernel.errors import InputError, LimitError
from verify.kernel.incidence import DifferenceSet

MEMBERS = [
    (singer_difference_set, (2, 9), (1023, 511, 255)),
    (singer_difference_set, (3, 6), (1093, 364, 121)),
    (singer_difference_set, (8, 3), (585, 73, 9)),
    (singer_difference_set, (49, 2), (2451, 50, 1)),
    (gordon_mills_welch_difference_set, (2, 3, 2, 3), (63, 31, 15)),
    (gordon_mills_welch_difference_set, (2, 4, 2, 7), (255, 127, 63)),
    (gordon_mills_welch_difference_set, (2, 3, 3, 3), (511, 255, 127)),
    (gordon_mills_welch_difference_set, (3, 2, 3, 5), (364, 121, 40)),
    (gordon_mills_welch_difference_set, (4, 2, 2, 7), (85, 21, 5)),
    (paley_difference_set, (3**5,), (243, 121, 60)),
    (paley_difference_set, (1331,), (1331, 665, 332)),
    (quartic_difference_set, (5477,), (5477, 1369, 342)),
    (quartic_with_zero_difference_set, (109,), (109, 28, 7)),
    (octic_difference_set, (73,), (73, 9, 1)),
    (octic_with_zero_difference_set, (26041,), (26041, 3256, 407)),
    (hall_sextic_difference_set, (1471,), (1471, 735, 367)),
    (twin_prime_power_difference_set, (25,), (675, 337, 168)),
    (whiteman_difference_set, (17,), (901, 225, 56)),
    (mcfarland_difference_set, (2, 2, (2, 4)), (64, 28, 12)),
    (mcfarland_difference_set, (11, 1), (1573, 132, 11)),
    (spence_difference_set, (3,), (3240, 1107, 378)),
    (spence_difference_set, (1, (2, 2)), (36, 15, 6)),
    (menon_bent_difference_set, (5,), (1024, 496, 240)),
    (menon_turyn_difference_set, (9, (4,)), (324, 153, 72)),
    (menon_turyn_difference_set, (27,), (2916, 1431, 702)),
    (menon_hadamard_difference_set, (18,), (1296, 630, 306)),
    (davis_jedwab_difference_set, (0,), (16, 6, 2)),
    (davis_jedwab_difference_set, (1,), (320, 88, 24)),
    (davis_jedwab_difference_set, (2,), (5376, 1376, 352)),
    (davis_jedwab_difference_set, (1, (5,), 2), (320, 88, 24)),
    (davis_jedwab_difference_set, (2, (21,), 4), (5376, 1376, 352)),
    (chen_difference_set, (3, 1), (36, 15, 6)),
    (chen_difference_set, (3, 2, (2, 5)), (3240, 1107, 378)),
    (chen_difference_set, (9, 1), (324, 153, 72)),
    pytest.param(
        *(chen_difference_set, (49, 1), (9604, 4753, 2352)),
        marks=pytest.mark.slow,  # the kernel counts 22 million pairs
    ),
    (chen_difference_set, (2, 2), (320, 88, 24)),
    pytest.param(
        *(chen_difference_set, (4, 2), (17408, 6592, 2496)),
        marks=pytest.mark.slow,  # the kernel counts 43 million pairs
    ),
    (chen_difference_set, (8, 1), (256, 120, 56)),
    (dillon_dobbertin_difference_set, (7, 3), (127, 63, 31)),
    (dillon_dobbertin_difference_set, (8, 3), (255, 127, 63)),
    (dillon_dobbertin_difference_set, (9, 4), (511, 255, 127)),
    (dillon_dobbertin_difference_set, (10, 3), (1023, 511, 255)),
    (lin_difference_set, (3,), (13, 4, 1)),
    (lin_difference_set, (5,), (121, 40, 13)),
    (lin_difference_set, (7,), (1093, 364, 121)),
    (helleseth_kumar_martinsen_difference_set, (6,), (364, 121, 40)),
    (ding_yuan_difference_set, (3, 1), (27, 13, 6)),
    (ding_yuan_difference_set, (5, 1), (243, 121, 60)),
    (ding_yuan_difference_set, (5, -1), (243, 121, 60)),
    (ding_yuan_difference_set, (7, -1), (2187, 1093, 546)),
    (sporadic_difference_set, (45,), (45, 12, 3)),
    (sporadic_difference_set, (96,), (96, 20, 4)),
    (sporadic_difference_set, (133,), (133, 33, 8)),
    (sporadic_difference_set, (320,), (320, 88, 24)),
]


def _is_difference_set(candidate, v, k, lambda_):
    right_sizes = (candidate.group.order, len(candidate.elements)) == (v, k)
    return right_sizes and check_difference_set(candidate, lambda_).is_accepted


@pytest.mark.parametrize(("build", "arguments", "parameters"), MEMBERS)
def test_members_are_difference_sets(build, arguments, parameters):
    assert _is_difference_set(build(*arguments), *parameters)


@pytest.mark.parametrize(("build", "arguments", "parameters"), MEMBERS)
def test_the_registry_knows_the_parameters_and_the_complement(build, arguments, parameters):
    v, k, lambda_ = parameters
    builders = {m.family.build for m in family_members(v, k, lambda_)}
    general = {menon_bent_difference_set, menon_turyn_difference_set}
    assert (
        build in builders
        or (build in general and menon_hadamard_difference_set in builders)
        or arguments == (4, 2, 2, 7)
    )  # its exponent is a power of 2: the Singer set again
    assert is_difference_set_constructible(v, v - k, v - 2 * k + lambda_)


@pytest.mark.parametrize("m", [3, 5, 7, 9])
def test_hyperovals_give_difference_sets(m):
    for k in hyperoval_exponents(m).values():
        candidate = maschietti_difference_set(m, k)
        assert _is_difference_set(candidate, 2**m - 1, 2 ** (m - 1) - 1, 2 ** (m - 2) - 1)


@pytest.mark.parametrize("order", [4, 16, 64, 256])
def test_abelian_two_groups_up_to_turyns_bound(order):
    t = 2 ** ((order.bit_length() - 3) // 2)
    for group in abelian_groups(order):
        if group.exponent <= 4 * t:
            candidate = menon_two_group_difference_set(group.orders)
            assert _is_difference_set(candidate, order, 2 * t * t - t, t * t - t)
            assert candidate.group.orders == group.orders
            assert has_menon_difference_set(group.orders)
        else:
            assert not has_menon_difference_set(group.orders)
            with pytest.raises(InputError, match="Turyn"):
                menon_two_group_difference_set(group.orders)


def test_predicate_of_two_groups():
    assert [has_menon_difference_set((2,) * n) for n in range(6)] == [0, 0, 1, 0, 1, 0]
    with pytest.raises(InputError, match="power of 2"):
        has_menon_difference_set((6, 6))


@pytest.mark.slow
def test_abelian_groups_of_order_1024_up_to_turyns_bound():
    for group in abelian_groups(1024):
        if group.exponent <= 64:
            candidate = menon_two_group_difference_set(group.orders)
            assert _is_difference_set(candidate, 1024, 496, 240)


@pytest.mark.parametrize("small", [(2, 2), (4,)])
def test_menon_difference_set_of_order_2500(small):
    candidate = menon_turyn_difference_set(25, small)
    assert candidate.group.orders == (*small, 5, 5, 5, 5)
    assert check_difference_set(candidate, 600).is_accepted


@pytest.mark.parametrize(
    "building_set",
    [
        *(mcfarland_building_set(q, d) for q, d in [(2, 1), (2, 2), (3, 1), (4, 1), (5, 1)]),
        spence_building_set(1),
        spence_building_set(2),
        *(davis_jedwab_building_set(d) for d in range(2)),
        chen_building_set(3, 2),
    ],
)
def test_building_sets_cover(building_set):
    assert is_covering_building_set(building_set)
    spoiled = building_set.blocks.copy()
    spoiled[0, 1] ^= True
    changed = BuildingSet(building_set.orders, spoiled, building_set.modulus)
    assert not is_covering_building_set(changed)
    wrong_modulus = BuildingSet(building_set.orders, building_set.blocks, building_set.modulus + 1)
    assert not is_covering_building_set(wrong_modulus)


def test_building_sets_in_groups_that_do_not_split():
    # Z_2^3 inside Z_4 x Z_4 x Z_4 as the elements of order 2, and inside Z_16 x Z_2 x Z_2.
    building_set, small = mcfarland_building_set(2, 2), AbelianGroup((2, 2, 2))
    for orders, images in [
        ((4, 4, 4), [[2, 0, 0], [0, 2, 0], [0, 0, 2]]),
        ((16, 2, 2), [[8, 0, 0], [0, 1, 0], [0, 0, 1]]),
    ]:
        group = AbelianGroup(orders)
        embedding = group.indices(small.residues(small.elements()) @ np.array(images))
        candidate = difference_set_in_extension(building_set, group, embedding)
        assert _is_difference_set(candidate, 64, 28, 12)
        with pytest.raises(InputError, match="homomorphism"):
            difference_set_in_extension(building_set, group, np.arange(8))
    with pytest.raises(InputError, match="order 64"):
        difference_set_in_extension(building_set, small, np.arange(8))
    with pytest.raises(InputError, match="order 8"):
        building_set.difference_set((3,))


def test_every_member_below_two_hundred_is_a_difference_set():
    built = 0
    for v in range(4, 200):
        for k in range(2, v - 1):
            if k * (k - 1) % (v - 1) == 0:
                lambda_ = k * (k - 1) // (v - 1)
                for member in family_members(v, k, lambda_):
                    assert member.family.is_applicable(
                        *(
                            (v, v - k, v - 2 * k + lambda_)
                            if member.is_complement
                            else (v, k, lambda_)
                        )
                    )
                    assert _is_difference_set(member.build(), v, k, lambda_)
                    built += 1
    assert built > 150


def test_developments_are_symmetric_designs():
    for parameters in [(7, 3, 1), (16, 6, 2), (45, 12, 3), (101, 25, 6), (133, 33, 8)]:
        design = development(difference_set(*parameters))
        assert check_design(design, *parameters[1:]).is_accepted


def test_complements():
    candidate = complement_difference_set(paley_difference_set(11))
    assert _is_difference_set(candidate, 11, 6, 3)
    assert complement_difference_set(candidate) == paley_difference_set(11)


def test_provenance():
    constructed = constructed_difference_set(31, 15, 7)
    assert str(constructed.construction) == "Singer, q = 2, d = 4 (Singer 1938)"
    chosen = constructed_difference_set(31, 15, 7, family="Hall sextic")
    assert chosen.difference_set == hall_sextic_difference_set(31)
    complement = difference_set_construction(31, 16, 8)
    assert complement is not None
    assert complement.name == "complement of Singer, q = 2, d = 4"
    assert len({family.name for family in FAMILIES}) == len(FAMILIES)


def test_large_parameters_answer_at_once():
    q = 2**89 - 1  # a Mersenne prime
    for v in (10**9 + 7, q, 2**107 - 1):
        assert is_difference_set_constructible(v, (v - 1) // 2, (v - 3) // 4)
    assert not is_difference_set_constructible(10**9 + 3, (10**9 + 2) // 2, 10**9 // 4)
    with pytest.raises(LimitError, match="pairs of elements"):
        difference_set(10**9 + 7, (10**9 + 6) // 2, (10**9 + 4) // 4)


@pytest.mark.parametrize(
    "parameters",
    [(7, 3, 2), (7, 0, 0), (7, 1, 0), (7, 7, 7), (-7, 3, 1), (7.0, 3, 1), (True, 3, 1), (7, -3, 2)],
)
def test_parameters_that_fail_counting_are_refused(parameters):
    with pytest.raises(InputError):
        difference_set(*parameters)


def test_unknown_parameters_are_refused_without_saying_that_none_exists():
    with pytest.raises(InputError, match="no family has these parameters"):
        difference_set(111, 11, 1)
    with pytest.raises(InputError, match="no family named 'Paley'"):
        constructed_difference_set(13, 4, 1, family="Paley")


@pytest.mark.parametrize(
    ("build", "arguments"),
    [
        (singer_difference_set, (2, 1)),
        (singer_difference_set, (6, 2)),
        (gordon_mills_welch_difference_set, (2, 3, 2, 7)),
        (gordon_mills_welch_difference_set, (2, 1, 6, 1)),
        (paley_difference_set, (13,)),
        (paley_difference_set, (15,)),
        (quartic_difference_set, (17,)),
        (quartic_difference_set, (65,)),
        (quartic_with_zero_difference_set, (37,)),
        (octic_difference_set, (17,)),
        (octic_with_zero_difference_set, (73,)),
        (hall_sextic_difference_set, (7,)),
        (hall_sextic_difference_set, (37,)),
        (twin_prime_power_difference_set, (4,)),
        (twin_prime_power_difference_set, (13,)),
        (whiteman_difference_set, (7,)),
        (mcfarland_difference_set, (2, 0)),
        (mcfarland_difference_set, (6, 1)),
        (mcfarland_difference_set, (2, 1, (5,))),
        (spence_difference_set, (0,)),
        (menon_bent_difference_set, (0,)),
        (menon_turyn_difference_set, (1,)),
        (menon_turyn_difference_set, (3, (2, 3))),
        (menon_turyn_difference_set, (7,)),
        (menon_turyn_difference_set, (5,)),
        (menon_hadamard_difference_set, (1,)),
        (menon_hadamard_difference_set, (5,)),
        (menon_hadamard_difference_set, (0,)),
        (menon_two_group_difference_set, ((2, 4),)),
        (menon_two_group_difference_set, ((6, 6),)),
        (davis_jedwab_difference_set, (-1,)),
        (davis_jedwab_difference_set, (1, (7,))),
        (davis_jedwab_difference_set, (0, None, 2)),
        (davis_jedwab_difference_set, (1, None, 3)),
        (davis_jedwab_difference_set, (1, None, 4)),
        (davis_jedwab_difference_set, (1, None, -2)),
        (chen_difference_set, (5, 1)),
        (chen_difference_set, (6, 2)),
        (chen_difference_set, (4, 0)),
        (dillon_dobbertin_difference_set, (6, 2)),
        (dillon_dobbertin_difference_set, (5, 3)),
        (maschietti_difference_set, (6, 6)),
        (maschietti_difference_set, (5, 7)),
        (lin_difference_set, (4,)),
        (helleseth_kumar_martinsen_difference_set, (5,)),
        (ding_yuan_difference_set, (4,)),
        (ding_yuan_difference_set, (3, 2)),
        (sporadic_difference_set, (7,)),
    ],
)
def test_families_refuse_other_arguments(build, arguments):
    with pytest.raises(InputError):
        build(*arguments)


@pytest.mark.parametrize(
    ("build", "arguments"),
    [
        (singer_difference_set, (2, 30)),
        (mcfarland_difference_set, (2, 40)),
        (mcfarland_difference_set, (101, 3)),
        (menon_bent_difference_set, (20,)),
        (menon_turyn_difference_set, (3**8,)),
        (menon_hadamard_difference_set, (2**20,)),
        (menon_two_group_difference_set, ((2,) * 14,)),
        (twin_prime_power_difference_set, (5009,)),
        (chen_difference_set, (3, 5)),
        (chen_difference_set, (16, 2)),
        (chen_difference_set, (2**100, 2**100)),
        (davis_jedwab_difference_set, (3,)),
        (davis_jedwab_difference_set, (2**100,)),
        (ding_yuan_difference_set, (21,)),
        (dillon_dobbertin_difference_set, (31, 2)),
    ],
)
def test_sizes_over_the_limit_are_refused(build, arguments):
    with pytest.raises(LimitError):
        build(*arguments)


def test_products_need_abelian_groups():
    cyclic = DifferenceSet(AbelianGroup((4,)).cyclic_product, (0,))
    assert len(menon_product_difference_set(cyclic, cyclic).elements) == 6
    table = abelian_table(AbelianGroup((4,))).cayley_table
    with pytest.raises(InputError, match="abelian"):
        menon_product_difference_set(cyclic, DifferenceSet(table, (0,)))
