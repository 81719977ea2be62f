"""The second checker against the kernel: the corpus, fresh certificates, and forgeries of them.

Where one accepts and the other refuses, one of the two is wrong. The second checker may have no
opinion, for a reason that it states; the kernel may be undecided at the precision of a certificate.
"""

import json
import random
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from solvers.testing import solve_testing
from tests.attack.bases import KINDS
from tests.attack.campaign import forgeries_of, schedule
from verify.canonical_form import encode
from verify.kernel.certificate import check_certificate, decode
from verify.kernel.errors import InputError, LimitError
from verify.second_opinion import second_opinion

CORPUS = Path(__file__).parent.parent / "corpus"
EXPECTED = {"accept": "ACCEPTED", "reject": "REJECTED", "malformed": "MALFORMED"}
FILES = {verdict: sorted((CORPUS / verdict).glob("*.json")) for verdict in EXPECTED}
UNANSWERED = {"separators-removed": "no separators"}
"""Files of the corpus on which the second checker has no opinion, and why."""
TIMEOUT = 60
LONG_SUMS = "long sums and powers"
"""Forgeries on which z3 takes seconds each: they have a test of their own, with cvc5."""


def kernel_verdict(text):
    try:
        return check_certificate(decode(text)).status.value
    except LimitError:  # such as a sum with more digits than the kernel works with
        return "OVER A LIMIT"
    except InputError:
        return "MALFORMED"


@pytest.mark.parametrize("solver", ["z3", "cvc5"])
@pytest.mark.parametrize("folder", EXPECTED)
def test_the_whole_corpus(folder, solver):
    for path in FILES[folder]:
        opinion = second_opinion(path.read_bytes(), solver=solver, timeout=TIMEOUT)
        assert "\n" not in opinion.reason
        if path.stem in UNANSWERED:
            assert opinion.verdict.value == "NO OPINION", opinion
            assert UNANSWERED[path.stem] in opinion.reason
        else:
            assert opinion.verdict.value == EXPECTED[folder], (path.name, opinion)


def test_every_clause_is_violated_by_some_file():
    """A clause that no refuted file violates might as well not be there."""
    found = set()
    for path in FILES["reject"]:
        _, _, clauses = second_opinion(path.read_bytes()).reason.partition("violates ")
        found.update(clause.rstrip("0123456789-") for clause in clauses.split(", "))
    names = (
        "lower upper bound exp-epsilon outputs output-multiplier knots no-mass set-of level "
        "dobrushin-coefficient leakage e-gamma k lambda orthogonal multipliers exp-leakage "
        "shared-shift shifts directions monotone tail total pure "
        "b r block-sizes n-risk optimum optimal-block-sizes"
    )
    assert {f"clause-{name}" for name in names.split()} <= found


def test_without_the_kernel():
    """The second checker works where the kernel, solvers and constructions cannot be imported."""
    program = (
        "import sys\n"
        "for name in ('verify.kernel', 'verify.certify', 'solvers', 'combinatorics'):\n"
        "    sys.modules[name] = None\n"
        "from verify.second_opinion import exported_files, second_opinion\n"
        "for path in sys.argv[1:]:\n"
        "    content = open(path, 'rb').read()\n"
        "    print(second_opinion(content).verdict.value, len(exported_files(content)) > 0)\n"
    )
    kinds = ("kl-one-nat", "channel-nats", "leakage-ldp", "contraction", "design-fano-developed")
    paths = [str(CORPUS / "accept" / f"{name}.json") for name in (*kinds, "coupling-monotone")]
    done = subprocess.run(
        [sys.executable, "-c", program, *paths],
        capture_output=True,
        check=True,
        text=True,
        cwd=CORPUS.parent.parent,
    )
    assert done.stdout.split("\n")[:-1] == ["ACCEPTED True"] * len(paths)


def changed(content, **parts):
    return {**content, "witness": {**content["witness"], **parts}}


