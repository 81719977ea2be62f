"""The files of the corpus about leakage, contraction and designs; see ``generate``."""

import copy
import json

from solvers.leakage import contraction_certificate, dobrushin_bound, dobrushin_certificate
from verify.kernel.certificate import Certificate, encode
from verify.kernel.channel import Channel

ROWS = (("3/4", "1/4", "0"), ("1/4", "1/2", "1/4"), ("0", "1/2", "1/2"))
FANO = {"object": "block design", "v": 7, "k": 3, "lambda": 1, "t": 2}
SHIFT = [1, 2, 3, 4, 5, 6, 0]
SIGNS = ["++++", "+-+-", "++--", "+--+"]


def leaking(n_inputs, c, epsilon):
    """The content of a certificate of kind leakage."""
    return json.loads(encode(dobrushin_certificate(dobrushin_bound(n_inputs, c, epsilon))))


def contracting(*gamma):
    """The content of a certificate of kind contraction."""
    return json.loads(encode(contraction_certificate(Channel(ROWS), gamma)))


def design(claim, witness):
    """The content of a certificate of kind design."""
    return json.loads(encode(Certificate("design", claim, witness)))


def fano():
    return design(FANO, {"base_blocks": [[0, 1, 3]], "generators": [SHIFT]})


def singer():
    claim = {"object": "difference set", "group": [13], "k": 4, "lambda": 1}
    return design(claim, {"elements": [0, 1, 3, 9]})


def hadamard():
    return design({"object": "Hadamard matrix", "order": 4}, {"rows": SIGNS})


def changed(content, **parts):
    """A copy with keys of the claim or the witness set; ``...`` removes a key."""
    content = copy.deepcopy(content)
    for key, value in parts.items():
        part = "claim" if key in content["claim"] else "witness"
        if value is ...:
            del content[part][key]
        else:
            content[part][key] = value
    return content


def accepted():
    yield "leakage-log2", leaking(3, "1/9", "log(2)")
    yield "leakage-one-nat", leaking(4, "1/10", "1")
    yield "leakage-far-above-the-threshold", leaking(4, "1/10", "1000")
    yield "leakage-ldp", leaking(2, "0", "log(3)")
    yield "leakage-uniform-prior", leaking(5, "1/5", "log(3/2)")
    yield "leakage-none", leaking(4, "1/8", 0)
    yield "contraction", contracting(1, 2, "5/2")
    yield "design-fano-developed", fano()
    lines = [sorted((x + s) % 7 for x in (0, 1, 3)) for s in range(7)]
    yield "design-fano-listed", design(FANO, {"base_blocks": lines, "generators": []})
    yield "design-difference-set", singer()
    yield "design-hadamard", hadamard()


def rejected():
    ldp, tight = leaking(2, "0", "log(3)"), leaking(4, "1/10", "1")
    yield "leakage-lower-too-high", changed(ldp, lower="501/1000", upper="1")
    yield "leakage-upper-too-low", changed(ldp, lower="0", upper="499/1000")
    yield "leakage-multipliers-zero", changed(tight, multipliers=["0", "0", "0"])
    yield "leakage-multipliers-negative", changed(tight, multipliers=["-1", "0", "1"])
    yield "leakage-multipliers-for-another-c", changed(tight, c="1/5", lower="0")
    yield "leakage-exponential-too-low", changed(tight, exp_leakage="67957/25000")
    yield "leakage-channel-leaks-more", changed(ldp, rows=[["4/5", "1/5"], ["1/5", "4/5"]])
    yield "leakage-channel-without-limit", changed(ldp, rows=[["1", "0"], ["0", "1"]])
    yield "leakage-pair-of-one-row", changed(ldp, pair=[1, 1])
    yield "contraction-too-small", changed(contracting(1), e_gamma=[["1", "1/2"]])
    yield "contraction-too-large", changed(contracting(1), e_gamma=[["1", "1"]])
    yield "design-lambda-wrong", changed(fano(), **{"lambda": 2})
    yield "design-block-size-wrong", changed(fano(), k=4)
    yield "design-undeveloped", changed(fano(), generators=[])
    yield "design-strength-wrong", changed(fano(), t=3)
    yield "design-no-difference-set", changed(singer(), elements=[0, 1, 3, 8])
    yield "design-difference-set-size", changed(singer(), k=5)
    yield "design-rows-not-orthogonal", changed(hadamard(), rows=[*SIGNS[:3], "+---"])


def malformed():
    ldp = leaking(2, "0", "log(3)")
    yield "leakage-one-input", changed(ldp, inputs=1)
    yield "leakage-inputs-text", changed(ldp, inputs="2")
    yield "leakage-c-above-the-priors", changed(ldp, c="2/3")
    yield "leakage-c-negative", changed(ldp, c="-1/10")
    yield "leakage-rows-missing", changed(ldp, rows=[["1/2", "1/2"]])
    yield "leakage-pair-out-of-range", changed(ldp, pair=[0, 2])
    yield "leakage-multiplier-not-canonical", changed(ldp, multipliers=["2/4", "0", "0"])
    yield "leakage-no-multipliers", changed(ldp, multipliers=...)
    yield "contraction-nothing", changed(contracting(1), e_gamma=[])
    yield "contraction-gamma-below-one", changed(contracting(1), e_gamma=[["1/2", "1/2"]])
    yield "contraction-gamma-falls", changed(contracting(1), e_gamma=[["2", "3/4"], ["1", "3/4"]])
    yield "design-object-unknown", changed(fano(), object="latin square")
    yield "design-point-out-of-range", changed(fano(), base_blocks=[[0, 1, 7]])
    yield "design-point-twice", changed(fano(), base_blocks=[[0, 1, 1]])
    yield "design-map-too-short", changed(fano(), generators=[[1, 0]])
    yield "design-map-not-injective", changed(fano(), generators=[[0] * 7])
    yield "design-strength-six", changed(fano(), t=6)
    yield "design-element-twice", changed(singer(), elements=[0, 1, 3, 3])
    yield "design-signs-ragged", changed(hadamard(), rows=["++++", "+-+"])
