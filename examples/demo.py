"""Certify the best private test of English against German; then catch a flawed mechanism.

Run by ``make demo``; an optional argument names the folder for the certificate (default ``out``).
"""

import json
import shlex
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parent
LETTERS = EXAMPLES / "letters-english-german.csv"
FLAWED = EXAMPLES / "subset-selection-flawed.json"


def exactdp(*words: object, expect: int) -> None:
    """Run one command, show it and its output, and stop unless it leaves with ``expect``."""
    command = ["exactdp", *map(str, words)]
    shown = [Path(word).name if "/" in word else word for word in command]
    print(f"$ {shlex.join(shown)}", flush=True)
    program = [sys.executable, "-m", "verify"]
    code = subprocess.run([*program, *command[1:]], check=False).returncode  # noqa: S603
    print(f"(exit code {code})\n", flush=True)
    if code != expect:
        sys.exit(f"the demo expected exit code {expect}")


def main() -> None:
    """Three commands and what they prove."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else EXAMPLES.parent / "out"
    folder.mkdir(parents=True, exist_ok=True)
    certificate = folder / "letters.certificate.json"

    print("1. The best 1-LDP mechanism for telling English from German by one letter.\n")
    problem = ("--weights", "--epsilon", 1, "--divergence", "kl")
    exactdp("certify", "testing", LETTERS, *problem, "--certificate", certificate, expect=0)

    print("2. The certificate again, by the kernel alone: no solver is imported.\n")
    exactdp("check", certificate, expect=0)

    print("3. A published subset selection, meant to have e^epsilon = 3.\n")
    exactdp("certify", "channel", FLAWED, "--epsilon", "log(3)", expect=1)

    claim = json.loads(certificate.read_text(encoding="ascii"))["claim"]
    print(
        f"""What was proved:
- the mechanism of step 1 is 1-LDP, and no 1-LDP mechanism on these {len(claim["p0"])} letters, with
  any number of outputs, has a Kullback-Leibler divergence above the upper end of the enclosure; the
  mechanism reaches its lower end;
- the kernel (standard library only, exact arithmetic) accepts this from the certificate alone;
- the channel of step 3 is not log(3)-LDP: the witness shows a ratio of exactly 5.
The certificate is {certificate.name} in the folder {folder.name}."""
    )


if __name__ == "__main__":
    main()