def test_a_long_alphabet_with_knots():
    rng = random.Random("knots")
    laws = [[rng.randint(1, 50) for _ in range(300)] for _ in range(2)]
    p0, p1 = ([Fraction(weight, sum(law)) for weight in law] for law in laws)
    content = json.loads(encode(solve_testing(p0, p1, "1", "js").certificate))
    knots, multipliers = (content["witness"][key] for key in ("knots", "multipliers"))
    assert 3 < len(knots) < 300
    middle = len(knots) // 2
    less = str(Fraction(multipliers[middle]) - Fraction(1, 10**6))
    for found, expected in (
        (content, "ACCEPTED"),
        (changed(content, knots=[*knots[:-1], "2"]), "REJECTED"),
        (changed(content, knots=knots[:middle] + knots[middle + 1 :]), "MALFORMED"),
        (changed(content, multipliers=multipliers[::-1]), "REJECTED"),
        (
            changed(content, multipliers=[*multipliers[:middle], less, *multipliers[middle + 1 :]]),
            "REJECTED",
        ),
    ):
        text = json.dumps(found)
        assert kernel_verdict(text) == expected
        assert second_opinion(text.encode()).verdict.value == expected


def compared(kind, n_bases, n_forgeries, seed, solver="z3"):
    """How often (kernel, second checker) gave each pair of answers; none may contradict."""
    rng, pairs = random.Random(f"{kind} {seed}"), Counter()
    classes, names = forgeries_of(kind), [n for n in schedule(kind) if n != LONG_SUMS]
    base = KINDS[kind](rng)
    for _ in range(n_bases):
        donor, base = base, KINDS[kind](rng)
        made = [classes[rng.choice(names)](rng, base, donor) for _ in range(n_forgeries)]
        for content in (base, *(forged for forged in made if forged is not None)):
            text = content if isinstance(content, str | bytes) else json.dumps(content)
            data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
            verdict = kernel_verdict(text)
            opinion = second_opinion(data, solver=solver, timeout=TIMEOUT)
            assert not opinion.contradicts(verdict), (verdict, opinion, text)
            pairs[verdict, opinion.verdict.value] += 1
            if content is base:
                assert (verdict, opinion.verdict.value) == ("ACCEPTED", "ACCEPTED"), text
    return pairs


def require_agreement(pairs):
    """Nearly all answers are the same, and each answer occurs."""
    for answer in ("ACCEPTED", "REJECTED", "MALFORMED"):
        assert pairs[answer, answer] > 0, pairs
    silent = sum(n for (_, second), n in pairs.items() if second == "NO OPINION")
    assert silent <= pairs.total() // 50, pairs


@pytest.mark.parametrize("kind", KINDS)
def test_fresh_and_forged_certificates(kind):
    require_agreement(compared(kind, 12, 6, "sample"))


def test_sums_that_the_kernel_rounds():
    """The second checker's numbers have no limit of length: it settles what the kernel may not."""
    rng, pairs = random.Random("long"), Counter()
    base = KINDS["testing"](rng)
    for _ in range(12):
        text = json.dumps(forgeries_of("testing")[LONG_SUMS](rng, base, base))
        verdict = kernel_verdict(text)
        opinion = second_opinion(text.encode(), solver="cvc5", timeout=TIMEOUT)
        assert not opinion.contradicts(verdict), (verdict, opinion)
        pairs[verdict, opinion.verdict.value] += 1
    assert {("REJECTED", "REJECTED"), ("ACCEPTED", "ACCEPTED")} <= set(pairs), pairs
    assert {own for verdict, own in pairs if verdict == "UNDECIDED"} >= {"ACCEPTED", "REJECTED"}


@pytest.mark.slow
@pytest.mark.parametrize(("solver", "n_bases"), [("z3", 220), ("cvc5", 60)])
@pytest.mark.parametrize("kind", KINDS)
def test_many_fresh_and_forged_certificates(kind, solver, n_bases):
    require_agreement(compared(kind, n_bases, 5, f"slow {solver}", solver))
