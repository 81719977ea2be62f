"""Write the corpus of certificates: `python -m tests.corpus.generate`.

Each file stands in the folder of its expected verdict: `accept`, `reject` (well formed, but false
or not proved) or `malformed` (refused before any verdict). Solved problems give the accepted files
and the material for the deliberate corruptions.

A file that stands keeps its bytes: certificates that earlier versions wrote stay readable. To make
one anew, remove it first.
"""

import copy
import json
from fractions import Fraction
from itertools import chain
from pathlib import Path

from solvers.leakage.contraction import dobrushin_coefficient
from solvers.leakage.worst_leakage import worst_exp_leakage
from tests.corpus import mixtures, other_kinds
from tests.corpus.solved_problems import (
    EXTREME,
    SPARSE,
    TIED,
    TILTED,
    put,
    shifted,
    solved,
)
from tests.support.oracle import response
from verify.canonical_form import encode
from verify.kernel.certificate import Certificate
from verify.kernel.channel import Channel
from verify.kernel.ldp import largest_column_ratio

ROOT = Path(__file__).parent
VERDICTS = ("accept", "reject", "malformed")


def described(rows, level, cs=()):
    """The content of the certificate of a channel."""
    channel = Channel(tuple(map(tuple, rows)))
    claim = {
        "rows": [list(map(str, row)) for row in channel.rows],
        "level": level,
        "exp_epsilon": str(largest_column_ratio(channel).exp_epsilon),
        "dobrushin_coefficient": str(dobrushin_coefficient(channel)),
        "leakage": [[str(c), str(worst_exp_leakage(channel, Fraction(c)))] for c in cs],
    }
    return json.loads(encode(Certificate("channel", claim, {})))


TERNARY = response([[0], [1], [2]], 3, Fraction(3))


def accepted():
    """File name to content of certificates that the kernel accepts."""
    yield "tv-log3", solved(TILTED, "log(3)", "tv")
    yield "kl-one-nat", solved(TILTED, "1", "kl")
    yield "kl-two-outputs", solved(TILTED, "log(20)", "kl", 2)
    yield "reverse-kl-half-nat", solved(TILTED, "0.5", "reverse-kl")
    yield "js-log20", solved(TILTED, "log(20)", "js")
    yield "hellinger-three-outputs", solved(TILTED, "5", "hellinger", 3)
    yield "chi2-log20-three-outputs", solved(TILTED, "log(20)", "chi2", 3)
    yield "chi2-log1000", solved(TILTED, "log(1000)", "chi2")
    yield "reverse-chi2-log5", solved(TILTED, "log(5)", "reverse-chi2")
    yield "lecam-log2", solved(TILTED, "log(2)", "lecam")
    yield "e-gamma-above", solved(TILTED, "log(3)", "e-gamma:5/4")
    yield "e-gamma-below", solved(TILTED, "log(3)", "e-gamma:1/2")
    yield "e-gamma-nothing", solved(TILTED, "log(3)", "e-gamma:50")
    yield "alpha-negative-order", solved(TILTED, "log(20)", "alpha:-3/2")
    yield "alpha-cube", solved(TILTED, "log(20)", "alpha:3")
    yield "renyi-half", solved(TILTED, "1", "renyi:1/2")
    yield "renyi-one", solved(TILTED, "log(3)", "renyi:1")
    yield "renyi-three-two-outputs", solved(TILTED, "log(20)", "renyi:3", 2)
    yield "zeros-and-a-null-symbol", solved(SPARSE, "log(7)", "kl")
    yield "tied-ratios", solved(TIED, "log(4)", "chi2")
    yield "extreme-masses", solved(EXTREME, "2", "kl")
    yield "perfect-privacy", solved(TILTED, "log(1)", "kl")
    yield "one-symbol", solved((["1"], ["1"]), "1", "js")
    yield "one-output", solved(TILTED, "1", "kl", 1)
    yield "disjoint-supports", solved((["1", "0"], ["0", "1"]), "1", "hellinger")
    weak = put(solved(TILTED, "log(3)", "chi2"), "claim.upper", "1")
    yield "weaker-claim", put(weak, "claim.lower", "-1")
    yield (
        "provenance-ignored",
        put(
            solved(TILTED, "log(3)", "tv"),
            "provenance",
            {"verdict": "REJECTED", "nested": [{"deep": [None, True, "x"]}]},
        ),
    )
    yield "channel-ternary", described(TERNARY, {"exp_epsilon": "3"}, ("1/10", "1/3"))
    yield "channel-nats", described(TERNARY, {"nats": "11/10"})
    yield "channel-one-input", described((("1/2", "1/2"),), {"exp_epsilon": "1"}, ("1",))
    yield "channel-useless-output", described((("1", "0"), ("1", "0")), {"nats": "0"})


