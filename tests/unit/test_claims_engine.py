"""The engine: counts, symmetry, order of counterexamples, checkpoints, processes, proofs."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing
from fractions import Fraction
from pathlib import Path

import pytest
import sympy as sp

from verify.claims.checkpoint import Checkpoint
from verify.claims.claim import Claim, Exhaustive, Randomised, Symbolic
from verify.claims.domain import Domain, boxed, listed, union
from verify.claims.exhaustive import check_claims
from verify.claims.families import kernels, likelihood_pairs
from verify.claims.proof import Identity, Inequality, counterexample, flaw, nonnegative
from verify.claims.randomised import draw
from verify.claims.registry import all_claims, claim, select_claims
from verify.kernel.errors import InputError
from verify.kernel.verdict import Status


@pytest.mark.parametrize(
    ("domain", "size"),
    [
        (likelihood_pairs(2), 5),
        (likelihood_pairs(3), 4),
        (likelihood_pairs(4), 3),
        (kernels(2, 2), 5),
        (kernels(3, 2), 4),
        (kernels(2, 3), 4),
        (kernels(3, 3), 2),
    ],
)
def test_orbits_agree_with_the_full_enumeration(domain, size):
    orbits = list(domain.orbits(size))
    full = Counter(domain.canonical(instance) for instance in domain.everything(size))
    assert {domain.canonical(instance): weight for instance, weight in orbits} == dict(full)
    assert sum(full.values()) == domain.total(size)
    assert len(orbits) == len(full)


def _claim(domain, holds, mutant, size=4, **options):
    check = Exhaustive(domain, holds, mutant, size, **options)
    return Claim("testing.sample", "s", "source", "scope", "m", (check,))


def _run(one, monkeypatch, **options):
    monkeypatch.setattr("verify.claims.registry.claim", lambda name: one)
    (result,) = check_claims([one], **options)
    return result


def test_the_first_failure_is_a_smallest_one(monkeypatch):
    domain = boxed("pairs up to {size}", lambda size: (range(size + 1), range(size + 1)))
    one = _claim(domain, lambda i: "", lambda i: "large" if sum(i) >= 3 else "", batch=2)
    result = _run(one, monkeypatch, mutant=True)
    assert result.is_killed
    assert result.counterexample == "(1, 2)"  # size 2 has it, size 1 has none
    held = _run(one, monkeypatch)
    assert (held.status, held.cases) == (Status.ACCEPTED, 25)


def test_an_enumeration_that_misses_an_orbit_is_rejected(monkeypatch):
    domain = Domain("n", lambda size: ((n, 1) for n in range(size)), lambda size: size + 1)
    result = _run(_claim(domain, lambda i: "", lambda i: "x"), monkeypatch)
    assert result.status is Status.REJECTED
    assert "covers 4 of 5" in result.failure


def test_an_error_on_the_way_names_the_instance(monkeypatch):
    one = _claim(listed("numbers below {size}", range), lambda i: str(1 / (2 - i))[:0], str)
    result = _run(one, monkeypatch)
    assert result.status is Status.REJECTED
    assert (result.failure, result.counterexample) == ("ZeroDivisionError: division by zero", "2")


def test_up_to_sets_the_size(monkeypatch):
    domain = listed("numbers below {size}", range)
    one = _claim(domain, lambda i: "", lambda i: "x")
    assert _run(one, monkeypatch, up_to=7).cases == 7
    assert _run(one, monkeypatch).cases == 4


def test_progress_grows_to_one(monkeypatch):
    seen = []
    domain = listed("numbers below {size}", range)
    one = _claim(domain, lambda i: "", lambda i: "x", size=20, batch=3)
    _run(one, monkeypatch, progress=lambda share, name: seen.append((share, name)))
    shares = [share for share, _ in seen]
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert len(shares) == 7


def test_a_checkpoint_spares_finished_work(monkeypatch, tmp_path):
    calls = []
    domain = listed("numbers below {size}", range)
    one = _claim(domain, lambda i: calls.append(i) or "", lambda i: "x", size=10, batch=3)
    first = Checkpoint(tmp_path / "work.sqlite")
    before = _run(one, monkeypatch, checkpoint=first)
    first.close()
    assert calls == list(range(10))
    second = Checkpoint(tmp_path / "work.sqlite")
    after = _run(one, monkeypatch, checkpoint=second)
    second.close()
    assert calls == list(range(10))
    assert after == before


def test_a_file_that_is_no_database_is_refused(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("not a database, but long enough to look at" * 50)
    with pytest.raises(InputError, match="no usable checkpoint"):
        Checkpoint(path)


def test_processes_give_the_same_results():
    chosen = select_claims(["leakage.merging-outputs", "leakage.limits"])
    one = list(check_claims(chosen, up_to=3))
    two = list(check_claims(chosen, up_to=3, jobs=2))
    assert [(r.claim.id, r.cases, r.status) for r in one] == [
        (r.claim.id, r.cases, r.status) for r in two
    ]


def _finished_units(store):
    if not store.exists():
        return 0
    with closing(sqlite3.connect(store)) as connection:
        try:
            return connection.execute("select count(*) from unit").fetchone()[0]
        except sqlite3.OperationalError:
            return 0


@pytest.mark.slow
def test_a_killed_run_resumes(tmp_path):
    """kill -9 in the middle: the next run takes up the finished units and gets the same answer."""
    name, store, lines = "testing.output-limited", tmp_path / "work.sqlite", tmp_path / "out.jsonl"
    command = [sys.executable, "-m", "verify", "verify", name, "--quiet"]
    command += ["--checkpoint", str(store), "--lines", str(lines)]
    environment = {**os.environ, "PYTHONPATH": str(Path.cwd())}
    for wanted in (2, 4):
        process = subprocess.Popen(command, env=environment)
        while _finished_units(store) < wanted:
            assert process.poll() is None
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        process.wait()
    kept = _finished_units(store)
    assert not lines.read_text()
    assert subprocess.run(command, env=environment, check=False).returncode == 0
    assert _finished_units(store) > kept
    resumed = json.loads(lines.read_text())
    fresh = next(check_claims(select_claims([name]))).as_object()
    for key in ("id", "cases", "verdict", "counterexample"):
        assert resumed[key] == fresh[key]


@pytest.mark.slow
def test_a_dask_cluster_gives_the_same_results():
    distributed = pytest.importorskip("distributed")
    chosen = select_claims(["leakage.merging-outputs", "leakage.threshold"])
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, processes=True
    ) as cluster:
        found = list(check_claims(chosen, scheduler=cluster.scheduler_address))
    expected = list(check_claims(chosen))
    assert [(r.claim.id, r.cases, r.status) for r in found] == [
        (r.claim.id, r.cases, r.status) for r in expected
    ]


def test_an_identity_is_proved_or_refuted_at_the_smallest_point():
    x, y = sp.symbols("x y", positive=True)
    assert not flaw(Identity("square", (x + y) ** 2, x**2 + 2 * x * y + y**2))
    false = Identity("square", (x + y) ** 2, x**2 + y**2)
    assert flaw(false)
    assert counterexample(false) == "x = 1, y = 1: difference 2"


def test_an_inequality_needs_its_certificate():
    x, y = sp.symbols("x y", positive=True)
    assert not flaw(nonnegative("sum", x + 2 * x * y, positive=(x, y)))
    negative = nonnegative("difference", x - y, positive=(x, y))
    assert "coefficient" in flaw(negative)
    assert counterexample(negative) == "x = 1, y = 2: value -1"
    assert "does not add up" in flaw(Inequality("other", x, ((1, (y,)),), positive=(x, y)))
    assert "not nonnegative" in flaw(Inequality("free", x - y, ((1, (x - y,)),), positive=(x, y)))
    cheat = Inequality("cheat", -x, ((1, (x,)),), positive=(x,), multiplier=(sp.Integer(-1),))
    assert "multiplier" in flaw(cheat)


def test_a_true_inequality_without_a_proof_is_undecided(monkeypatch):
    x, y = sp.symbols("x y", positive=True)
    claimed = Inequality("square", (x - y) ** 2, ((1, (x,)),), positive=(x, y))
    check = Symbolic(lambda: (claimed,), lambda: (claimed,))
    one = Claim("testing.sample", "s", "source", "scope", "m", (check,))
    assert _run(one, monkeypatch).status is Status.UNDECIDED


def test_drawn_instances_shrink_and_repeat():
    from hypothesis import strategies as st

    numbers = st.integers(0, 10**6)
    first = draw(numbers, lambda n: "large" if n > 100 else "", examples=200, seed=3)
    assert first == draw(numbers, lambda n: "large" if n > 100 else "", examples=200, seed=3)
    assert first[1:] == ("large", "101")
    assert draw(numbers, lambda n: "", examples=50, seed=3)[0] == 50


def test_a_claim_by_chance_alone_is_refused():
    from hypothesis import strategies as st

    check = Randomised(st.integers, lambda i: "", lambda i: "x")
    with pytest.raises(ValueError, match="not randomised"):
        Claim("testing.sample", "s", "source", "scope", "m", (check,))


def test_claims_are_found_by_id_topic_and_pattern():
    assert select_claims(["leakage"]) == tuple(c for c in all_claims() if c.topic == "leakage")
    assert select_claims(["testing.spr-*"])[0].topic == "testing"
    assert select_claims([]) == all_claims()
    with pytest.raises(InputError, match="there is none"):
        select_claims(["nothing.like-it"])
    with pytest.raises(InputError, match="there is none"):
        claim("nothing")


def test_unions_add_up():
    two = union("both", listed("a", range), listed("b", lambda size: "xy"))
    assert [i for i, _ in two.orbits(3)] == [0, 1, 2, "x", "y"]
    assert two.total(3) == 5
    assert Fraction(two.total(3)) == 5
