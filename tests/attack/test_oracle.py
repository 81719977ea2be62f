"""The judge of the campaign against other roads to the same numbers."""

import random
from fractions import Fraction

import pytest
from flint import ctx

from solvers.linear_program import solve_linear_program
from tests.attack import design_oracle, oracle, testing_oracle
from tests.attack.bases import KINDS, cayley_table
from tests.attack.reals import at_most, ball, convergents, exponential, rational_near, sign
from tests.support.instances import random_pair
from tests.support.oracle import is_rational, staircase_optimum

RATIONAL = ("tv", "chi2", "reverse-chi2", "lecam", "e-gamma:5/4", "e-gamma:1/2")


@pytest.mark.parametrize("name", RATIONAL)
def test_the_best_partition_is_the_best_channel(name):
    assert is_rational(name)
    rng = random.Random(name)
    for _ in range(8):
        p, q = random_pair(rng, rng.randint(1, 4))
        E = Fraction(rng.randint(5, 80), 4)
        outputs = rng.choice([None, None, *range(1, len(p) + 1)])
        claim = {"p0": map(str, p), "p1": map(str, q), "divergence": name, "outputs": outputs}
        claim = {key: list(v) if key in ("p0", "p1") else v for key, v in claim.items()}
        found = testing_oracle.optimum(claim, E, exact=True)
        assert found == staircase_optimum(p, q, E, name, outputs)


def dobrushin_by_program(n, c, E):
    """max a_0 - a_1 over the chances a of an event of a channel, from the definition of leakage."""
    rest, rows = 1 - n * c, []
    for x in range(n):
        for z in range(n):  # a_x <= E (c sum a + rest a_z), and the same for 1 - a
            column = [Fraction(int(i == x)) - E * c - E * rest * (i == z) for i in range(n)]
            rows += [(column, Fraction(0)), ([-entry for entry in column], E - 1)]
        rows.append(([Fraction(int(i == x)) for i in range(n)], Fraction(1)))
    slack = [[Fraction(int(i == j)) for j in range(len(rows))] for i in range(len(rows))]
    table = [[*column, *extra] for (column, _), extra in zip(rows, slack, strict=True)]
    goal = [Fraction(1), Fraction(-1), *[Fraction(0)] * (n - 2 + len(rows))]
    return solve_linear_program(goal, table, [side for _, side in rows]).value


@pytest.mark.parametrize("n", [2, 3, 4])
def test_the_closed_form_of_the_leakage_bound_is_a_linear_program(n):
    for share in (Fraction(0), Fraction(1, 3), Fraction(4, 5), Fraction(1)):
        for E in (Fraction(1), Fraction(3, 2), Fraction(4), Fraction(40)):
            value, level = dobrushin_by_program(n, share / n, E), {"exp_epsilon": str(E)}
            claim = {"inputs": n, "c": str(share / n), "level": level}
            tiny = Fraction(1, 10**20)
            assert not oracle.leakage_flaw({**claim, "lower": value, "upper": value}, {})
            assert oracle.leakage_flaw({**claim, "lower": value + tiny, "upper": "2"}, {})
            assert oracle.leakage_flaw({**claim, "lower": "0", "upper": value - tiny}, {})


def test_every_base_is_true():
    for kind, make in KINDS.items():
        rng = random.Random(f"true {kind}")
        for _ in range(20):
            content = make(rng)
            assert not oracle.flaw(content), content


def test_a_set_that_is_left_out_is_seen():
    claim = {"p0": ["1", "0"], "p1": ["0", "1"], "level": {"exp_epsilon": "3"}, "outputs": None}
    claim |= {"divergence": "tv", "lower": "1/2", "upper": "1/2"}
    witness = {"exp_epsilon": ["3", "3"], "output_multiplier": "0", "multipliers": ["3/4", "-1/4"]}
    assert testing_oracle.testing_flaw(claim, witness) == ""
    witness["multipliers"] = ["74999/100000", "-24999/100000"]
    assert testing_oracle.testing_flaw(claim, witness) == "a set violates its constraint"
    assert testing_oracle.testing_flaw({**claim, "upper": "49/100"}, witness)[:5] == "upper"


def test_groups_are_groups_and_other_tables_are_none():
    for name, order in (("dihedral", 8), ("quaternion", 8), ("symmetric", 6)):
        table = cayley_table(name)
        assert design_oracle.operation(table)[0] == order
        squares = sum(table[x][x] == 0 for x in range(order))
        assert squares == {"dihedral": 6, "quaternion": 2, "symmetric": 4}[name]
    loop = [  # a Latin square with identity that is not associative
        [0, 1, 2, 3, 4], [1, 0, 3, 4, 2], [2, 4, 0, 1, 3], [3, 2, 4, 0, 1], [4, 3, 1, 2, 0],
    ]  # fmt: skip
    assert design_oracle.operation(loop) is None


def test_real_numbers_are_compared_to_the_last_digit():
    e = exponential({"nats": "1"})
    for digits in (3, 30, 600):
        below = rational_near(e, digits)
        assert at_most(below, e)
        assert not at_most(below + Fraction(1, 10**digits), e)
    assert sign(lambda: ball(Fraction(2)).log() * 2 - ball(Fraction(4)).log()) == 0
    near = list(convergents(rational_near(e, 60), 8))
    assert near[:4] == [2, 3, Fraction(8, 3), Fraction(11, 4)]
    assert ctx.prec == 53