def rejected_powers():
    """Certificates of power and Renyi divergences that prove nothing."""
    chi2 = solved(TILTED, "log(20)", "chi2")
    renyi = solved(TILTED, "1", "renyi:1/2")
    below = shifted(renyi["claim"]["upper"], f"-1/{10**50}")
    yield "renyi-below-the-optimum", put(renyi, "claim.upper", below)
    yield "renyi-of-another-order", put(renyi, "claim.divergence", "renyi:2/3")
    yield "renyi-claimed-for-its-power", put(renyi, "claim.divergence", "alpha:1/2")
    yield "renyi-bound-beyond-all-laws", put(renyi, "witness.multipliers", ["10"] * 5)
    yield "power-claimed-for-renyi", put(chi2, "claim.divergence", "renyi:2")


def rejected():
    """File name to content of well-formed certificates that prove nothing."""
    tv, kl = solved(TILTED, "log(3)", "tv"), solved(TILTED, "1", "kl")
    chi2 = solved(TILTED, "log(20)", "chi2")
    few = solved(TILTED, "log(20)", "chi2", 2)
    first, upper = chi2["witness"]["multipliers"][0], chi2["claim"]["upper"]
    yield "multiplier-lowered", put(chi2, "witness.multipliers.0", shifted(first, "-1/1000000"))
    yield "multiplier-raised", put(chi2, "witness.multipliers.0", shifted(first, "1/1000000"))
    yield (
        "multipliers-swapped",
        put(chi2, "witness.multipliers", chi2["witness"]["multipliers"][::-1]),
    )
    yield "multipliers-zero", put(chi2, "witness.multipliers", ["0"] * 5)
    yield "multipliers-negative", put(chi2, "witness.multipliers", ["-1"] * 5)
    yield "upper-below-the-optimum", put(chi2, "claim.upper", shifted(upper, f"-1/{10**50}"))
    yield "lower-above-the-optimum", put(chi2, "claim.lower", shifted(upper, f"1/{10**50}"))
    yield "bounds-crossed", put(put(kl, "claim.lower", "1"), "claim.upper", "1/2")
    yield "divergence-kl-for-chi2", put(chi2, "claim.divergence", "reverse-chi2")
    yield "divergence-tv-for-hellinger", put(tv, "claim.divergence", "hellinger")
    yield (
        "laws-exchanged",
        put(put(chi2, "claim.p0", chi2["claim"]["p1"]), "claim.p1", chi2["claim"]["p0"]),
    )
    modest = put(chi2, "claim.lower", "0")
    yield "upper-for-another-divergence", put(modest, "claim.divergence", "reverse-chi2")
    yield (
        "upper-for-exchanged-laws",
        put(put(modest, "claim.p0", chi2["claim"]["p1"]), "claim.p1", chi2["claim"]["p0"]),
    )
    yield (
        "upper-for-a-lower-level",
        put(put(modest, "claim.level", {"exp_epsilon": "21"}), "witness.exp_epsilon.1", "21"),
    )
    yield (
        "upper-for-few-outputs",
        put(put(few, "claim.outputs", None), "witness.output_multiplier", "0"),
    )
    yield "blocks-swapped", put(chi2, "witness.blocks", swapped(chi2["witness"]["blocks"]))
    yield "blocks-merged", put(chi2, "witness.blocks", [[0, 1, 2, 3, 4]])
    yield "blocks-split", put(tv, "witness.blocks", [[x] for x in range(5)])
    yield "too-few-outputs-claimed", put(chi2, "claim.outputs", 2)
    yield "output-limit-dropped", put(few, "claim.outputs", None)
    yield "output-multiplier-zero", put(few, "witness.output_multiplier", "0")
    yield "output-multiplier-negative", put(few, "witness.output_multiplier", "-1")
    yield "output-multiplier-without-limit", put(chi2, "witness.output_multiplier", "1/1000")
    yield "level-higher-than-proved", put(chi2, "claim.level", {"exp_epsilon": "21"})
    yield "level-lower-than-deployed", put(chi2, "claim.level", {"exp_epsilon": "19"})
    yield "exponential-not-enclosed", put(kl, "witness.exp_epsilon", ["2", "5/2"])
    yield "exponentials-below-one", put(kl, "witness.exp_epsilon", ["1/2", "3/4"])
    yield "exponential-below-one", put(kl, "witness.exp_epsilon.0", "1/2")
    yield "mechanism-less-private", put(kl, "witness.exp_epsilon.0", "3")
    yield (
        "null-symbol-with-multiplier",
        put(solved(SPARSE, "log(7)", "chi2"), "witness.multipliers.4", "1/100"),
    )
    yield "separators-removed", put(wide(), "witness.separators", [])
    knotted = put(tv, "witness.multipliers", ["0", "1", "1", "0"])
    yield "knots-not-rising", put(knotted, "witness.knots", ["0", "1/2", "1/2", "1"])
    yield "knots-not-up-to-one", put(knotted, "witness.knots", ["0", "1/3", "1/2", "2/3"])
    ternary = described(TERNARY, {"exp_epsilon": "3"}, ("1/10",))
    yield "channel-level-too-low", put(ternary, "claim.level", {"exp_epsilon": "2999/1000"})
    yield "channel-nats-too-low", put(ternary, "claim.level", {"nats": "1"})
    yield "channel-ratio-wrong", put(ternary, "claim.exp_epsilon", "2")
    yield "channel-contraction-wrong", put(ternary, "claim.dobrushin_coefficient", "1/2")
    yield "channel-leakage-wrong", put(ternary, "claim.leakage.0.1", "2")
    yield "channel-not-private", described((("1", "0"), ("0", "1")), {"exp_epsilon": "1000"})
    flawed = response([[0], [1], [2], [3]], 4, Fraction(5))
    yield "channel-claimed-three-truth-five", described(flawed, {"exp_epsilon": "3"})


