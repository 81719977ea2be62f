"""The scripts in ``examples`` do what they say."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_private_testing_figures(tmp_path):
    script = ROOT / "examples" / "private_testing_figures.py"
    done = subprocess.run(
        [sys.executable, str(script), str(tmp_path), "2"],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    rows = [line.split() for line in done.stdout.splitlines()[2:8]]
    assert all(cases == equal == "14" and difference == "0" for _, cases, equal, difference in rows)
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"utility-kl.png", "utility-chernoff.png", "joint-range.png"}
