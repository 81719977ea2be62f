"""Microseconds a user to privatise, aggregate and estimate, beside pure-ldp and multi-freq-ldpy.

Run as ``python -m tests.benchmarks.estimation_schemes [USERS [PEER_USERS [SYMBOLS [EPSILON]]]]``,
by default 10^6 users, 20 000 for the other packages, 1000 symbols, epsilon = 1. The other packages
are those of the extra ``benchmark``; what is not installed is left out and said so. One core.
The estimates of multi-freq-ldpy are clipped and normalised, so their error is not that of an
unbiased estimate; all others are unbiased.
"""

import sys
import time
from dataclasses import dataclass

import numpy as np

from combinatorics import difference_set
from solvers.estimation import (
    best_schemes,
    hadamard_response,
    projective_geometry_response,
    randomized_response,
    subset_selection,
    truncated_scheme,
)

__all__ = ["Figures", "main", "measure_own", "measure_peers"]


@dataclass(frozen=True, slots=True)
class Figures:
    """CPU seconds by stage, and the squared error over that of the lower bound."""

    name: str
    users: int
    privatise: float
    aggregate: float
    estimate: float
    error: float

    def __str__(self) -> str:
        total = self.privatise + self.aggregate + self.estimate
        return (
            f"{self.name:58} {self.users:8} users {1e6 * total / self.users:10.3f} us a user"
            f"  privatise {self.privatise:7.3f} s  aggregate {self.aggregate:7.3f} s"
            f"  estimate {self.estimate:7.4f} s  n x error {self.error:10.1f}"
        )


def timed(name, users, law, steps):
    """The figures of three steps, each taking the result of the one before."""
    times, result = [time.process_time()], None
    for step in steps:
        result = step(result)
        times.append(time.process_time())
    error = float(((np.asarray(result) - law) ** 2).sum()) * users
    stages = np.diff(times)
    return Figures(name, users, *map(float, stages), error)


def measure_own(symbols, law, epsilon, alphabet_size):
    """The schemes of this package; construction is not timed, as it happens once."""
    schemes = [
        best_schemes(alphabet_size, epsilon).best,
        projective_geometry_response(alphabet_size, epsilon),
        hadamard_response(alphabet_size, epsilon),
        randomized_response(alphabet_size, epsilon),
    ]
    if alphabet_size == 1000:
        schemes.insert(1, truncated_scheme(difference_set(1093, 364, 121), 1000, epsilon))
    for scheme in schemes:
        _ = scheme.mark
        for rng, source in ((1, "seeded"), (None, "cryptographic")):
            yield timed(
                f"{scheme.name[:40]} ({source})",
                len(symbols),
                law,
                [
                    lambda _, s=scheme, r=rng: s.privatise(symbols, r),
                    lambda reports, s=scheme: s.aggregate(reports),
                    lambda aggregate, s=scheme: s.estimate(aggregate),
                ],
            )
    few = symbols[: max(1, len(symbols) // 100)]
    scheme = subset_selection(alphabet_size, None, epsilon)
    yield timed(
        f"{scheme.name} (seeded)",
        len(few),
        law,
        [lambda _: scheme.privatise(few, 1), scheme.aggregate, scheme.estimate],
    )


def measure_peers(symbols, law, epsilon, alphabet_size):
    """Randomized response, Hadamard response and subset selection of the other packages."""
    yield from measure_pure_ldp(symbols, law, epsilon, alphabet_size)
    yield from measure_multi_freq_ldpy(symbols, law, epsilon, alphabet_size)


def measure_pure_ldp(symbols, law, epsilon, alphabet_size):
    """Direct encoding and Hadamard response of pure-ldp."""
    try:
        from pure_ldp.frequency_oracles.direct_encoding import DEClient, DEServer
        from pure_ldp.frequency_oracles.hadamard_response import (
            HadamardResponseClient,
            HadamardResponseServer,
        )
    except ImportError as error:
        print(f"pure-ldp left out ({error}); install the extra `benchmark`")
        return
    mapper = {"index_mapper": lambda x: x}
    server = HadamardResponseServer(epsilon, alphabet_size, **mapper)
    pairs = {
        "direct encoding": (
            DEClient(epsilon, alphabet_size, **mapper),
            DEServer(epsilon, alphabet_size, **mapper),
        ),
        "Hadamard response": (
            HadamardResponseClient(epsilon, alphabet_size, server.get_hash_funcs(), **mapper),
            server,
        ),
    }
    values = [int(x) for x in symbols]

    def aggregated(chosen, reports):
        for report in reports:
            chosen.aggregate(report)
        return chosen

    def estimated(chosen):
        chosen.check_and_update_estimates()
        return np.array(chosen.estimated_data) / len(values)

    for name, (client, chosen) in pairs.items():
        yield timed(
            f"pure-ldp: {name}",
            len(values),
            law,
            [
                lambda _, c=client: [c.privatise(x) for x in values],
                lambda reports, s=chosen: aggregated(s, reports),
                estimated,
            ],
        )


def measure_multi_freq_ldpy(symbols, law, epsilon, alphabet_size):
    """Generalised randomized response and subset selection of multi-freq-ldpy, once compiled."""
    try:
        from multi_freq_ldpy.pure_frequency_oracles.GRR import GRR_Aggregator_MI, GRR_Client
        from multi_freq_ldpy.pure_frequency_oracles.SS import SS_Aggregator_MI, SS_Client
    except ImportError as error:
        print(f"multi-freq-ldpy left out ({error}); install the extra `benchmark`")
        return
    values = [int(x) for x in symbols]
    for name, client, aggregator in (
        ("generalised randomized response", GRR_Client, GRR_Aggregator_MI),
        ("subset selection", SS_Client, SS_Aggregator_MI),
    ):
        client(values[0], alphabet_size, epsilon)
        yield timed(
            f"multi-freq-ldpy: {name}",
            len(values),
            law,
            [
                lambda _, c=client: [c(x, alphabet_size, epsilon) for x in values],
                lambda reports, a=aggregator: a(reports, alphabet_size, epsilon),
                lambda estimate: estimate,
            ],
        )


def main(arguments=None):
    """Print the figures of every scheme."""
    words = sys.argv[1:] if arguments is None else arguments
    defaults = ["1000000", "20000", "1000", "1"]
    users, few, alphabet_size, epsilon = [*words, *defaults[len(words) :]]
    v = int(alphabet_size)
    rng = np.random.default_rng(2023)
    law = rng.dirichlet(np.ones(v))
    symbols = rng.choice(v, int(users), p=law)
    for figures in measure_own(symbols, law, epsilon, v):
        print(figures)
    for figures in measure_peers(symbols[: int(few)], law, float(epsilon), v):
        print(figures)


if __name__ == "__main__":
    main()
