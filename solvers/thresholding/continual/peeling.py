"""Private densest subgraph on larger graphs: peel by the exponential mechanism, pick a prefix.

Nodes are removed one by one, each with probability proportional to exp(-rate degree) among those
left; then one of the sets left over is chosen with probability proportional to exp(2 rate density).
An added edge lowers every score -degree by 0 or 1 and raises every density by at most 1/2: scores
move in one direction, so no 1/2 is needed in the exponents (neighbours add or remove one edge).
"""

import math
from dataclasses import dataclass
from fractions import Fraction

import networkx as nx

from solvers.backend import arb, ball, working_precision
from solvers.epsilon import parse_epsilon
from solvers.thresholding.errors import ParameterError
from solvers.thresholding.randomness import BitSource, LazyUniform, system_bits
from solvers.thresholding.rates import Rate
from verify.kernel.exact import as_rational

__all__ = ["PeelingResult", "draw_by_weight", "peel_privately"]


@dataclass(frozen=True, slots=True)
class PeelingResult:
    """A private set of nodes.

    Args:
        nodes: the set; at least two nodes.
        loss: with probability at least 1 - beta the density is >= OPT/2 - loss.
    """

    nodes: frozenset[object]
    loss: float


def draw_by_weight(rate: Rate, scores: list[Fraction], bits: BitSource) -> int:
    """A position with probability proportional to exp(rate score), *exact* in law."""
    uniform, precision = LazyUniform(bits), 64
    top = max(scores)
    while True:
        with working_precision(precision):
            scale = rate.ball()
            weights = [(scale * ball(score - top)).exp() for score in scores]
            total = arb(0)
            for weight in weights:
                total += weight
            target, reached = uniform.ball(precision) * total, arb(0)
            for place, weight in enumerate(weights):
                reached += weight
                if target < reached:
                    return place
                if not target > reached:
                    break
            else:
                return len(weights) - 1
        precision *= 2


def peel_privately(
    graph: nx.Graph, epsilon: object, beta: object = "1/10", bits: BitSource = system_bits
) -> PeelingResult:
    """A dense set of nodes, epsilon-DP for adding and removing one edge; nodes are public.

    Half of epsilon pays for the peeling, half for the choice. Put c = (2 (n-2)/epsilon)
    ln(2 n (n-2)/beta). At every step the degree removed is at most c above the least one, so when
    the first node of the best set goes the set left has density >= (OPT - c) / 2; the choice loses
    at most (1/epsilon) ln(2 n / beta) more.

    Args:
        graph: a graph or multigraph without loops, n >= 3 nodes.
        epsilon: privacy of the whole output.
        beta: failure probability of the guarantee.
        bits: source of fair bits.

    Raises:
        ParameterError: for fewer than 3 nodes or a loop.
    """
    n, failure = graph.number_of_nodes(), as_rational(beta, "beta")
    if n < 3 or nx.number_of_selfloops(graph):
        raise ParameterError(f"graph: needs at least 3 nodes and no loops; it has {n} nodes")
    level = parse_epsilon(epsilon).level
    per_step = Rate(Fraction(1, 2 * (n - 2)), level)
    left = nx.MultiGraph(graph)
    kept, densities, removed = list(left.nodes), [_density(left)], []
    for _ in range(n - 2):
        nodes = list(left.nodes)
        scores = [Fraction(-degree) for _, degree in left.degree(nodes)]
        node = nodes[draw_by_weight(per_step, scores, bits)]
        left.remove_node(node)
        removed.append(node)
        densities.append(_density(left))
    choice = draw_by_weight(Rate(Fraction(1), level), densities, bits)
    gone = set(removed[:choice])
    slack = math.log(2 * n * (n - 2) / float(failure)) / float(per_step)
    loss = slack / 2 + math.log(2 * n / float(failure)) / float(Rate(Fraction(1), level))
    return PeelingResult(frozenset(node for node in kept if node not in gone), loss)


def _density(graph: nx.MultiGraph) -> Fraction:
    return Fraction(graph.number_of_edges(), graph.number_of_nodes())
