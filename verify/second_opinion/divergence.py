"""The divergences of the format: the perspective h(x, y) = y f(x/y), as terms and as enclosures.

``tv`` and ``e-gamma:G``: f(t) = (t - G)_+ - (1 - G)_+; ``kl``: t log t; ``reverse-kl``: -log t;
``js``: (t log(2t/(t+1)) + log(2/(t+1)))/2; ``chi2``: (t-1)^2; ``reverse-chi2``: (t-1)^2/t;
``lecam``: (t-1)^2/(t+1); ``hellinger``: 2 - 2 sqrt t; ``alpha:A`` and ``renyi:A``:
(t^A - 1 - A (t - 1))/(A (A - 1)), of order 0 ``reverse-kl`` and of order 1 ``kl``. Each is convex
with f(1) = 0. A multiple of t - 1 may be added without a change of any divergence, but a claim
about sets of symbols is about the f that is written here. Sums of them are in `mixture`.

Rational ones are defined by polynomial equations; in the others a logarithm, root or power at a
rational is a variable in its enclosure.
"""

from dataclasses import dataclass
from fractions import Fraction

from verify.second_opinion.enclosure import Bounds, enclose_log, enclose_power
from verify.second_opinion.script import Question, apply, real
from verify.second_opinion.strict_reading import demand, rational

__all__ = ["FDivergence", "read_f_divergence"]

_PLAIN = ("tv", "kl", "reverse-kl", "js", "chi2", "reverse-chi2", "hellinger", "lecam")
_SQUARES = {"chi2": "{y}", "reverse-chi2": "{x}", "lecam": "(+ {x} {y})"}


def read_f_divergence(name: str) -> "FDivergence":
    """The divergence of this name, which is no mixture; or MalformedError."""
    if name in _PLAIN:
        return FDivergence("e-gamma" if name == "tv" else name, Fraction(name == "tv"))
    family, colon, text = name.partition(":")
    demand(colon and family in ("e-gamma", "alpha", "renyi"), "divergence: is none of the format")
    parameter = rational(text, "divergence")
    demand(family == "alpha" or parameter > 0, "divergence: the parameter is not positive")
    if family == "e-gamma":
        return FDivergence(family, parameter)
    if parameter in (0, 1):
        return FDivergence("kl" if parameter else "reverse-kl", Fraction(0))
    return FDivergence("power", parameter, is_renyi=family == "renyi")


@dataclass(frozen=True, slots=True)
class FDivergence:
    """One f of the table above.

    Args:
        family: ``e-gamma``, ``power``, or a name without a parameter.
        parameter: G or A; 0 for the others.
        is_renyi: whether log(1 + A (A - 1) D_f)/(A - 1) is meant by the value.
    """

    family: str
    parameter: Fraction
    is_renyi: bool = False

    @property
    def is_linear(self) -> bool:
        """Whether f is linear between its corners."""
        return self.family == "e-gamma"

    @property
    def corners(self) -> tuple[Fraction, ...]:
        """The ratios where f is not smooth."""
        return (self.parameter,) if self.family == "e-gamma" else ()

    def enclose(self, x: Fraction, y: Fraction, bits: int) -> Bounds:
        """Encloses h(x, y) for x, y > 0; equal ends where it is rational."""
        a, gap = self.parameter, (x - y) ** 2
        match self.family:
            case "e-gamma":
                low = max(x - a * y, Fraction(0)) - max(1 - a, Fraction(0)) * y
                return low, low
            case "chi2" | "reverse-chi2" | "lecam":
                low = gap / {"chi2": y, "reverse-chi2": x, "lecam": x + y}[self.family]
                return low, low
            case "kl" | "reverse-kl":
                factor = x if self.family == "kl" else -y
                return _scaled(enclose_log(x / y, bits), factor)
            case "js":
                parts = [_scaled(enclose_log(2 * p / (x + y), bits), p / 2) for p in (x, y)]
                return parts[0][0] + parts[1][0], parts[0][1] + parts[1][1]
            case "hellinger":
                root = _scaled(enclose_power(x / y, Fraction(1, 2), bits), -2 * y)
                return root[0] + 2 * y, root[1] + 2 * y
        powers = enclose_power(x / y, a, bits)
        return _scaled(
            (y * powers[0] - y - a * (x - y), y * powers[1] - y - a * (x - y)), self.unit
        )

    @property
    def unit(self) -> Fraction:
        """1/(A (A - 1)) of a power divergence."""
        return 1 / (self.parameter * (self.parameter - 1))

    def define(
        self, question: Question, name: str, terms: tuple[str, str], at: Bounds, bits: int
    ) -> str:
        """A variable with the value h(x, y).

        Args:
            question: where it is declared.
            name: its name.
            terms: the variables x and y, which the facts fix.
            at: the numbers x, y > 0 that they are fixed at.
            bits: the precision of enclosures.
        """
        x, y = terms
        if self.family == "e-gamma":
            part = f"(- {x} (* {real(self.parameter)} {y}))"
            offset = real(max(1 - self.parameter, Fraction(0)))
            positive = f"(ite (>= {part} 0.0) {part} 0.0)"
            return question.define(name, f"(- {positive} (* {offset} {y}))")
        if self.family in _SQUARES:
            gap = f"(* (- {x} {y}) (- {x} {y}))"
            below = _SQUARES[self.family].format(x=x, y=y)
            question.fact(apply("=", apply("*", question.variable(name), below), gap))
            return name
        return question.define(name, self._irrational(question, name, terms, at, bits))

    def _irrational(
        self, question: Question, name: str, terms: tuple[str, str], at: Bounds, bits: int
    ) -> str:
        """The term of h(x, y), with logarithms, roots and powers as enclosed variables."""
        (x, y), (p, q), order = terms, at, self.parameter
        if self.family in ("kl", "reverse-kl"):
            log = question.enclose(f"log-{name}", enclose_log(p / q, bits), f"log({x}/{y})")
            return f"(* {x} {log})" if self.family == "kl" else f"(- (* {y} {log}))"
        if self.family == "js":
            logs = [
                question.enclose(
                    f"log-{name}-{i}",
                    enclose_log(2 * part / (p + q), bits),
                    f"log of {i} to middle",
                )
                for i, part in enumerate(at)
            ]
            return f"(* (/ 1.0 2.0) (+ (* {x} {logs[0]}) (* {y} {logs[1]})))"
        if self.family == "hellinger":
            root = enclose_power(p / q, Fraction(1, 2), bits)
            variable = question.enclose(f"root-{name}", root, f"sqrt({x}/{y})")
            return f"(* 2.0 {y} (- 1.0 {variable}))"
        powers = enclose_power(p / q, order, bits)
        power = question.enclose(f"power-{name}", powers, f"({x}/{y})^({order})")
        linear = f"(+ {y} (* {real(order)} (- {x} {y})))"
        return f"(* {real(self.unit)} (- (* {y} {power}) {linear}))"

    def report(self, value: Bounds, bits: int) -> Bounds | None:
        """Encloses what is reported for D_f in these bounds; None where that is not finite."""
        if not self.is_renyi:
            return value
        low, high = (1 + max(end, Fraction(0)) / self.unit for end in value)
        if min(low, high) <= 0:
            return None
        factor = 1 / (self.parameter - 1)
        ends = [_scaled(enclose_log(end, bits), factor) for end in (low, high)]
        return ends[0][0], ends[1][1]


def _scaled(bounds: Bounds, factor: Fraction) -> Bounds:
    low, high = bounds[0] * factor, bounds[1] * factor
    return (low, high) if factor >= 0 else (high, low)