def swapped(blocks):
    """The partition with the first symbols of its first and last block exchanged."""
    blocks = copy.deepcopy(blocks)
    blocks[0][0], blocks[-1][0] = blocks[-1][0], blocks[0][0]
    return blocks


def wide():
    """A problem on 16 symbols, more than may be undecided between two separators."""
    rising = [f"{x}/136" for x in range(1, 17)]
    return solved((rising, rising[::-1]), "log(20)", "kl")


def malformed():
    """File name to text (or content) of files that are refused."""
    yield from malformed_files()
    yield from malformed_fields()


def malformed_files():
    """Files that are not the one JSON object of the format, spelled as it must be."""
    kl = solved(TILTED, "1", "kl")
    text = encode_content(kl)
    yield "empty", ""
    yield "not-json", "certificate\n"
    yield "a-list", "[]\n"
    yield "truncated", text[: len(text) // 2]
    yield "cut-before-the-last-brace", text.rstrip()[:-1]
    yield "two-certificates", text + text
    yield "trailing-comma", text.rstrip()[:-2] + ",\n}\n"
    yield "duplicate-key", text.replace('"format":', '"kind": "testing",\n "format":', 1)
    yield "duplicate-key-in-claim", text.replace('"lower":', '"lower": "0",\n  "lower":', 1)
    yield "nan", put_raw(kl, "claim.lower", "NaN")
    yield "infinity", put_raw(kl, "claim.upper", "Infinity")
    yield "float", put_raw(kl, "claim.lower", "0.125")
    yield "float-exponent", put_raw(kl, "claim.lower", "1e999999999")
    yield "huge-integer", put_raw(kl, "witness.bits", "9" * 5000)
    yield "huge-number-in-text", put(kl, "claim.upper", "9" * 5000)
    yield "huge-exponent-in-text", put(kl, "claim.upper", "1e999999999")
    yield "unicode-digits", put(kl, "claim.lower", "١/٢")
    yield "decimal-text", put(kl, "claim.lower", "0.1")
    yield "not-lowest-terms", put(kl, "claim.lower", "2/20")
    yield "minus-zero", put(kl, "claim.lower", "-0")
    yield "zero-denominator", put(kl, "claim.lower", "1/0")
    yield "integer-for-text", put(kl, "claim.lower", 0)
    yield "deep-nesting", put_raw(kl, "provenance", "[" * 20_000 + "]" * 20_000)
    yield "deep-objects", put_raw(kl, "provenance", '{"a":' * 20_000 + "1" + "}" * 20_000)


def malformed_fields():
    """Files with a field that is missing, unknown or out of its range."""
    tv, kl = solved(TILTED, "log(3)", "tv"), solved(TILTED, "1", "kl")
    channel = described(TERNARY, {"exp_epsilon": "3"}, ("1/10",))
    yield "unknown-key", put(kl, "claim.prior", "1/2")
    yield "unknown-key-outside", put(kl, "comment", "trust me")
    yield "missing-key", put(kl, "witness.bits", ...)
    yield "missing-claim", put(kl, "claim", ...)
    yield "wrong-format", put(kl, "format", "certificate")
    yield "wrong-version", put(kl, "version", 2)
    yield "version-text", put(kl, "version", "1")
    yield "version-true", put(kl, "version", True)
    yield "unknown-kind", put(kl, "kind", "proof")
    yield "kind-of-the-other", put(kl, "kind", "channel")
    yield "unknown-divergence", put(kl, "claim.divergence", "wasserstein")
    yield "divergence-not-canonical", put(kl, "claim.divergence", "e-gamma:10/8")
    yield "renyi-of-order-zero", put(kl, "claim.divergence", "renyi:0")
    yield "renyi-not-canonical", put(kl, "claim.divergence", "renyi:2/4")
    yield "alpha-of-no-order", put(kl, "claim.divergence", "alpha:")
    yield "mass-negative", put(put(tv, "claim.p0.0", "-1/10"), "claim.p0.1", "2/5")
    yield "mass-missing", put(kl, "claim.p0.0", ...)
    yield "mass-sum", put(kl, "claim.p0.0", "1/11")
    yield "outputs-zero", put(kl, "claim.outputs", 0)
    yield "outputs-true", put(kl, "claim.outputs", True)
    yield "precision-too-high", put(kl, "witness.bits", 10**6)
    yield "block-missing-a-symbol", put(kl, "witness.blocks.0.0", ...)
    yield "block-empty", put(kl, "witness.blocks", [[0, 1, 2, 3, 4], []])
    yield "block-of-text", put(kl, "witness.blocks.0.0", "0")
    yield "multiplier-missing", put(kl, "witness.multipliers.0", ...)
    yield "level-twice", put(kl, "claim.level", {"nats": "1", "exp_epsilon": "3"})
    yield "level-negative", put(kl, "claim.level", {"nats": "-1"})
    yield "level-beyond-the-limit", put(kl, "claim.level", {"nats": "1000000"})
    yield "row-sum", put(channel, "claim.rows.0.0", "3/4")
    yield "rows-ragged", put(channel, "claim.rows.0", ["1"])
    yield "rows-transposed", put(channel, "claim.rows", [["3/4", "3/4"], ["1/4", "1/4"]])
    yield "leakage-beyond-the-priors", put(channel, "claim.leakage.0.0", "1/2")


def put_raw(content, path, raw):
    """The text of a file with raw text in one place."""
    return encode_content(put(content, path, "@@")).replace('"@@"', raw)


def encode_content(content):
    """The text of a file with this content."""
    return json.dumps(content, indent=1, sort_keys=True) + "\n"


def files():
    """(verdict, name, text) of every file."""
    groups = (
        (accepted, mixtures.accepted, other_kinds.accepted),
        (rejected, rejected_powers, mixtures.rejected, *other_kinds.REJECTED),
        (malformed, mixtures.malformed, *other_kinds.MALFORMED),
    )
    for verdict, group in zip(VERDICTS, groups, strict=True):
        for name, content in chain.from_iterable(part() for part in group):
            text = content if isinstance(content, str) else encode_content(content)
            yield verdict, name, text


def write_corpus(root=ROOT):
    """Write the files that are missing, and remove those that are no longer made."""
    made = {root / verdict / f"{name}.json": text for verdict, name, text in files()}
    for verdict in VERDICTS:
        (root / verdict).mkdir(exist_ok=True)
        for path in set((root / verdict).glob("*.json")) - made.keys():
            path.unlink()
    for path, text in made.items():
        if not path.exists():
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_corpus()
