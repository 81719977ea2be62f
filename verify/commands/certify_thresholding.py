"""``exactdp certify thresholding``: a generalised thresholding mechanism, calibrated and proved."""

from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from verify.commands.certificate_place import require_certificate_place
from verify.commands.options import CertificateOption, FileArgument, JsonOption, QuietOption
from verify.commands.output import conclude, decide, working

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from solvers.thresholding import CalibratedStep, Parameters, StepParameters
    from verify.intake.source import Source

__all__ = ["EXAMPLE", "certify_thresholding"]

EXAMPLE = "Example: exactdp certify thresholding tuning.json --steps 5 --certificate tuning.cert"
_KEYS = ("epsilon", "beta", "theta", "gamma", "horizon", "steps")
_STEP_KEYS = ("epsilon_t", "p_star")
_COSTS = ("shared", "per_step", "total")
_MOST_STEPS = 10_000


def certify_thresholding(
    file: FileArgument,
    steps: Annotated[
        int,
        typer.Option("--steps", metavar="N", help="How many steps to print when one is given."),
    ] = 10,
    method: Annotated[
        str,
        typer.Option(
            "--method", metavar="M", help="Thresholds by poisson-quantile (least) or chernoff."
        ),
    ] = "poisson-quantile",
    certificate: CertificateOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Thresholds, rates, Lambda_t, rejection thresholds and cost of a thresholding mechanism.

    FILE is JSON: {"epsilon": "1", "beta": "1/10", "theta": "1", "gamma": "2", "horizon": 50 or
    null, "steps": [{"epsilon_t": "1/10", "delta_t": "0", "p_star": "1/2"}, ...]}; one step in
    place of the list, or a list of one, serves all steps.
    """
    from solvers.thresholding import (
        CalibrationMethod,
        Calibrator,
        PrivacyCost,
        mechanism_certificate,
    )
    from verify.intake.source import read_source

    started = perf_counter()
    if certificate is not None:
        require_certificate_place(certificate)
    _require_options(steps, method)
    parameters, given = _read(read_source(file))
    with working("calibrating", quiet=quiet):
        calibrator = Calibrator(parameters, CalibrationMethod(method))
        if len(given) == 1:
            given = given * min(steps, parameters.horizon or steps)
        calibrated = [calibrator(step, t) for t, step in enumerate(given, 1)]
        proof = mechanism_certificate(parameters, given)
        objects = [_step_object(step) for step in calibrated]
    verdict, written = decide(proof, certificate)
    cost = PrivacyCost.of(parameters)
    content: dict[str, object] = {
        "verdict": verdict.status.value,
        "claim": f"the sequence of outcomes is {parameters.epsilon}-DP",
        "reason": verdict.reason,
        "steps": objects,
        "privacy_cost": {name: str(getattr(cost, name)) for name in _COSTS},
        **written.keys(),
        "seconds": round(perf_counter() - started, 3),
    }
    text = f"{cost.shared} + {cost.per_step} = {cost.total}"
    table = partial(_table, calibrated, cost_text=text)
    conclude(verdict.status, content, table, json=json, quiet=quiet)


def _require_options(steps: int, method: str) -> None:
    from solvers.thresholding import CalibrationMethod
    from verify.kernel.errors import InputError
    from verify.kernel.exact import excerpt

    if method not in {one.value for one in CalibrationMethod}:
        raise InputError(f"--method: {excerpt(method)} is neither poisson-quantile nor chernoff")
    if not 1 <= steps <= _MOST_STEPS:
        raise InputError(f"--steps: {steps} is not in 1..{_MOST_STEPS}")


def _read(source: "Source") -> "tuple[Parameters, list[StepParameters]]":
    """The mechanism that the file describes."""
    from solvers.thresholding import Parameters, StepParameters
    from verify.intake.exact_json import Number, parse_json, read_keys
    from verify.kernel.errors import InexactNumberError, InputError

    content = read_keys(source, parse_json(source), _KEYS)
    horizon = content["horizon"]
    if isinstance(horizon, Number) and horizon.isdigit():
        horizon = int(horizon)
    elif horizon is not None:
        raise InputError(f"{source.name}: horizon: give an integer >= 1 or null")
    items = content["steps"] if isinstance(content["steps"], list) else [content["steps"]]
    if not items:
        raise InputError(f"{source.name}: steps is empty; give one step for all, or each")
    try:
        number = {key: _number(content[key], key) for key in _KEYS[:4]}
        parameters = Parameters.of(horizon=horizon, **number)
    except (InputError, InexactNumberError) as error:
        raise InputError(f"{source.name}: {error}") from None
    steps = []
    for i, item in enumerate(items):
        fields = read_keys(source, item, _STEP_KEYS, ("delta_t",))
        values = (fields["epsilon_t"], fields["p_star"], fields.get("delta_t", "0"))
        try:
            texts = [_number(v, k) for v, k in zip(values, (*_STEP_KEYS, "delta_t"), strict=True)]
            steps.append(StepParameters.of(*texts))
        except (InputError, InexactNumberError) as error:
            raise InputError(f"{source.name}: steps[{i}]: {error}") from None
    if parameters.horizon is not None and len(steps) > parameters.horizon:
        raise InputError(
            f"{source.name}: {len(steps)} steps for a horizon of {parameters.horizon}; raise it"
        )
    return parameters, steps


def _number(value: object, where: str) -> str:
    from verify.kernel.errors import InputError

    if not isinstance(value, str):
        raise InputError(f"{where}: give a number such as 3, '2/7' or 0.25")
    return str(value)


def _step_object(step: "CalibratedStep") -> dict[str, object]:
    """The keys that other programs may rely on, for one step."""
    from verify.report import enclosure_object

    return {
        "t": step.t,
        "direction": step.direction.value,
        "threshold": step.threshold,
        "log_rate": enclosure_object(step.log_rate()),
        "lambda_t": enclosure_object(step.lambda_t()),
        "rejection_threshold": enclosure_object(step.rejection_threshold()),
        "expected_evaluations": enclosure_object(step.expected_evaluations()),
        "evaluation_bound": enclosure_object(step.evaluation_bound()),
        "crossover": str(step.crossover),
    }


def _table(steps: "Sequence[CalibratedStep]", cost_text: str) -> "RenderableType":
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from verify.kernel.interval import Interval
    from verify.report import digits

    title = f"privacy cost in epsilon: shared + per step = {cost_text}"
    table = Table(title=Text(title), title_justify="left", box=box.SIMPLE_HEAD)
    for name in ("t", "direction", "threshold", "Lambda_t", "rejects p up to", "evaluations"):
        table.add_column(name, no_wrap=True)
    for step in steps:
        mean = step.expected_evaluations()
        values = (step.lambda_t().upper, step.rejection_threshold().lower)
        cells = [str(step.t), step.direction.value, str(step.threshold), *map(digits, values)]
        table.add_row(*cells, digits(mean.upper if isinstance(mean, Interval) else mean))
    return table
