"""The certificate of a scheme: its privacy, its exact risk, and a bound for every other."""

from solvers.estimation.risk import optimal_block_sizes, optimum
from solvers.estimation.scheme import Scheme
from verify.certify import level_object
from verify.kernel.certificate import Certificate
from verify.kernel.exact import rational_text

__all__ = ["scheme_certificate"]


def scheme_certificate(scheme: Scheme) -> Certificate:
    """The claim about the scheme, with its blocks as the witness; not checked yet.

    Raises:
        InputError: for epsilon = 0.
        LimitError: for a scheme with too many blocks to list.
    """
    parameters, level = scheme.parameters, scheme.epsilon
    n_risk, sizes = scheme.n_risk, optimal_block_sizes(scheme.alphabet_size, level)
    blocks = scheme.structure.block_design().blocks
    claim = {
        "v": parameters.v,
        "b": parameters.b,
        "r": parameters.r,
        "lambda": parameters.lambda_,
        "level": level_object(level.level),
        "exp_epsilon": rational_text(level.exp_lower),
        "n_risk": rational_text(n_risk),
        "optimum": rational_text(optimum(scheme.alphabet_size, level)),
        "block_sizes": sorted({block.bit_count() for block in blocks}),
        "optimal_block_sizes": list(sizes),
    }
    witness = scheme.structure.witness()
    content = {
        "points": witness.points,
        "base_blocks": [list(block) for block in witness.base_blocks],
        "generators": [list(images) for images in witness.generators],
        "exp_epsilon": rational_text(level.exp_upper),
    }
    return Certificate("estimation", claim, content, {"scheme": scheme.name})
