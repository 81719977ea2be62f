"""The files of the corpus about all kinds but channels and testing; see ``generate``."""

import copy
import json
from fractions import Fraction

from combinatorics import difference_set, symmetric_design
from solvers import parse_epsilon
from solvers.estimation import (
    block_design_scheme,
    randomized_response,
    scheme_certificate,
    subset_selection,
    truncated_scheme,
)
from solvers.leakage import contraction_certificate, dobrushin_bound, dobrushin_certificate
from solvers.thresholding import Direction, minimal_crossover
from solvers.thresholding.certificate import RoundKind, coupling_certificate
from verify.canonical_form import encode
from verify.kernel.certificate import Certificate
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


DIRECT, FLIPPED = Direction.DIRECT, Direction.FLIPPED
FIFTH, QUARTER = Fraction(1, 5), Fraction(1, 4)


def coupling(shared, levels, total=1, tail=None, epsilon="1"):
    """The content of a certificate of kind coupling."""
    level, total = parse_epsilon(epsilon).level, Fraction(total)
    found = coupling_certificate(level, Fraction(shared), levels, total=total, tail=tail)
    return json.loads(encode(found))


def noisy(direction, rate, level, delta):
    """A kind of round whose black box needs a crossover."""
    epsilon, delta = parse_epsilon(level), Fraction(delta)
    crossover = minimal_crossover(epsilon, delta)
    return RoundKind(direction, Fraction(rate), epsilon.level, delta, crossover)


def two_directions():
    kinds = [noisy(way, "1/3", "log(3)", "1/10") for way in (DIRECT, FLIPPED)]
    return coupling("1/3", [kinds])


def released(direction=DIRECT, total=1):
    return coupling("1/2", [[RoundKind(direction, QUARTER, QUARTER, released=True)]], total)


def monotone():
    kind = RoundKind(DIRECT, Fraction(1, 2), FIFTH, released=True, monotone=True)
    return coupling("1/2", [[kind]])


def endless():
    kind = RoundKind(DIRECT, Fraction(1, 10), Fraction(1, 10), released=True)
    return coupling("1/2", [[kind]], tail=(1, Fraction(3, 10)))


def scheme(made):
    """The content of a certificate of kind estimation."""
    return json.loads(encode(scheme_certificate(made)))


def fano_scheme():
    return scheme(block_design_scheme(symmetric_design(7, 3, 1).design, "log(3)"))


def of_round(content, **parts):
    """A copy with keys of its first kind of round set; ``...`` removes a key."""
    content = copy.deepcopy(content)
    kind = content["claim"]["levels"][0][0]
    for key, value in parts.items():
        if value is ...:
            del kind[key]
        else:
            kind[key] = value
    return content


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
    yield "estimation-fano", fano_scheme()
    yield "estimation-randomized-response-in-nats", scheme(randomized_response(4, "3/2"))
    yield "estimation-subsets", scheme(subset_selection(5, 2, "1"))
    yield "estimation-truncated", scheme(truncated_scheme(difference_set(13, 4, 1), 9, "log(2)"))
    yield "coupling-two-directions", two_directions()
    box = parse_epsilon("1/9").level
    levels = [[RoundKind(DIRECT, Fraction(1, 10), box)], [RoundKind(FLIPPED, FIFTH, box)]]
    yield "coupling-two-levels", coupling("2/5", levels, epsilon="log(3)")
    yield "coupling-purified-in-nats", coupling("1/3", [[noisy(DIRECT, "1/3", "1/2", "1/100")]])
    yield "coupling-released", released()
    yield "coupling-released-at-minus-one", released(FLIPPED, "5/4")
    yield "coupling-monotone", monotone()
    yield "coupling-endless", endless()
    yield "coupling-endless-alone", coupling("1/3", [], tail=(0, Fraction(1, 3)))
    yield "coupling-nothing-runs", coupling(1, [])


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


def rejected_schemes():
    fano, subsets = fano_scheme(), scheme(subset_selection(5, 2, "1"))
    for name in ("n_risk", "optimum"):
        wrong = Fraction(fano["claim"][name]) + Fraction(1, 10**30)
        yield f"estimation-{name}-above".replace("_", "-"), changed(fano, **{name: str(wrong)})
    yield "estimation-sizes-wrong", changed(fano, block_sizes=[3, 4])
    yield "estimation-optimal-sizes-incomplete", changed(fano, optimal_block_sizes=[])
    yield "estimation-optimal-sizes-others", changed(fano, optimal_block_sizes=[1, 2])
    yield "estimation-lambda-wrong", changed(fano, **{"lambda": 2})
    yield "estimation-a-block-missing", changed(subsets, base_blocks=subset_lists()[:-1])
    yield "estimation-a-block-more", changed(subsets, b=11)
    yield "estimation-less-private", changed(fano, level={"exp_epsilon": "2"})
    yield "estimation-exponential-too-low", changed(subsets, exp_epsilon="27/10")


