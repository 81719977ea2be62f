import sys

import pytest

from combinatorics.symmetric.search import (
    SearchOutcome,
    cyclic_action,
    frobenius_action,
    search_symmetric_design,
)
from verify.kernel.design import check_design
from verify.kernel.errors import InputError

pytest.importorskip("pysat")


def is_invariant(design, actions):
    blocks = set(design.blocks)
    for generator in actions:
        images = {
            sum(1 << generator[x] for x in range(design.v) if block >> x & 1)
            for block in design.blocks
        }
        if images != blocks:
            return False
    return True


@pytest.mark.parametrize("seed", range(3))
def test_refinds_31_10_3(seed):
    action = cyclic_action([6, 6, 6, 6, 3, 3, 1])
    result = search_symmetric_design(31, 10, 3, action, time_limit=60, seed=seed)
    assert result.outcome is SearchOutcome.FOUND
    assert result.variables == 169
    assert check_design(result.design, 10, 3).is_accepted
    assert is_invariant(result.design, action)


@pytest.mark.slow
def test_refinds_41_16_6():
    action = frobenius_action(5, 4, 8, 1)
    result = search_symmetric_design(41, 16, 6, action, time_limit=120, seed=1)
    assert result.outcome is SearchOutcome.FOUND
    assert check_design(result.design, 16, 6).is_accepted
    assert is_invariant(result.design, action)


def test_refinds_79_13_2():
    action = frobenius_action(11, 3, 2, 2, [5])
    result = search_symmetric_design(79, 13, 2, action, time_limit=60)
    assert result.outcome is SearchOutcome.FOUND
    assert check_design(result.design, 13, 2).is_accepted


def test_exhausted_where_theory_says_so():
    # Z_16 has no (16, 6, 2) difference set; Z_11 has a (11, 5, 2) one.
    none = search_symmetric_design(16, 6, 2, cyclic_action([16]), time_limit=60)
    assert none.outcome is SearchOutcome.EXHAUSTED
    assert none.design is None
    found = search_symmetric_design(11, 5, 2, cyclic_action([11]), time_limit=60)
    assert found.outcome is SearchOutcome.FOUND


def test_other_action_on_blocks():
    # The translations x -> x + 1 on points are x -> x - 1 on blocks: blocks renumbered.
    (forward,) = cyclic_action([13])
    backward = [forward.index(x) for x in range(13)]
    result = search_symmetric_design(13, 4, 1, [forward], block_action=[backward], time_limit=60)
    assert result.outcome is SearchOutcome.FOUND
    assert check_design(result.design, 4, 1).is_accepted


def test_the_time_limit_stops_the_search():
    result = search_symmetric_design(31, 10, 3, frobenius_action(5, 1, 6, 1), time_limit=0.5)
    assert result.outcome is SearchOutcome.STOPPED
    assert result.seconds < 30


@pytest.mark.parametrize(
    ("parameters", "action"),
    [
        ((31, 10, 4), cyclic_action([31])),
        ((43, 7, 1), cyclic_action([43])),
        ((7, 3, 1), cyclic_action([6])),
        ((7, 3, 1), [[0, 0, 1, 2, 3, 4, 5]]),
        ((7, 7, 7), cyclic_action([7])),
        ((10**6, 3, 1), cyclic_action([7])),
    ],
)
def test_refused(parameters, action):
    with pytest.raises(InputError):
        search_symmetric_design(*parameters, action, time_limit=1)


def test_generators_must_match():
    with pytest.raises(InputError, match="same generators"):
        search_symmetric_design(7, 3, 1, cyclic_action([7]), block_action=[], time_limit=1)


def test_without_python_sat_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pysat", None)
    with pytest.raises(ModuleNotFoundError, match=r"exactdp\[search\]"):
        search_symmetric_design(7, 3, 1, cyclic_action([7]), time_limit=1)
