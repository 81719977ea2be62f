"""A private estimation scheme: clients privatise symbols, servers aggregate reports and estimate.

The channel reports a block on the symbol with probability E/D each, any other with 1/D each,
D = rE + b - r, where E is a rational just below exp(epsilon), or equal to it. Every probability is
a rational and the sampled law is exactly that channel.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import log2

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solvers.epsilon import Epsilon
from solvers.estimation.aggregate import Aggregate, scheme_mark
from solvers.estimation.confidence import clopper_pearson
from solvers.estimation.corrected import corrected_n_risk, worst_corrected_prior
from solvers.estimation.random_words import Integers, bernoulli, words_of
from solvers.estimation.risk import Parameters, optimal_block_sizes, optimum
from solvers.estimation.structure import Reports, Structure
from verify.kernel.channel import MAX_CELLS, Channel
from verify.kernel.distribution import Distribution
from verify.kernel.errors import InputError, LimitError

__all__ = ["Scheme"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Scheme:
    """A scheme from a regular pairwise balanced structure.

    Args:
        structure: what the outputs are.
        epsilon: the privacy parameter; the channel is private at E = ``epsilon.exp_lower``.

    A report is an integer in [0, b). With epsilon = 0 reports can be made but tell nothing, and
    whatever would estimate from them raises InputError.
    """

    structure: Structure
    epsilon: Epsilon

    @property
    def parameters(self) -> Parameters:
        """v, b, r and lambda."""
        return self.structure.parameters

    @property
    def name(self) -> str:
        """What the structure is."""
        return self.structure.name

    @property
    def alphabet_size(self) -> int:
        """v, the number of symbols."""
        return self.parameters.v

    @property
    def exp_epsilon(self) -> Fraction:
        """E, the rational that the channel uses."""
        return self.epsilon.exp_lower

    @property
    def bits(self) -> float:
        """log2 b, to float64."""
        return log2(self.parameters.b)

    @property
    def report_bits(self) -> int:
        """The bits of a report, *exact*: the least whole number that is at least log2 b."""
        return (self.parameters.b - 1).bit_length()

    @property
    def mark(self) -> str:
        """A text that schemes share only if their reports mean the same."""
        return scheme_mark(self.structure.fingerprint(), self.exp_epsilon)

    @property
    def n_risk(self) -> Fraction:
        """The worst risk of ``estimate`` times n, *exact* for every n."""
        return self.parameters.n_risk(self.exp_epsilon)

    @property
    def ratio(self) -> Fraction:
        """n_risk as a multiple of the least that any unbiased private scheme can have.

        Exact when e^epsilon is rational, else an upper bound within a factor 1 + 2^-100.
        """
        return self.n_risk / optimum(self.alphabet_size, self.epsilon)

    @property
    def is_optimal(self) -> bool:
        """Whether it is a block design with an optimal block size: no unbiased scheme is better."""
        sizes = optimal_block_sizes(self.alphabet_size, self.epsilon)
        return self.structure.block_size in sizes

    @property
    def channel(self) -> Channel:
        """The channel as a matrix of rationals, shape (v, b).

        Raises:
            LimitError: for more than ``MAX_CELLS`` entries.
        """
        v, b, r = self.parameters.v, self.parameters.b, self.parameters.r
        if v * b > MAX_CELLS:
            raise LimitError(f"channel: {v} x {b} entries are over the limit of {MAX_CELLS}")
        low = 1 / (r * self.exp_epsilon + b - r)
        entries, blocks = (low, low * self.exp_epsilon), self.structure.block_design().blocks
        rows = (tuple(entries[block >> x & 1] for block in blocks) for x in range(v))
        return Channel(tuple(rows))

    def risk(self, n_users: int, prior: Distribution | Iterable[object] | None = None) -> Fraction:
        """The expected squared error of ``estimate`` with n users, *exact*; the worst over laws.

        Args:
            n_users: n >= 1.
            prior: the law of a symbol, for the risk there.
        """
        if n_users < 1:
            raise InputError(f"n_users: {n_users} is less than 1")
        law = prior if prior is None or isinstance(prior, Distribution) else Distribution(prior)
        return self.parameters.n_risk(self.exp_epsilon, law) / n_users

    def corrected_n_risk(self, prior: Distribution | None = None) -> Fraction:
        """The risk after ``with_sum_one`` times n, *exact*; without a prior the worst."""
        design = self.structure.block_design()
        law = prior or worst_corrected_prior(design, self.parameters, self.exp_epsilon)
        return corrected_n_risk(design, self.parameters, self.exp_epsilon, law)

    def privatise(self, symbols: ArrayLike, rng: object = None) -> Reports:
        """One private report for each symbol; the law of a report is exactly the channel.

        Args:
            symbols: integers 0 to v-1.
            rng: None for the cryptographic generator; a seed or a NumPy generator to simulate.

        Raises:
            InputError: for a symbol out of range; names the first.
        """
        values = _integers(symbols, self.alphabet_size, "symbols")
        words = words_of(rng)
        alpha, _ = self.parameters.hit_probabilities(self.exp_epsilon)
        return self.structure.draw(values, bernoulli(words, len(values), alpha), words)

    def aggregate(self, reports: ArrayLike) -> Aggregate:
        """The counts of some reports; aggregates of one scheme add up with ``+`` and ``sum``.

        Raises:
            InputError: for a report out of range; names the first.
        """
        values = _integers(reports, self.parameters.b, "reports")
        return Aggregate(len(values), self.structure.tally(values), self.mark)

    def point_counts(self, aggregate: Aggregate) -> Integers:
        """N_x: the number of reports on which each symbol lies, *exact*.

        Raises:
            InputError: for the aggregate of another scheme, no reports or epsilon = 0.
        """
        if aggregate.mark != self.mark or len(aggregate.tally) != self.structure.tally_size:
            raise InputError("aggregate: belongs to another scheme, or to another epsilon")
        if not aggregate.n:
            raise InputError("aggregate: has no reports to estimate from")
        if self.exp_epsilon == 1:
            raise InputError(
                "epsilon = 0: every report is independent of its symbol, and the estimator would "
                "divide by e^epsilon - 1 = 0; collect reports with epsilon > 0"
            )
        return self.structure.point_counts(aggregate.tally)

    def estimate_exact(self, aggregate: Aggregate) -> tuple[Fraction, ...]:
        """The unbiased estimate (N_x/n - beta)/(alpha - beta) of every probability, *exact*."""
        alpha, beta = self.parameters.hit_probabilities(self.exp_epsilon)
        counts = self.point_counts(aggregate).tolist()
        return tuple((Fraction(count, aggregate.n) - beta) / (alpha - beta) for count in counts)

    def estimate(self, aggregate: Aggregate) -> Floats:
        """The unbiased estimate in float64; may be negative and need not sum to 1.

        ``with_sum_one`` and ``project_onto_simplex`` are separate steps.

        Raises:
            InputError: for the aggregate of another scheme, no reports or epsilon = 0.
        """
        return self._unscaled(self.point_counts(aggregate) / aggregate.n)

    def _unscaled(self, shares: Floats) -> Floats:
        """The affine map that takes chances of a hit to probabilities."""
        alpha, beta = self.parameters.hit_probabilities(self.exp_epsilon)
        return (shares - float(beta)) / float(alpha - beta)

    def variances(self, aggregate: Aggregate) -> Floats:
        """Unbiased estimates of the variances of the entries of ``estimate``, in float64.

        Raises:
            InputError: as ``estimate``, or for fewer than two reports.
        """
        shares = self.point_counts(aggregate) / aggregate.n
        if aggregate.n < 2:
            raise InputError("variances: need at least two reports")
        alpha, beta = self.parameters.hit_probabilities(self.exp_epsilon)
        spread: Floats = shares * (1 - shares) / (aggregate.n - 1) / float(alpha - beta) ** 2
        return spread

    def confidence_intervals(
        self, aggregate: Aggregate, confidence: float = 0.95, *, simultaneous: bool = False
    ) -> Floats:
        """Intervals that hold the true probabilities, shape (v, 2), within [0, 1], in float64.

        N_x is binomial, so the intervals of Clopper and Pearson for its chance, mapped to
        probabilities, cover for every n and every law with at least the stated confidence.

        Args:
            aggregate: counts of reports.
            confidence: the coverage, in (0, 1), for each symbol alone.
            simultaneous: whether all v intervals cover together (Bonferroni).

        Reference: Clopper and Pearson 1934.
        """
        counts = self.point_counts(aggregate)
        share = self.alphabet_size if simultaneous else 1
        bounds = clopper_pearson(counts, aggregate.n, confidence, share)
        return np.clip(self._unscaled(bounds), 0.0, 1.0)

    def __repr__(self) -> str:
        """Name, parameters and epsilon in one line."""
        p = self.parameters
        return (
            f"<{self.name}: v = {p.v}, b = {p.b}, r = {p.r}, lambda = {p.lambda_}, "
            f"epsilon = {self.epsilon}>"
        )


def _integers(values: ArrayLike, bound: int, what: str) -> Reports:
    """The values as a vector of integers in 0..bound-1; int64, or object beyond 2^63."""
    array = np.asarray(values)
    if array.ndim != 1:
        raise InputError(f"{what}: must be a vector of integers, not of shape {array.shape}")
    if not len(array):
        return array.astype(np.int64)
    if array.dtype == object and all(type(value) is int for value in array):
        wrong = np.array([not 0 <= value < bound for value in array])
    elif array.dtype.kind in "iu":
        wrong = (array < 0) | (array > bound - 1)
    else:
        raise InputError(f"{what}: must be integers, not {array.dtype}")
    if np.any(wrong):
        index = int(np.argmax(wrong))
        raise InputError(f"{what}[{index}]: {array[index]} is not in 0..{bound - 1}")
    return array.astype(np.int64 if bound < 2**63 else object)