def subset_lists():
    return scheme(subset_selection(5, 2, "1"))["witness"]["base_blocks"]


def rejected_couplings():
    both, tail = two_directions(), endless()
    one = noisy(DIRECT, "1/3", "log(3)", "1/10")
    yield "coupling-total-too-small", changed(both, total="999999999/1000000000")
    yield "coupling-rate-too-large", of_round(both, rate="1000001/3000000")
    yield "coupling-shared-rate-too-large", changed(both, shared_rate="1/2")
    yield "coupling-shift-too-small", changed(both, shifts=[["2", "1999/1000"]])
    yield "coupling-shared-shift-too-small", changed(both, shared_shift="999/1000")
    yield "coupling-shared-shift-without-the-others", changed(both, shared_shift="2", total="9")
    yield "coupling-sign-wrong", of_round(both, sign=-1)
    yield "coupling-direction-wrong", of_round(both, accepts="at-most")
    yield "coupling-crossover-too-small", of_round(both, crossover="1/23")
    yield "coupling-not-purified", of_round(both, crossover="0")
    yield "coupling-box-less-private", of_round(both, box={"exp_epsilon": "2"})
    yield "coupling-multiple-with-delta", of_round(released(), delta="1/100")
    yield "coupling-released-for-nothing", of_round(released(), box={"multiple": "1/2"})
    yield "coupling-released-at-minus-one-cheaply", released(FLIPPED)
    yield "coupling-monotone-at-most", of_round(monotone(), sign=-1, accepts="at-most")
    kinds = [one, RoundKind(DIRECT, Fraction(1, 9), FIFTH, monotone=True)]
    yield "coupling-monotone-beside-others", coupling("1/3", [kinds])
    yield "coupling-monotone-before-a-tail", changed(monotone(), tail=tail["claim"]["tail"])
    yield "coupling-tail-too-early", changed(tail, tail={"block": 2, "scale": "3/10"})
    yield "coupling-tail-too-dear", changed(tail, tail={"block": 1, "scale": "31/100"})


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


def malformed_schemes():
    fano = fano_scheme()
    yield "estimation-one-symbol", changed(fano, v=1)
    yield "estimation-fewer-points-than-symbols", changed(fano, points=6)
    yield "estimation-size-of-text", changed(fano, block_sizes=["3"])
    one = {"base_blocks": [list(range(7))], "generators": [], "block_sizes": [7]}
    yield "estimation-no-information", changed(fano, **one, **{"b": 1, "r": 1, "lambda": 1})
    yield "estimation-risk-not-canonical", changed(fano, n_risk="4/2")
    yield "estimation-generators-missing", changed(fano, generators=...)


def malformed_couplings():
    both, tail = two_directions(), endless()
    yield "coupling-epsilon-zero", changed(both, epsilon={"nats": "0"})
    yield "coupling-shared-rate-zero", changed(both, shared_rate="0")
    yield "coupling-rate-zero", of_round(both, rate="0")
    yield "coupling-rate-missing", of_round(both, rate=...)
    yield "coupling-sign-zero", of_round(both, sign=0)
    yield "coupling-accepts-unknown", of_round(both, accepts="above")
    yield "coupling-delta-one", of_round(both, delta="1")
    yield "coupling-crossover-above-one-half", of_round(both, crossover="2/3")
    yield "coupling-multiple-zero", of_round(released(), box={"multiple": "0"})
    yield "coupling-box-of-two-levels", of_round(released(), box={"multiple": "1", "nats": "1"})
    yield "coupling-released-in-nats", of_round(both, released=True, crossover="0", delta="0")
    yield "coupling-released-after-crossover", of_round(released(), crossover="1/9")
    yield "coupling-flag-of-text", of_round(both, monotone="false")
    yield "coupling-level-empty", changed(both, levels=[[]], shifts=[[]])
    yield "coupling-shift-missing", changed(both, shifts=[["2"]])
    yield "coupling-shift-not-canonical", changed(both, shifts=[["2", "4/2"]])
    yield "coupling-tail-block-negative", changed(tail, tail={"block": -1, "scale": "1"})
    yield "coupling-tail-block-too-large", changed(tail, tail={"block": 17, "scale": "1"})
    yield "coupling-tail-scale-negative", changed(tail, tail={"block": 1, "scale": "-1"})


REJECTED = (rejected, rejected_schemes, rejected_couplings)
MALFORMED = (malformed, malformed_schemes, malformed_couplings)
