"""The linear programs behind certificates, with the witness as a proof of their upper ends.

**leakage**: maximise M - m over the largest entry M, the least m and the sum S of a sum of columns,
with w = E+ (1 - Nc):
M - w m - E+ c S <= 0,  w M - m + E+ c S <= E+ - 1,  M <= 1,  M, m, S >= 0,
and the multipliers of the witness; the solution is that of the pair of rows of its channel.

**testing**, up to ten symbols of different ratios: every private channel is a mixture of columns
1 + c 1[S] with weights w_S >= 0 and a rest R >= 0. Maximise the sum of h(1 + c P0(S), 1 + c P1(S))
w_S with sum_S (1 + c 1[x in S]) w_S + R = 1 for every symbol x, and (c + n) sum_S w_S + n R <= n
for at most n outputs. The multipliers are l_x and t/(c + n); the solution is the randomized
response on the blocks. An irrational h is replaced by a rational above it, and the file then has no
lower end.
"""

from fractions import Fraction
from itertools import chain, combinations

from verify.second_opinion.leakage import read_leakage
from verify.second_opinion.set_cover import Weighted
from verify.second_opinion.strict_reading import CertificateFile
from verify.second_opinion.testing import SPARE_BITS, TestingCertificate, read_testing
from verify.second_opinion.vipr import BoundProof, Row

__all__ = ["MAX_SYMBOLS", "bound_proof"]

MAX_SYMBOLS = 10
"""Most symbols for which all sets are columns of a program."""
_ZERO, _ONE = Fraction(0), Fraction(1)


def bound_proof(certificate: CertificateFile, bits: int) -> BoundProof | None:
    """The program of a certificate and its proof; None for a certificate without one.

    Args:
        certificate: of any kind.
        bits: the precision at which irrational coefficients are enclosed.

    Raises:
        MalformedError: if the certificate is not of the format.
    """
    if certificate.kind == "leakage":
        return _leakage_proof(certificate)
    if certificate.kind == "testing":
        return _testing_proof(read_testing(certificate), bits)
    return None


def _nonnegative(index: int, name: str, excess: Fraction) -> Row:
    """The row ``variable >= 0``, used so often as the other rows exceed the objective in it."""
    return Row(f"{name}-nonnegative", "G", _ZERO, {index: _ONE}, -excess)


def _leakage_proof(certificate: CertificateFile) -> BoundProof | None:
    read = read_leakage(certificate)
    if len(read.multipliers) != 3:
        return None
    u1, u2, u3 = read.multipliers
    w, ec = read.exp_leakage * (1 - read.inputs * read.c), read.exp_leakage * read.c
    rows = [
        Row("inside", "L", _ZERO, {0: _ONE, 1: -w, 2: -ec}, u1),
        Row("outside", "L", read.exp_leakage - 1, {0: w, 1: -_ONE, 2: ec}, u2),
        Row("at-most-one", "L", _ONE, {0: _ONE}, u3),
    ]
    objective = {0: _ONE, 1: -_ONE, 2: _ZERO}
    names = ("largest", "least", "sum")
    bounds = []
    for index, name in enumerate(names):
        reached = sum((row.multiplier * row.terms.get(index, _ZERO) for row in rows), _ZERO)
        bounds.append(_nonnegative(index, name, reached - objective[index]))
    x, z = (read.rows[index] for index in read.pair)
    columns = [
        column for column, a, b in zip(zip(*read.rows, strict=True), x, z, strict=True) if a > b
    ]
    sums = [sum(entries, _ZERO) for entries in zip(*columns, strict=True)] or [_ZERO]
    solution = {0: max(sums), 1: min(sums), 2: sum(sums, _ZERO)}
    return BoundProof(names, objective, bounds, rows, read.lower, read.upper, solution)


def _subsets(size: int) -> list[tuple[int, ...]]:
    return list(chain.from_iterable(combinations(range(size), n) for n in range(size + 1)))


def _testing_proof(read: TestingCertificate, bits: int) -> BoundProof | None:
    if read.divergence.is_renyi or read.exp_epsilon[1] < 1 or not read.has_good_knots:
        return None
    symbols = [weights for weights in read.weighted() if weights[0] + weights[1]]
    if len(symbols) > MAX_SYMBOLS:
        return None
    bits = max(bits, read.bits + SPARE_BITS)
    c, n, t = read.exp_epsilon[1] - 1, read.outputs, read.output_multiplier
    sets = _subsets(len(symbols))
    values, exact = {}, read.exp_epsilon[0] == read.exp_epsilon[1]
    for index, members in enumerate(sets):
        a, b = (1 + c * sum((symbols[i][j] for i in members), _ZERO) for j in (0, 1))
        low, values[index] = read.divergence.enclose(a, b, bits)
        exact = exact and low == values[index]
    rest = len(sets)
    rows = [
        Row(
            f"row-{i}",
            "E",
            _ONE,
            {**{j: 1 + c * (i in members) for j, members in enumerate(sets)}, rest: _ONE},
            lam,
        )
        for i, (_, _, lam) in enumerate(symbols)
    ]
    if n is not None:
        limit = {**dict.fromkeys(range(rest), c + n), rest: Fraction(n)}
        rows.append(Row("outputs", "L", Fraction(n), limit, t / (c + n)))
    names = ["weight-" + ("-".join(map(str, members)) or "none") for members in sets]
    bounds = []
    for index, name in enumerate([*names, "rest"]):
        reached = sum((row.multiplier * row.terms[index] for row in rows), _ZERO)
        bounds.append(_nonnegative(index, name, reached - values.get(index, _ZERO)))
    solution = _mechanism(read, symbols, sets) if exact else None
    lower = None if solution is None else read.lower
    return BoundProof([*names, "rest"], values, bounds, rows, lower, read.upper, solution or {})


def _mechanism(
    read: TestingCertificate, symbols: list[Weighted], sets: list[tuple[int, ...]]
) -> dict[int, Fraction] | None:
    """The weights of the blocks; None if a block parts symbols of one ratio, or there are knots."""
    if read.knots:
        return None
    ratios = [a / (a + b) for a, b, _ in symbols]
    weight = 1 / (read.exp_epsilon[0] + len(read.blocks) - 1)
    number = {members: index for index, members in enumerate(sets)}
    solution: dict[int, Fraction] = {}
    for block in read.blocks:
        pairs = [(read.laws[0][x], read.laws[1][x]) for x in block]
        found = {ratios.index(a / (a + b)) for a, b in pairs if a + b}
        mass = sum((a + b for a, b in pairs), _ZERO)
        if mass != sum((symbols[i][0] + symbols[i][1] for i in found), _ZERO):
            return None
        index = number[tuple(sorted(found))]
        solution[index] = solution.get(index, _ZERO) + weight
    return solution
