"""The joint range: vertices, membership either way, proofs that can fail."""

import random
from dataclasses import replace
from fractions import Fraction

import pytest

from solvers.testing.joint_range import (
    Membership,
    check_membership,
    joint_range_membership,
    joint_range_vertices,
)
from solvers.testing.joint_range_picture import convex_hull
from tests.support.instances import random_channel, random_pair
from tests.support.oracle import through
from verify.kernel.distribution import Distribution
from verify.kernel.errors import InputError

P, Q = Distribution(("1/2", "1/3", "1/6")), Distribution(("1/6", "1/3", "1/2"))
E = Fraction(3)


def laws_of(vertex):
    return Distribution(vertex.m0), Distribution(vertex.m1)


@pytest.mark.parametrize(("outputs", "count"), [(1, 1), (2, 6), (3, 21)])
def test_vertices_of_three_symbols(outputs, count):
    vertices = joint_range_vertices(P, Q, E, outputs)
    assert len(vertices) == len({(v.m0, v.m1) for v in vertices}) == count
    for vertex in vertices:
        inside = joint_range_membership(P, Q, E, *laws_of(vertex))
        assert inside.is_inside
        assert check_membership(inside, P, Q, E, *laws_of(vertex))


@pytest.mark.parametrize("outputs", [2, 3])
def test_a_step_beyond_a_vertex_leaves_the_range(outputs):
    vertices = joint_range_vertices(P, Q, E, outputs)
    middle0, middle1 = (
        [sum(column) / len(vertices) for column in zip(*rows, strict=True)]
        for rows in ([v.m0 for v in vertices], [v.m1 for v in vertices])
    )
    step = Fraction(1, 10**6)
    for vertex in vertices:
        m0, m1 = (
            [m + step * (m - c) for m, c in zip(law, middle, strict=True)]
            for law, middle in ((vertex.m0, middle0), (vertex.m1, middle1))
        )
        if min(*m0, *m1) < 0:
            continue
        pair = Distribution(tuple(m0)), Distribution(tuple(m1))
        outside = joint_range_membership(P, Q, E, *pair)
        assert not outside.is_inside
        assert check_membership(outside, P, Q, E, *pair)


@pytest.mark.parametrize("seed", range(10))
def test_channels_make_members_and_walls_hold(seed):
    rng = random.Random(seed)
    p, q = random_pair(rng, rng.randint(1, 4))
    p, q = Distribution(p), Distribution(q)
    level = Fraction(rng.choice(["1", "3/2", "4"]))
    n = rng.randint(1, 3)
    channel = random_channel(rng, len(p), n, level)
    m0, m1 = (Distribution(tuple(through(channel, law.masses))) for law in (p, q))
    found = joint_range_membership(p, q, level, m0, m1)
    assert found.is_inside
    assert check_membership(found, p, q, level, m0, m1)
    other = [Distribution(random_pair(rng, n, "plain")[0]) for _ in range(2)]
    found = joint_range_membership(p, q, level, *other)
    assert check_membership(found, p, q, level, *other)
    wall = found.separation
    if wall is not None:
        value = sum(
            g * m for g, m in zip((*wall.g0, *wall.g1), (*m0.masses, *m1.masses), strict=True)
        )
        assert value <= wall.bound
        low = replace(wall, bound=wall.bound - 1)
        assert not check_membership(Membership(None, low), p, q, level, *other)
        cheap = replace(wall, g0=tuple(g + 10 for g in wall.g0))
        assert not check_membership(Membership(None, cheap), p, q, level, *other)


def test_proofs_for_something_else_do_not_hold():
    vertex = joint_range_vertices(P, Q, E, 2)[-1]
    inside = joint_range_membership(P, Q, E, *laws_of(vertex))
    assert not check_membership(inside, P, Q, Fraction(2), *laws_of(vertex))
    assert not check_membership(inside, Q, P, E, *laws_of(vertex))
    assert not check_membership(Membership(None, None), P, Q, E, *laws_of(vertex))
    with pytest.raises(InputError):
        joint_range_membership(P, Q, Fraction(1, 2), *laws_of(vertex))
    with pytest.raises(InputError):
        joint_range_vertices(P, Q, E, 0)


def test_convex_hull():
    points = [(Fraction(x), Fraction(y)) for x in range(3) for y in range(3)]
    assert convex_hull(points) == [(0, 0), (2, 0), (2, 2), (0, 2)]
    assert convex_hull(points[:1]) == points[:1]
