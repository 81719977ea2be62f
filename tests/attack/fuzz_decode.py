"""Coverage-guided fuzzing of the kernel: `python -m tests.attack.fuzz_decode 60` (atheris).

Every input must be decoded and checked, or refused with one of the kernel's own errors; what is
decoded must survive encoding; what is accepted must be true, as the oracle judges. A crash is
written to the current directory, as is libFuzzer's custom.
"""

import hashlib
import importlib.util
import json
import os
import random
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parent.parent / "corpus"
KEPT = ROOT / "fuzz"
MAX_FILES = 200
MAX_LENGTH = 3_000
WORDS = (
    '"format": "exactdp-certificate"', '"version": 1', '"kind": "', '"claim": {', '"witness": {',
    '"provenance": {}', "testing", "channel", "design", "leakage", "coupling", "estimation",
    "contraction", '"exp_epsilon": "', '"nats": "', '"knots": ["0", "1"]', "NaN", "Infinity",
    "null", "true", "-0", '"1/2"', "renyi:", "alpha:", "e-gamma:", "\\u0000", "\\ud800", "1e9",
    '"Hadamard matrix"', '"difference set"', '"block design"', '"pairwise balanced design"',
    '"tail": {"block": 1, "scale": "1"}', '"multiple": "1"', "at-most", "[[", "]]", "}}", "10000",
)  # fmt: skip


def check_input(data):
    """One input: an answer, or one of the kernel's errors; the answer, and whether it is true."""
    from tests.attack.campaign import judged
    from verify.canonical_form import encode
    from verify.kernel.certificate import decode
    from verify.kernel.errors import InputError, LimitError

    answer, why = judged(data)
    if answer in ("crashed", "false"):
        raise RuntimeError(f"{answer}: {why}")
    try:
        certificate = decode(data)
    except InputError:
        return answer
    try:
        again = encode(certificate)
    except LimitError:  # nested too deeply to be written
        return answer
    if decode(again) != certificate:
        raise RuntimeError("encoding and decoding change the certificate")
    return answer


def seeds(folder):
    """Write the starting corpus: the kept inputs and the small files of the hand-made corpus."""
    files = [*KEPT.glob("*"), *ROOT.glob("*/*.json")]
    for i, path in enumerate(files):
        data = path.read_bytes()
        if len(data) <= MAX_LENGTH:
            (folder / str(i)).write_bytes(data)


def steps_of(data):
    """The steps from line to line that the kernel takes for an input."""
    seen, kernel = set(), f"verify{os.sep}kernel{os.sep}"

    def trace(frame, event, _):
        code = frame.f_code
        if event == "call" and kernel not in code.co_filename:
            return None
        last[0], before = (code.co_filename, frame.f_lineno), last[0]
        seen.add((before, last[0]))
        return trace

    last = [None]
    sys.settrace(trace)
    try:
        check_input(data)
    finally:
        sys.settrace(None)
    return seen


def keep(folder):
    """Put the inputs that show steps no smaller one shows into the project's corpus."""
    KEPT.mkdir(exist_ok=True)
    files = [path.read_bytes() for path in (*folder.iterdir(), *KEPT.iterdir())]
    for path in KEPT.iterdir():
        path.unlink()
    known, kept = set(), 0
    for data in sorted(set(files), key=lambda data: (len(data), data)):
        steps = steps_of(data)
        if steps <= known or kept == MAX_FILES:
            continue
        known |= steps
        kept += 1
        (KEPT / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)


def fuzz(seconds, *, keeping):
    """Fuzz for so many seconds; with ``keeping`` minimise the corpus into the project's."""
    import subprocess

    with TemporaryDirectory() as name:
        corpus, words = Path(name) / "corpus", Path(name) / "words"
        corpus.mkdir()
        seeds(corpus)
        escaped = (word.replace("\\", "\\\\").replace('"', '\\"') for word in WORDS)
        words.write_text("".join(f'"{word}"\n' for word in escaped), encoding="ascii")
        limits = [f"-max_len={MAX_LENGTH}", "-timeout=20", "-rss_limit_mb=2048"]
        target = [sys.executable, "-m", "tests.attack.fuzz_decode", "--target", *limits]
        run = [*target, f"-max_total_time={seconds}", f"-dict={words}", "-print_final_stats=1"]
        found = subprocess.run([*run, str(corpus)], check=False).returncode
        if keeping and found == 0:
            keep(corpus)
    return found


def forged(data, max_size, seed):
    """A well-formed input with one forgery of the campaign; else one of libFuzzer's own changes."""
    import atheris

    from tests.attack.campaign import forgeries_of, kernel_answer
    from verify.kernel.errors import InputError

    rng = random.Random(seed)
    if rng.random() < 0.5:
        return atheris.Mutate(data, max_size)
    try:
        kernel_answer(data)
    except InputError:
        return atheris.Mutate(data, max_size)
    content = json.loads(data)
    classes = forgeries_of(content["kind"])
    try:
        changed = classes[rng.choice(list(classes))](rng, content, content)
    except (
        ValueError,
        LookupError,
        ArithmeticError,
        AttributeError,
        TypeError,
    ):  # a claim of odd shape
        return atheris.Mutate(data, max_size)
    text = changed if isinstance(changed, str | bytes) else json.dumps(changed)
    result = text.encode() if isinstance(text, str) else text
    return result if len(result) <= max_size else atheris.Mutate(data, max_size)


def target(arguments):
    """Run libFuzzer with these arguments in this process."""
    import atheris

    with atheris.instrument_imports(include=["verify.kernel"]):
        import verify.kernel.certificate  # noqa: F401
    import tests.attack.campaign  # noqa: F401

    atheris.Setup(arguments, check_input, custom_mutator=forged)
    atheris.Fuzz()


def main(arguments):
    """The exit code."""
    if arguments[:1] == ["--target"]:
        target(["fuzz_decode", *arguments[1:]])
        return 0
    if importlib.util.find_spec("atheris") is None:
        print("atheris is not installed: pip install 'exactdp[fuzz]' (Linux)", file=sys.stderr)
        return 2
    seconds = next((int(word) for word in arguments if word.isdigit()), 60)
    return fuzz(seconds, keeping="--keep" in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
