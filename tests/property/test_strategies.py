"""The public strategies draw what they promise, and every extreme is reached."""

from fractions import Fraction

from hypothesis import Phase, find, given, settings
from hypothesis import strategies as hypothesis_strategies
from hypothesis.errors import NoSuchExample

from verify import strategies as st
from verify.kernel.channel import Channel
from verify.kernel.design import check_design
from verify.kernel.distribution import Distribution
from verify.kernel.ldp import largest_column_ratio
from verify.strategies import neighbour_bounds

LEVELS = hypothesis_strategies.sampled_from(
    [Fraction(1), Fraction(3, 2), Fraction(3), Fraction(50)]
)


@given(
    LEVELS.flatmap(
        lambda level: hypothesis_strategies.tuples(
            hypothesis_strategies.just(level), st.private_channels(level)
        )
    )
)
def test_private_channels_are_private(drawn):
    level, channel = drawn
    ratio = largest_column_ratio(channel).exp_epsilon
    assert isinstance(ratio, Fraction)
    assert ratio <= level


@given(st.staircase_channels(3))
def test_staircase_columns_have_two_values(channel):
    for column in channel.columns():
        high, low = max(column), min(column)
        assert set(column) <= {high, low}
        assert high in (low, 3 * low)


@given(st.block_designs())
def test_designs_are_designs(drawn):
    design, k, lambda_ = drawn
    assert check_design(design, k, lambda_).is_accepted


@given(st.distribution_pairs(extreme=True), st.channels(extreme=True), st.exp_epsilons())
def test_drawn_objects_are_valid(pair, channel, level):
    assert all(isinstance(p, Distribution) and sum(p.masses) == 1 for p in pair)
    assert isinstance(channel, Channel)
    assert level >= 1


@given(st.thresholding_instances())
def test_neighbours_are_indistinguishable(instance):
    for one in instance.rounds:
        for p, q in ((one.p, one.q), (1 - one.p, 1 - one.q)):
            assert p <= one.exp_epsilon * q + one.delta
            assert q <= one.exp_epsilon * p + one.delta
        low, high = neighbour_bounds(one.p, one.exp_epsilon, one.delta)
        assert 0 <= low <= one.p <= high <= 1


def _is_drawn(strategy, wanted):
    """Whether a drawn object satisfies the condition, within 500 draws."""
    calm = settings(max_examples=500, database=None, phases=[Phase.generate])
    try:
        find(strategy, wanted, settings=calm)
    except NoSuchExample:
        return False
    return True


def test_every_extreme_type_is_reached():
    columns = lambda c: list(c.columns())  # noqa: E731
    private = st.private_channels(3, max_inputs=4)
    assert _is_drawn(private, lambda c: c.n_outputs == c.n_inputs > 2)
    assert _is_drawn(private, lambda c: c.n_outputs > c.n_inputs)
    assert _is_drawn(private, lambda c: len(set(c.rows)) == 1)
    assert _is_drawn(private, lambda c: any(0 in column for column in columns(c)))
    assert _is_drawn(private, lambda c: 1 < largest_column_ratio(c).exp_epsilon < 3)
    assert _is_drawn(st.distributions(), lambda p: 0 in p.masses)
    assert _is_drawn(
        st.distributions(), lambda p: min(m for m in p.masses if m) < Fraction(1, 2**50)
    )
    assert _is_drawn(st.distribution_pairs(), lambda pair: pair[0].masses == pair[1].masses)
    assert _is_drawn(st.thresholding_instances(), lambda i: any(r.delta for r in i.rounds))
