"""The shadow of joint ranges on the plane (M0(y), M1(y)) of the first label."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from solvers.testing.joint_range import RangeVertex

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["convex_hull", "draw_joint_range"]

Point = tuple[Fraction, Fraction]


def convex_hull(points: Iterable[Point]) -> list[Point]:
    """The corners of the convex hull of points in the plane, counterclockwise, *exact*.

    Reference: Andrew 1979 (the monotone chain).
    """
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return ordered
    lower, upper = _chain(ordered), _chain(ordered[::-1])
    return [*lower[:-1], *upper[:-1]]


def _chain(points: Sequence[Point]) -> list[Point]:
    chain: list[Point] = []
    for x, y in points:
        while len(chain) > 1:
            (a, b), (c, d) = chain[-2:]
            if (c - a) * (y - b) - (d - b) * (x - a) > 0:
                break
            chain.pop()
        chain.append((x, y))
    return chain


def draw_joint_range(axes: "Axes", ranges: Iterable[tuple[str, Sequence[RangeVertex]]]) -> None:
    """Draw the shadow of each joint range with its vertices.

    Args:
        axes: where to draw.
        ranges: a title and the vertices of each.
    """
    for title, vertices in ranges:
        points = [(v.m0[0], v.m1[0]) for v in vertices]
        hull = convex_hull(points)
        closed = [*hull, hull[0]]
        drawn = axes.plot(*([float(p[i]) for p in closed] for i in (0, 1)), "-", label=title)
        axes.fill(
            *([float(p[i]) for p in hull] for i in (0, 1)), color=drawn[0].get_color(), alpha=0.1
        )
        axes.plot(
            *([float(p[i]) for p in points] for i in (0, 1)),
            "o",
            color=drawn[0].get_color(),
            markersize=4,
        )
    axes.plot([0, 1], [0, 1], color="0.7", linestyle=":")
    axes.set_xlabel("M0(first output)")
    axes.set_ylabel("M1(first output)")
    axes.set_aspect("equal")
    axes.legend()
