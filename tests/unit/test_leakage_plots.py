"""The pictures show the numbers that they say they show."""

import io
from fractions import Fraction

import pytest

from solvers.leakage import leakage_profile, solve_leakage
from solvers.leakage.plots import plot_dobrushin_bound, plot_leakage_profile
from verify.kernel.channel import Channel
from verify.kernel.errors import InputError

KINKED = Channel((("1/10", "1/100", "89/100"), ("1/2", "1/10", "2/5"), ("1/10", "1/10", "4/5")))
"""1/exp(leakage) is 1/10 + 9c/5 for the middle column and 1/5 + 4c/5 for the first."""


def test_one_curve_for_each_c_that_ends_at_one_beyond_the_threshold():
    (axes,) = plot_dobrushin_bound(4, [0, "1/10", "1/4"], 2, 41).axes
    labels = [text.get_text() for text in axes.get_legend().get_texts()]
    assert labels == ["c = 0 (LDP)", "c = 1/10", "c = 1/4"]
    curves = [line for line in axes.get_lines() if len(line.get_xdata()) == 41]
    assert [float(line.get_ydata()[-1]) == 1 for line in curves] == [False, True, True]
    assert all(line.get_ydata()[0] == 0 for line in curves)


def test_the_profile_shows_its_breakpoints_and_its_best_bound():
    profile = leakage_profile(KINKED)
    figure = plot_leakage_profile(KINKED, "kinked", 21)
    above, below = figure.axes
    assert above.get_title() == "kinked"
    inner = [float(c) for c in profile.breakpoints[1:-1]]
    marks = [line for line in above.get_lines() if line.get_label() == "breakpoints"]
    assert [list(line.get_xdata()) for line in marks] == [inner] == [[0.1]]
    best = profile.best_bound()
    (square,) = (line for line in below.get_lines() if line.get_label() == "least bound")
    assert (square.get_xdata()[0], square.get_ydata()[0]) == (float(best.c), float(best.bound))
    page = io.BytesIO()
    figure.savefig(page, format="png")
    assert page.getvalue().startswith(b"\x89PNG")


def test_bad_arguments_are_refused():
    for arguments in ((4, []), (4, [0], 0), (4, ["1/2"]), (4, [0], 1, 1)):
        with pytest.raises(InputError):
            plot_dobrushin_bound(*arguments)
    with pytest.raises(InputError):
        plot_leakage_profile(KINKED, n_points=1)


def test_the_profile_of_the_picture_has_two_pieces():
    profile = leakage_profile(KINKED)
    assert [segment.output for segment in profile.segments] == [1, 0]
    assert profile.breakpoints == (0, Fraction(1, 10), Fraction(1, 3))
    assert profile.exp_leakage("1/10") == Fraction(25, 7)


def test_a_notebook_shows_a_table_and_a_picture():
    solution = solve_leakage(4, "1/10", "log(3)")
    assert repr(solution).endswith("c 1/10>, ACCEPTED>")
    assert "<td>ACCEPTED</td>" in solution._repr_html_()
    assert solution._repr_png_().startswith(b"\x89PNG")
