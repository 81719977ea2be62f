"""Whether a file has the form of the format page, read without the kernel's code."""

import json
import re
from fractions import Fraction

CANONICAL = re.compile(r"0|-?[1-9][0-9]*(?:/[1-9][0-9]*)?", re.ASCII)
KEYS = {
    "channel": ("rows level exp_epsilon dobrushin_coefficient leakage", ""),
    "testing": (
        "p0 p1 level divergence outputs lower upper",
        "exp_epsilon blocks multipliers output_multiplier separators bits",
    ),
    "estimation": (
        "v b r lambda level exp_epsilon n_risk optimum block_sizes optimal_block_sizes",
        "points base_blocks generators exp_epsilon",
    ),
    "leakage": ("inputs c level lower upper", "rows pair exp_leakage multipliers"),
    "contraction": ("rows e_gamma", ""),
    "coupling": ("epsilon total shared_rate levels tail", "shared_shift shifts"),
    "block design": ("object v k lambda t", "base_blocks generators"),
    "pairwise balanced design": ("object v r lambda", "base_blocks generators"),
    "difference set": ("object group k lambda", "elements"),
    "Hadamard matrix": ("object order", "rows"),
}
RATIONAL = {
    "p0", "p1", "lower", "upper", "exp_epsilon", "multipliers", "output_multiplier",
    "separators", "knots", "rows", "e_gamma", "leakage", "dobrushin_coefficient", "c",
    "exp_leakage", "n_risk", "optimum", "total", "shared_rate", "shared_shift", "shifts",
    "rate", "delta", "crossover", "scale", "nats", "multiple",
}  # fmt: skip
INTEGER = {
    "bits", "outputs", "blocks", "v", "b", "r", "k", "t", "lambda", "points", "base_blocks",
    "generators", "block_sizes", "order", "elements", "optimal_block_sizes", "inputs", "pair",
    "group", "sign", "block",
}  # fmt: skip


class FormError(Exception):
    """The file has not the form of the format page."""


def _object(pairs):
    if len({key for key, _ in pairs}) != len(pairs):
        raise FormError("a key stands twice")
    return dict(pairs)


def _no(text):
    raise FormError(text)


def read(data):
    """The content of a file of the right form; FormError, ValueError or RecursionError if not."""
    text = data.decode("utf-8") if isinstance(data, bytes) else data
    content = json.loads(text, object_pairs_hook=_object, parse_float=_no, parse_constant=_no)
    outside = {"format", "version", "kind", "claim", "witness", "provenance"}
    if not isinstance(content, dict) or set(content) != outside:
        raise FormError("the keys of the file")
    if content["format"] != "exactdp-certificate" or repr(content["version"]) != "1":
        raise FormError("format or version")
    kind, claim, witness = content["kind"], content["claim"], content["witness"]
    if not all(isinstance(content[key], dict) for key in ("claim", "witness", "provenance")):
        raise FormError("a part is no object")
    expected = KEYS[claim.get("object") if kind == "design" else kind]
    for part, keys in zip((claim, witness), expected, strict=True):
        optional = {"knots"} if kind == "testing" and part is witness else set()
        if set(part) - optional != set(keys.split()):
            raise FormError("the keys of claim or witness")
    signs = claim.get("object") == "Hadamard matrix"
    for key, value in (*claim.items(), *witness.items()):
        if not (signs and key == "rows"):
            _require_numbers(key, value)
    return content


def _require_numbers(key, value):
    """Every number under the key is spelled as its key demands."""
    if isinstance(value, list):
        for item in value:
            _require_numbers(key, item)
    elif isinstance(value, dict):
        for name, item in value.items():
            _require_numbers(name, item)
    elif key in RATIONAL:
        good = isinstance(value, str) and CANONICAL.fullmatch(value)
        if not good or str(Fraction(value)) != value:
            raise FormError(f"{key}: {value!r:.40} is not canonical")
    elif key in INTEGER and type(value) is not int and (key, value) != ("outputs", None):
        raise FormError(f"{key}: {value!r:.40} is no integer")
