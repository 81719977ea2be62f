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
DIVERGENCES = {"tv", "kl", "reverse-kl", "js", "chi2", "reverse-chi2", "hellinger", "lecam"}
FAMILIES = {"e-gamma": 0, "alpha": None, "renyi": 0}
"""Families of divergences with what the parameter must be above."""
MOST_TERMS = 16
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
    if kind == "testing":
        _require_divergence(claim["divergence"])
    signs = claim.get("object") == "Hadamard matrix"
    for key, value in (*claim.items(), *witness.items()):
        if not (signs and key == "rows"):
            _require_numbers(key, value)
    return content


def _is_canonical(text):
    return bool(CANONICAL.fullmatch(text)) and str(Fraction(text)) == text


def _is_single(name):
    family, colon, number = name.partition(":")
    if not colon:
        return name in DIVERGENCES
    known = family in FAMILIES and _is_canonical(number)
    return known and (FAMILIES[family] is None or Fraction(number) > FAMILIES[family])


def _require_divergence(name):
    """The divergence is one of the format, or a mixture of up to 16 in the order of their text."""
    if not isinstance(name, str):
        raise FormError("the divergence is no text")
    terms, good = name.split("+"), _is_single(name)
    if "*" in name:
        weights, parts = zip(*(term.partition("*")[::2] for term in terms), strict=True)
        good = len(terms) <= MOST_TERMS and terms == sorted(terms)
        good = good and all(_is_canonical(weight) and Fraction(weight) > 0 for weight in weights)
        good = good and all(_is_single(part) and part[:5] != "renyi" for part in parts)
    if not good:
        raise FormError(f"the divergence {name!r:.60}")


def _require_numbers(key, value):
    """Every number under the key is spelled as its key demands."""
    if isinstance(value, list):
        for item in value:
            _require_numbers(key, item)
    elif isinstance(value, dict):
        for name, item in value.items():
            _require_numbers(name, item)
    elif key in RATIONAL:
        if not isinstance(value, str) or not _is_canonical(value):
            raise FormError(f"{key}: {value!r:.40} is not canonical")
    elif key in INTEGER and type(value) is not int and (key, value) != ("outputs", None):
        raise FormError(f"{key}: {value!r:.40} is no integer")
