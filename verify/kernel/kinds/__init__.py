"""The kinds of certificate: for each, how its claim and witness are read and decided."""

from collections.abc import Callable

from verify.kernel.fields import Claim
from verify.kernel.kinds.channel import check_channel
from verify.kernel.kinds.contraction import check_contraction
from verify.kernel.kinds.coupling import check_coupling
from verify.kernel.kinds.design import check_design_kind
from verify.kernel.kinds.estimation import check_estimation
from verify.kernel.kinds.leakage import check_leakage
from verify.kernel.kinds.testing import check_testing
from verify.kernel.verdict import Verdict

__all__ = ["KINDS"]

KINDS: dict[str, Callable[[Claim, Claim], Verdict]] = {
    "channel": check_channel,
    "coupling": check_coupling,
    "contraction": check_contraction,
    "design": check_design_kind,
    "estimation": check_estimation,
    "leakage": check_leakage,
    "testing": check_testing,
}
