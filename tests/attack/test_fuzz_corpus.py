"""What fuzzing has found is answered again: a verdict or one of the kernel's errors, never else."""

import importlib.util

from tests.attack.campaign import judged
from tests.attack.fuzz_decode import KEPT, MAX_FILES, MAX_LENGTH, check_input, keep, main, steps_of


def test_every_kept_input_is_answered():
    files = sorted(KEPT.iterdir())
    assert 50 <= len(files) <= MAX_FILES
    answers = {check_input(path.read_bytes()) for path in files}
    assert answers >= {"malformed", "REJECTED", "true"}
    assert all(path.stat().st_size <= MAX_LENGTH for path in files)


def test_accepted_inputs_of_the_corpus_are_true():
    for path in sorted(KEPT.iterdir()):
        answer, why = judged(path.read_bytes())
        assert answer not in ("false", "crashed"), (path.name, why)


def test_the_smallest_input_with_new_steps_is_kept(tmp_path, monkeypatch):
    monkeypatch.setattr("tests.attack.fuzz_decode.KEPT", tmp_path / "kept")
    (tmp_path / "found").mkdir()
    for name, data in (("a", b"{}"), ("b", b"{ }"), ("c", b"[1]"), ("d", b"\xff")):
        (tmp_path / "found" / name).write_bytes(data)
    keep(tmp_path / "found")
    kept = {path.read_bytes() for path in (tmp_path / "kept").iterdir()}
    assert b"{}" in kept
    assert b"{ }" not in kept
    assert steps_of(b"{}")


def test_without_atheris_the_command_says_so(monkeypatch, capsys):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert main(["1"]) == 2
    assert "exactdp[fuzz]" in capsys.readouterr().err
