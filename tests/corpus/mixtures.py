"""The files of the corpus about mixtures W*D+W*D of divergences; see ``generate``."""

from tests.corpus.solved_problems import SPARSE, TILTED, put, shifted, solved

CORNERS = "1*e-gamma:3/2+2*tv"
CURVED = "1/2*kl+2*tv"
POWERS = "1*alpha:3+1/3*hellinger"
LONGEST = "+".join(sorted(f"{n}/7*e-gamma:{n}/5" for n in (*range(1, 7), *range(8, 18))))


def accepted():
    """File name to content of certificates that the kernel accepts."""
    yield "mixture-two-corners", solved(TILTED, "log(3)", CORNERS)
    yield "mixture-corner-at-the-level", solved(TILTED, "log(3/2)", CORNERS)
    yield "mixture-curved-with-a-corner", solved(TILTED, "1", CURVED)
    yield "mixture-curved-two-outputs", solved(TILTED, "log(3)", CURVED, 2)
    yield "mixture-powers", solved(TILTED, "log(20)", POWERS)
    yield "mixture-zeros", solved(SPARSE, "log(7)", "1/3*lecam+1/3*reverse-kl+3*e-gamma:1/2")
    yield "mixture-sixteen-terms", solved(TILTED, "log(3)", LONGEST)
    yield "mixture-one-term", solved(TILTED, "log(3)", "3/2*js")
    yield "mixture-equal-terms", solved(TILTED, "log(3)", "1*chi2+1*chi2")


def rejected():
    """File name to content of well-formed certificates that prove nothing."""
    corners, curved = solved(TILTED, "log(3)", CORNERS), solved(TILTED, "1", CURVED)
    powers = solved(TILTED, "log(20)", POWERS)
    yield "mixture-weight-raised", put(corners, "claim.divergence", "1*e-gamma:3/2+3*tv")
    yield "mixture-weight-lowered", put(curved, "claim.divergence", "1/2*kl+3/2*tv")
    yield "mixture-weights-swapped", put(corners, "claim.divergence", "1*tv+2*e-gamma:3/2")
    yield "mixture-term-missing", put(curved, "claim.divergence", "1/2*kl")
    yield "mixture-claimed-for-its-part", put(corners, "claim.divergence", "tv")
    yield "mixture-term-more", put(powers, "claim.divergence", f"{POWERS}+1/9*tv")
    yield "mixture-corner-moved", put(corners, "claim.divergence", "1*e-gamma:5/4+2*tv")
    yield "mixture-order-moved", put(powers, "claim.divergence", "1*alpha:7/2+1/3*hellinger")
    below = shifted(corners["claim"]["upper"], f"-1/{10**50}")
    yield "mixture-below-the-optimum", put(corners, "claim.upper", below)
    above = shifted(curved["claim"]["upper"], f"1/{10**20}")
    yield "mixture-above-the-optimum", put(curved, "claim.lower", above)
    for name, content in (("corners", corners), ("curved", curved), ("powers", powers)):
        lowered = shifted(content["witness"]["multipliers"][0], f"-1/{10**9}")
        yield f"mixture-{name}-multiplier-lowered", put(content, "witness.multipliers.0", lowered)


def malformed():
    """File name to content of certificates whose divergence is no mixture of the format."""
    content = solved(TILTED, "1", CURVED)
    names = {
        "not-sorted": "2*tv+1/2*kl",
        "weight-not-lowest-terms": "2*tv+2/4*kl",
        "weight-decimal": "0.5*kl+2*tv",
        "weight-missing": "1/2*kl+tv",
        "weight-empty": "*kl+2*tv",
        "weight-zero": "0*kl+2*tv",
        "weight-negative": "-1/2*kl+2*tv",
        "part-missing": "1/2*kl+2*",
        "part-unknown": "1/2*kl+2*wasserstein",
        "part-not-canonical": "1/2*kl+2*e-gamma:2/2",
        "part-of-no-range": "1/2*kl+2*e-gamma:0",
        "of-a-mixture": "1*1/2*kl+2*tv",
        "of-renyi": "1/2*renyi:2+2*tv",
        "of-renyi-one": "1/2*renyi:1+2*tv",
        "with-spaces": "1/2*kl + 2*tv",
        "with-an-empty-term": "1/2*kl++2*tv",
        "of-seventeen-terms": "+".join(sorted(f"{n}*kl" for n in range(1, 18))),
    }
    for name, divergence in names.items():
        yield f"mixture-{name}", put(content, "claim.divergence", divergence)
