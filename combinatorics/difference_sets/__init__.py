"""Difference sets: one function a family, multipliers, equivalence and exhaustive searches."""

from combinatorics.difference_sets.building_set import (
    mcfarland_difference_set,
    spence_difference_set,
)
from combinatorics.difference_sets.chen import chen_difference_set
from combinatorics.difference_sets.cyclotomic import (
    hall_sextic_difference_set,
    octic_difference_set,
    octic_with_zero_difference_set,
    paley_difference_set,
    quartic_difference_set,
    quartic_with_zero_difference_set,
)
from combinatorics.difference_sets.davis_jedwab import davis_jedwab_difference_set
from combinatorics.difference_sets.family import (
    ConstructedDifferenceSet,
    DifferenceSetFamily,
    complement_difference_set,
)
from combinatorics.difference_sets.menon import (
    menon_bent_difference_set,
    menon_hadamard_difference_set,
    menon_product_difference_set,
    menon_turyn_difference_set,
)
from combinatorics.difference_sets.menon_two_group import (
    has_menon_difference_set,
    menon_two_group_difference_set,
)
from combinatorics.difference_sets.power_functions import (
    dillon_dobbertin_difference_set,
    ding_yuan_difference_set,
    helleseth_kumar_martinsen_difference_set,
    lin_difference_set,
    maschietti_difference_set,
)
from combinatorics.difference_sets.registry import (
    FAMILIES,
    FamilyMember,
    constructed_difference_set,
    difference_set,
    difference_set_construction,
    family_members,
    is_difference_set_constructible,
)
from combinatorics.difference_sets.singer import (
    gordon_mills_welch_difference_set,
    singer_difference_set,
)
from combinatorics.difference_sets.sporadic import sporadic_difference_set
from combinatorics.difference_sets.twin_prime import (
    twin_prime_power_difference_set,
    whiteman_difference_set,
)

__all__ = [
    "FAMILIES",
    "ConstructedDifferenceSet",
    "DifferenceSetFamily",
    "FamilyMember",
    "chen_difference_set",
    "complement_difference_set",
    "constructed_difference_set",
    "davis_jedwab_difference_set",
    "difference_set",
    "difference_set_construction",
    "dillon_dobbertin_difference_set",
    "ding_yuan_difference_set",
    "family_members",
    "gordon_mills_welch_difference_set",
    "hall_sextic_difference_set",
    "has_menon_difference_set",
    "helleseth_kumar_martinsen_difference_set",
    "is_difference_set_constructible",
    "lin_difference_set",
    "maschietti_difference_set",
    "mcfarland_difference_set",
    "menon_bent_difference_set",
    "menon_hadamard_difference_set",
    "menon_product_difference_set",
    "menon_turyn_difference_set",
    "menon_two_group_difference_set",
    "octic_difference_set",
    "octic_with_zero_difference_set",
    "paley_difference_set",
    "quartic_difference_set",
    "quartic_with_zero_difference_set",
    "singer_difference_set",
    "spence_difference_set",
    "sporadic_difference_set",
    "twin_prime_power_difference_set",
    "whiteman_difference_set",
]
