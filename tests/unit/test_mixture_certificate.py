"""Certificates of mixtures W*D+W*D: names, soundness with corners, files, the command line."""

import json
import random
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.leakage.binette import parse_measure
from solvers.testing import canonical_name, solve_testing
from solvers.testing.mixture import mixture_name
from solvers.testing.output_curve import output_curve
from tests.support import oracle
from tests.support.instances import pairs, random_pair
from tests.support.mixtures import NAMES, parts_of
from verify.canonical_form import encode
from verify.certify import check
from verify.cli import run
from verify.kernel import optimality
from verify.kernel.certificate import check_certificate, decode
from verify.kernel.distribution import Distribution
from verify.kernel.divergence import parse_divergence
from verify.kernel.errors import CertificateError
from verify.kernel.optimality import DualWitness, check_upper_bound

PAIR = (["1/2", "1/3", "1/6"], ["1/6", "1/3", "1/2"])


@pytest.mark.parametrize("name", NAMES)
def test_names_are_canonical(name):
    assert parse_divergence(name).name == name
    assert canonical_name("+".join(reversed(name.split("+")))) == name
    assert mixture_name([(weight, part.name) for weight, part in parts_of(name)]) == name


@pytest.mark.parametrize("name", ["2*tv+1*kl", "2/4*kl", "1.0*kl", "1*kl+1*alpha:2/2", "01*kl"])
def test_other_spellings_are_no_certificates(name):
    certificate = solve_testing(*PAIR, "log(3)", name).certificate
    assert check_certificate(certificate).is_accepted
    other = replace(certificate, claim={**certificate.claim, "divergence": name})
    with pytest.raises(CertificateError, match="spelled"):
        check_certificate(other)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("outputs", [None, 2])
def test_certificates_are_found_and_hold_the_best_of_all_partitions(name, outputs):
    rng = random.Random(f"{name} {outputs}")
    p, q = random_pair(rng, 4, "plain")
    E = Fraction(rng.choice(["3/2", "3", "20"]))
    solution = solve_testing(p, q, f"log({E})", name, outputs)
    assert solution.certificate.claim["divergence"] == name
    again = decode(encode(solution.certificate))
    assert check_certificate(again).is_accepted
    best = max(
        sum((w * _value(p, q, E, part.name, blocks) for w, part in parts_of(name)), Fraction(0))
        for blocks in oracle.set_partitions(list(range(4)))
        if outputs is None or len(blocks) <= outputs
    )
    exact = all(oracle.is_rational(part.name) for _, part in parts_of(name))
    margin = Fraction(0) if exact else Fraction(1, 10**25)
    assert solution.value_lower - margin <= best <= solution.value_upper + margin
    assert solution.relative_gap <= Fraction(1, 10**25)


def _value(p, q, E, name, blocks):
    value = oracle.value_of(blocks, p, q, E, name)
    return value if isinstance(value, Fraction) else oracle.to_fraction(value)


@pytest.mark.parametrize("name", NAMES)
def test_a_changed_certificate_is_refused(name):
    certificate = solve_testing(*PAIR, "log(5)", name).certificate
    claim, witness = certificate.claim, certificate.witness
    low, high = Fraction(claim["lower"]), Fraction(claim["upper"])
    tiny = Fraction(1, 10**9)
    parts = parts_of(name)
    other = mixture_name([(2 * weight, part.name) for weight, part in parts])
    less = [str(Fraction(x) - tiny) if n == 0 else x for n, x in enumerate(witness["multipliers"])]
    changed = (
        replace(certificate, claim={**claim, "lower": str(high + tiny), "upper": str(high + 1)}),
        replace(certificate, claim={**claim, "upper": str(low - tiny)}),
        replace(certificate, claim={**claim, "divergence": other}),
        replace(certificate, claim={**claim, "divergence": name + "+9*tv"}),
        replace(certificate, witness={**witness, "multipliers": less}),
    )
    for attempt in changed:
        assert not check_certificate(attempt).is_accepted


@given(
    pairs(max_size=5, min_size=2),
    st.sampled_from(NAMES),
    st.lists(st.fractions(-1, 1, max_denominator=12), min_size=5, max_size=5),
    st.lists(st.fractions(Fraction(1, 3), 3, max_denominator=9), max_size=6),
    st.sampled_from([Fraction(2), Fraction(5, 4), Fraction(3)]),
)
@settings(max_examples=60, deadline=None)
def test_no_witness_passes_that_a_subset_refutes(pair, name, noise, separators, E):
    """The kernel's sweep against all 2^k subsets; E = 2 and 5/4 are corners at the ends."""
    p, q = map(Distribution, pair)
    mixture = parse_divergence(name)
    certificate = solve_testing(p, q, f"log({E})", name).certificate
    scale = max(Fraction(certificate.claim["upper"]), Fraction(1, 100)) / 4
    multipliers = tuple(
        Fraction(lam) + scale * shift if a + b else Fraction(0)
        for lam, shift, a, b in zip(
            certificate.witness["multipliers"], noise[: len(p)], p.masses, q.masses, strict=True
        )
    )
    total, c = sum(multipliers, Fraction(0)), E - 1
    known = map(Fraction, certificate.witness["separators"])
    witness = DualWitness(multipliers, separators=tuple(sorted({*known, *separators})))
    verdict = check_upper_bound(
        optimality.TestingProblem(p, q, mixture), E, witness, max(total, Fraction(0)), 128
    )
    if not verdict.is_accepted:
        return
    symbols = _merged(p, q, multipliers)
    for inside in product((0, 1), repeat=len(symbols)):
        a, b, lam = (
            sum((s[n] for s, i in zip(symbols, inside, strict=True) if i), Fraction(0))
            for n in range(3)
        )
        assert total + c * lam >= mixture.perspective(1 + c * a, 1 + c * b, 128).lower
    assert total >= Fraction(certificate.claim["lower"])


def _merged(p, q, multipliers):
    """(P0, P1, l) of the symbols, those with one likelihood ratio added up."""
    merged = {}
    for row in zip(p.masses, q.masses, multipliers, strict=True):
        if row[0] + row[1]:
            merged.setdefault(row[0] / (row[0] + row[1]), []).append(row)
    return [tuple(map(sum, zip(*rows, strict=True))) for rows in merged.values()]


def test_the_command_line_writes_and_checks_it(tmp_path, capsys):
    file, out = tmp_path / "pair.json", tmp_path / "out.json"
    file.write_text(json.dumps({"p0": PAIR[0], "p1": PAIR[1]}))
    words = ["certify", "testing", str(file), "--epsilon", "1", "--divergence", "2*tv+0.5*kl"]
    assert run([*words, "--certificate", str(out), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["divergence"] == "1/2*kl+2*tv"
    assert check(out).is_accepted
    assert run([*words[:-1], "2*tv+1*renyi:2"]) == 2


def test_curves_of_mixtures():
    rng = random.Random(2)
    p, q = random_pair(rng, 6, "plain")
    curve = output_curve(p, q, "log(200)", "1*chi2+2*js")
    assert curve.is_flat_proved
    assert all(check_certificate(point.solution.certificate).is_accepted for point in curve.points)


def test_a_mixture_is_operator_convex_only_if_its_parts_are():
    assert parse_measure("1*chi2+1*kl").is_operator_convex
    assert not parse_measure("1*alpha:5+1*kl").is_operator_convex
    assert not parse_measure("1*kl+1*tv").is_operator_convex
