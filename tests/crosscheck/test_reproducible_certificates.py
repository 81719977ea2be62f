"""The same input gives the same bytes: in any process, on any processor, under any Python.

What differs between machines is imitated: the seed of hashes, the locale, the time zone, the number
of threads, and the vector units that NumPy, the C library and the compiler may use. Rounding noise
in the linear programs stands for other builds of their solver.
"""

import glob
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from solvers.testing import margin_program, solve_testing
from solvers.testing.dual_program import DualProgram
from tests.support.certificate_corpus import commands
from verify.canonical_form import encode
from verify.certify import check
from verify.kernel.certificate import decode

ROOT = Path(__file__).parents[2]
FIRST = {"PYTHONHASHSEED": "1", "OPENBLAS_NUM_THREADS": "2", "LC_ALL": "C.UTF-8", "TZ": "UTC"}
OTHER = {
    "PYTHONHASHSEED": "4242",
    "OPENBLAS_NUM_THREADS": "1",
    "LC_ALL": "C",
    "TZ": "Asia/Kolkata",
    "NPY_DISABLE_CPU_FEATURES": "AVX512_ICL AVX512_SPR X86_V4 X86_V3 AVX512_SKX AVX512F AVX2 FMA3",
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX2_Usable,-FMA_Usable",
    "OPENBLAS_CORETYPE": "Nehalem",
    "NUMBA_CPU_NAME": "generic",
    "HOSTNAME": "elsewhere",
}


def corpus(folder: Path, settings: dict[str, str], *words: str, program=sys.executable):
    """The bytes of all certificates that a process of its own makes, by their places."""
    if "NUMBA_CPU_NAME" in settings:
        settings = settings | {"NUMBA_CACHE_DIR": str(folder.with_suffix(".numba"))}
    done = subprocess.run(
        [str(program), "-m", "tests.support.certificate_corpus", str(folder), *words],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)} | settings,
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr
    places = [*folder.glob("*.cert"), *folder.glob("*.cover/*")]
    return {str(place.relative_to(folder)): place.read_bytes() for place in places}


def different(first: dict[str, bytes], second: dict[str, bytes]) -> list[str]:
    assert first.keys() == second.keys()
    return [name for name in first if first[name] != second[name]]


def test_two_machines(tmp_path) -> None:
    first, second = (corpus(tmp_path / n, s) for n, s in (("a", FIRST), ("b", OTHER)))
    assert {name.split(".")[0] for name in first} >= set(commands(everything=False))
    assert different(first, second) == []
    for name, content in first.items():
        assert content == encode(decode(content)), name
        assert check(content).is_accepted, name
        assert str(tmp_path).encode() not in content
        assert not re.search(rb"\b20[0-9]{2}-[01][0-9]-[0-3][0-9]", content), name


@pytest.mark.slow
def test_two_machines_and_all_divergences(tmp_path) -> None:
    first, second = (corpus(tmp_path / n, s, "all") for n, s in (("a", FIRST), ("b", OTHER)))
    assert different(first, second) == []


def _others() -> list[Path]:
    """Interpreters with the packages installed, named by EXACTDP_PYTHONS, a pattern of paths."""
    pattern = os.environ.get("EXACTDP_PYTHONS", "")
    return sorted(Path(place) for place in glob.glob(pattern))  # noqa: PTH207 - may be absolute


@pytest.mark.slow
def test_other_interpreters(tmp_path) -> None:
    """EXACTDP_PYTHONS='/somewhere/venv-*/bin/python' names those to compare with this one."""
    others = _others()
    if not others:
        pytest.skip("EXACTDP_PYTHONS names no other interpreter with the packages installed")
    here = corpus(tmp_path / "here", FIRST, "all")
    for number, program in enumerate(others):
        there = corpus(tmp_path / str(number), OTHER, "all", program=program)
        assert different(here, there) == [], program


def _laws(kind: str, k: int) -> tuple[list[str], list[str]]:
    first = [2**x if kind == "geometric" else x + 1 for x in range(k)]
    total = sum(first)
    masses = [f"{weight}/{total}" for weight in first]
    return masses, masses[::-1]


def _noisy(monkeypatch, seed: int, ulps: float) -> None:
    """Let the linear programs be off by a few units in the last place."""
    noise, add = np.random.default_rng(seed), DualProgram._add

    def shaken(value):
        factor = 1 + 2.0**-52 * noise.uniform(-ulps, ulps, np.shape(value))
        return np.where(np.isfinite(value), value * factor, value)

    def noisy_add(self, row, low, high, columns, values) -> None:
        ends = (float(shaken(low)), float(shaken(high)))
        add(self, row, *ends, columns, shaken(values))

    class NoisyHighs(margin_program.Highs):
        def addRow(self, low, high, count, columns, values):  # noqa: N802 - as in HiGHS
            ends = (float(shaken(low)), float(shaken(high)))
            return super().addRow(*ends, count, columns, shaken(values))

    monkeypatch.setattr(DualProgram, "_add", noisy_add)
    monkeypatch.setattr(margin_program, "Highs", NoisyHighs)


def _unmoved_by_noise(monkeypatch, divergences, levels, sizes) -> None:
    problems = [
        (*_laws(kind, k), level, divergence, outputs)
        for kind in ("geometric", "linear")
        for k in sizes
        for level in levels
        for divergence in divergences
        for outputs in (None, 3)
    ]
    first = [encode(solve_testing(*problem).certificate) for problem in problems]
    for seed, ulps in ((1, 2.0), (2, 100.0)):
        with monkeypatch.context() as patch:
            _noisy(patch, seed, ulps)
            for problem, content in zip(problems, first, strict=True):
                assert encode(solve_testing(*problem).certificate) == content, problem


def test_symmetric_problems_have_one_certificate(monkeypatch) -> None:
    """Their programs have many optima; without a rule, noise decides between them."""
    _unmoved_by_noise(monkeypatch, ("kl", "hellinger", "chi2"), ("1",), (6,))


@pytest.mark.slow
def test_many_symmetric_problems_have_one_certificate(monkeypatch) -> None:
    names = ("kl", "reverse-kl", "js", "chi2", "lecam", "hellinger", "alpha:1/3", "renyi:2")
    _unmoved_by_noise(monkeypatch, names, ("log(3)", "1/10", "3"), (4, 7, 15))
