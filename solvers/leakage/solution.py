"""The largest Dobrushin coefficient at a leakage, its proof, and what follows, in one call."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from solvers.leakage.data_processing import (
    OutputBound,
    TvConstants,
    leakage_setting,
    output_bounds,
    tv_constants,
)
from solvers.leakage.dobrushin import (
    DobrushinBound,
    attaining_kernel,
    dobrushin_bound,
    dobrushin_certificate,
)
from solvers.leakage.standard_problems import MinimaxRow, minimax_table
from verify.kernel.certificate import Certificate, check_certificate
from verify.kernel.channel import Channel
from verify.kernel.distribution import Distribution
from verify.kernel.verdict import Verdict

__all__ = ["LeakageSolution", "solve_leakage"]

_DIVERGENCES = (
    *("tv", "kl", "reverse-kl", "js", "chi2", "reverse-chi2", "hellinger", "lecam"),
    *("e-gamma:2", "alpha:2", "renyi:2", "chernoff", "lr:2"),
)
_COMPARED = ("kl", "chi2", "hellinger")
_MAX_SYMBOLS = 64
_BITS = 64


@dataclass(frozen=True, slots=True)
class LeakageSolution:
    """The bound with the kernel's verdict on its certificate, and what the bound implies.

    Args:
        bound: the Dobrushin bound.
        kernel: a channel that attains its lower end.
        constants: data-processing constants in front of TV; none when two laws cannot differ or
            nothing leaks.
        pair_bounds: for KL, chi2 and squared Hellinger, every bound on the output divergence of the
            two input laws that are farthest apart, the smallest first.
        minimax: bounds on the risk of the standard problems, with as many symbols as inputs.
        certificate: the certificate of the bound.
        verdict: the kernel's answer to it.
    """

    bound: DobrushinBound
    kernel: Channel
    constants: tuple[TvConstants, ...]
    pair_bounds: Mapping[str, tuple[OutputBound, ...]]
    minimax: tuple[MinimaxRow, ...]
    certificate: Certificate
    verdict: Verdict

    def __repr__(self) -> str:
        """The bound and the verdict, in one line."""
        return f"<LeakageSolution {self.bound!r}, {self.verdict.status.value}>"

    def _repr_html_(self) -> str:
        """A table of the constants for notebooks."""
        from verify.report import facts_html  # noqa: PLC0415 - only notebooks pay

        facts = [
            ("verdict", self.verdict.status.value),
            ("largest Dobrushin coefficient", f"{float(self.bound.upper):.12g}"),
            *((f"{c.name} over TV", f"{float(c.smallest):.12g}") for c in self.constants),
        ]
        return facts_html(facts)

    def _repr_png_(self) -> bytes:
        """The bound against epsilon, for notebooks."""
        import io  # noqa: PLC0415 - only notebooks pay

        from solvers.leakage.plots import plot_dobrushin_bound  # noqa: PLC0415

        page = io.BytesIO()
        masses = [Fraction(0), self.bound.c] if self.bound.c else [Fraction(0)]
        plot_dobrushin_bound(self.bound.n_inputs, masses).savefig(page, format="png")
        return page.getvalue()


def solve_leakage(
    n_inputs: int, c: object, epsilon: object, n_samples: Iterable[int] = (1000,)
) -> LeakageSolution:
    """The largest Dobrushin coefficient of an (epsilon, c)-PML channel, proved, and what follows.

    Args:
        n_inputs: N >= 2.
        c: the least mass of a prior, an exact number in [0, 1/N].
        epsilon: an `Epsilon`, or what ``parse_epsilon`` reads.
        n_samples: numbers of users for the minimax bounds.

    Returns:
        The solution; bounds for a pair and minimax bounds are left out beyond 64 inputs, and for
        c = 1/N, where the uniform law is the only one.

    Raises:
        InputError: for invalid arguments.

    >>> solve_leakage(4, "1/10", "log(3)").verdict.is_accepted
    True
    """
    bound = dobrushin_bound(n_inputs, c, epsilon)
    constants: tuple[TvConstants, ...] = ()
    pair_bounds: dict[str, tuple[OutputBound, ...]] = {}
    minimax: tuple[MinimaxRow, ...] = ()
    if bound.c * n_inputs < 1:
        if bound.epsilon.exp_lower > 1:
            constants = tuple(
                tv_constants(name, n_inputs, bound.c, bound.epsilon, _BITS) for name in _DIVERGENCES
            )
        if n_inputs <= _MAX_SYMBOLS:
            pair_bounds = _bounds_of_farthest_pair(bound)
            minimax = minimax_table(n_inputs, bound.c, bound.epsilon, n_samples)
    certificate = dobrushin_certificate(bound)
    return LeakageSolution(
        bound,
        attaining_kernel(n_inputs, bound.c, bound.epsilon),
        constants,
        pair_bounds,
        minimax,
        certificate,
        check_certificate(certificate),
    )


def _bounds_of_farthest_pair(bound: DobrushinBound) -> dict[str, tuple[OutputBound, ...]]:
    n, c = bound.n_inputs, bound.c
    masses = [1 - (n - 1) * c, *[c] * (n - 1)]
    p, q = Distribution(tuple(masses)), Distribution((masses[1], masses[0], *masses[2:]))
    setting = leakage_setting(n, c, bound.epsilon)
    return {name: output_bounds(name, setting, p, q, _BITS) for name in _COMPARED}
