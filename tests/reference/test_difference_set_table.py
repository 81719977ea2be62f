"""Every difference set of the reference table is built by its family and passes the kernel."""

import re
from pathlib import Path

import pytest

from combinatorics.abelian_group import AbelianGroup
from combinatorics.difference_sets import (
    hall_sextic_difference_set,
    mcfarland_difference_set,
    menon_bent_difference_set,
    menon_product_difference_set,
    menon_turyn_difference_set,
    octic_difference_set,
    paley_difference_set,
    quartic_difference_set,
    quartic_with_zero_difference_set,
    singer_difference_set,
    spence_difference_set,
    twin_prime_power_difference_set,
    whiteman_difference_set,
)
from verify.kernel.design import check_difference_set

TABLE = [
    line.split(",")
    for line in (Path(__file__).parent / "difference_sets.csv").read_text("utf-8").splitlines()
    if not line.startswith("#")
]

BY_ORDER = {
    "Paley": paley_difference_set,
    "quartic": quartic_difference_set,
    "quartic+0": quartic_with_zero_difference_set,
    "octic": octic_difference_set,
    "Hall sextic": hall_sextic_difference_set,
}


def _menon(family, v):
    if family == "bent/Hadamard":
        return menon_bent_difference_set((v.bit_length() - 1) // 2)
    turyn = menon_turyn_difference_set(3, (4,))
    if family == "Turyn 36":
        return turyn
    second = {144: menon_bent_difference_set(1), 576: menon_bent_difference_set(2), 1296: turyn}
    return menon_product_difference_set(turyn, second[v])


def _build(family, v):
    if family in BY_ORDER:
        return BY_ORDER[family](v)
    if family == "twin prime power":
        return twin_prime_power_difference_set(round((v + 1) ** 0.5) - 1)
    arguments = {x: int(y) for x, y in re.findall(r"([a-z])=(\d+)", family)}
    if family.startswith("Singer"):
        return singer_difference_set(**arguments)
    if family.startswith("McFarland"):
        return mcfarland_difference_set(**arguments)
    if family.startswith("Spence"):
        return spence_difference_set(**arguments)
    if family.startswith("Whiteman"):
        return whiteman_difference_set(arguments["p"])
    return _menon(family, v)


def test_the_table_is_whole():
    assert len(TABLE) == 165


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row[0]} v={row[1]}")
def test_built_in_the_group_of_the_table(row):
    family, v, k, lambda_, orders = row
    difference_set = _build(family, int(v))
    built = AbelianGroup(difference_set.group.orders)
    expected = AbelianGroup(tuple(map(int, orders.split())))
    assert built.elementary_divisors == expected.elementary_divisors
    assert (built.order, len(difference_set.elements)) == (int(v), int(k))
    assert check_difference_set(difference_set, int(lambda_)).is_accepted
