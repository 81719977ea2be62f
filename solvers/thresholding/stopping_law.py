"""The law of the stopping time, enclosed: one integral over the shared noise for each step.

Given S = x a round accepts with a probability in closed form. With a = own / scale, q the cleaned
probability of the counted outcome, P and Q the regularised incomplete gamma functions:
direct, m = rho q e^(-scale x): h(x) = P(T, m) + m^a Gamma(T - a, m) / Gamma(T);
flipped, m = rho q e^(scale x): h(x) = Q(T+1, m) + m^-a gamma(T+1+a, m) / Gamma(T+1).
Hence P[tau = t] = int epsilon_0 e^(-epsilon_0 x) prod_{i<t} (1 - h_i(x)) h_t(x) dx.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from solvers.backend import acb, arb, ball, ball_bounds, working_precision
from solvers.thresholding.errors import ParameterError
from solvers.thresholding.rates import Rate
from solvers.thresholding.rounds import CountingRound, Direction
from verify.kernel.interval import Interval

__all__ = ["StoppingIntegral", "StoppingLaw", "acceptance_function", "stopping_law"]

_Key = tuple[object, ...]
_ONE = Fraction(1)


@dataclass(frozen=True, slots=True)
class StoppingLaw:
    """Enclosures of P[tau = t] for t = 1..n and of P[tau > n].

    Args:
        stop: encloses P[tau = t] at position t - 1.
        beyond: encloses P[tau > n].
    """

    stop: tuple[Interval, ...]
    beyond: Interval

    @property
    def width(self) -> Fraction:
        """The widest enclosure."""
        return max(i.upper - i.lower for i in (*self.stop, self.beyond))


def acceptance_function(round_: CountingRound, probability: Fraction) -> Callable[[acb], acb]:
    """The round's acceptance probability as a function of S = x, at the working precision.

    Args:
        round_: the round.
        probability: success probability of the cleaned black box, in [0, 1].

    Returns:
        an analytic function, enclosing; not finite where it meets a branch cut.
    """
    direct = round_.direction is Direction.DIRECT
    counted = probability if direct else 1 - probability
    if counted == 0:
        return lambda _: acb(round_.accepts(0))
    if direct and round_.threshold < 1:
        return lambda _: acb(1)
    log_mean, scale = ball(round_.rate * counted).log(), round_.scale.ball()
    power = round_.own.ratio_ball(round_.scale)
    if direct:
        return _direct_function(log_mean, scale, power, arb(round_.threshold))
    return _flipped_function(log_mean, scale, power, arb(round_.threshold + 1))


def _direct_function(log_mean: arb, scale: arb, power: arb, count: arb) -> Callable[[acb], acb]:
    """1 - Q(T, m) + m^a Gamma(T - a, m) / Gamma(T)."""
    log_gamma, shape, small = count.lgamma(), count - power, count * 3 / 4
    count_acb, shape_acb = acb(count), acb(shape)
    tiny = arb(1).exp().rad() / 2**20  # below the precision at hand

    def accept(x: acb) -> acb:
        log_m = log_mean - scale * x
        m = log_m.exp()
        if not m.real > 0:
            return acb("nan")
        high = m.abs_upper()
        if shape > 0 and high**shape < tiny:
            # |P(T, m)| <= H^T / T! and |Gamma(s) - Gamma(s, m)| <= H^s / s for |m| <= H, Re m > 0.
            rest = high**count * ((-(count + 1).lgamma()).exp() + (-log_gamma).exp() / shape)
            return _disc((power * log_m + shape.lgamma() - log_gamma).exp(), rest)
        if high < small:  # there 1 - Q would cancel
            value = (log_m * count - m - log_gamma).exp() * _lower_series(m, high, count)
        else:
            value = 1 - m.gamma_upper(count_acb, regularized=1)
        value += (power * log_m - log_gamma).exp() * m.gamma_upper(shape_acb)
        if _is_useful(value):
            return value
        low = m.real.lower()
        missing = (high - low).exp() * high.gamma_upper(count, regularized=1)
        few = (high / low) ** count * (1 - low.gamma_upper(count, regularized=1))
        noisy = arb(0)
        if not shape < 1:
            noisy += (high - low).exp() * high.gamma_upper(shape)
        if not shape >= 1:
            noisy += low.gamma_upper(shape)
        noisy *= (power * high.log() - log_gamma).exp()
        if missing < few:
            return _disc(acb(1), noisy + missing)
        return _disc(acb(0), noisy + few)

    return accept


def _flipped_function(log_mean: arb, scale: arb, power: arb, count: arb) -> Callable[[acb], acb]:
    """Q(T+1, m) + m^-a gamma(T+1+a, m) / Gamma(T+1), count = T + 1."""
    log_gamma, shape = count.lgamma(), count + power
    log_ratio, small = shape.lgamma() - log_gamma, shape * 3 / 4
    count_acb, shape_acb = acb(count), acb(shape)

    def accept(x: acb) -> acb:
        log_m = log_mean + scale * x
        m = log_m.exp()
        if not m.real > 0:
            return acb("nan")
        value = m.gamma_upper(count_acb, regularized=1)
        high = m.abs_upper()
        if high < small:  # there 1 - Q would cancel
            value += (log_m * count - m - log_gamma).exp() * _lower_series(m, high, shape)
        else:
            noisy = 1 - m.gamma_upper(shape_acb, regularized=1)
            value += (log_ratio - power * log_m).exp() * noisy
        if _is_useful(value):
            return value
        low = m.real.lower()
        below = (high - low).exp() * high.gamma_upper(count, regularized=1)
        noisy_bound = (log_ratio - power * low.log()).exp() * (high / low) ** shape
        noisy_bound *= 1 - low.gamma_upper(shape, regularized=1)
        return _disc(acb(0), below + noisy_bound)

    return accept


def _lower_series(m: acb, high: arb, shape: arb) -> acb:
    """Encloses gamma(s, m) / (m^s e^-m) = sum over k of m^k / (s (s+1) ... (s+k)), |m| <= high < s.

    The terms left out fall at least by high / (s + k) each.
    """
    term = total = 1 / acb(shape)
    tiny = total.abs_lower() * arb(1).exp().rad() / 8
    k = 0
    while k < 2000:
        k += 1
        term = term * m / (shape + k)
        total += term
        if not k % 8 and term.abs_upper() < tiny:
            break
    ratio = high / (shape + k)
    return _disc(total, term.abs_upper() * ratio / (1 - ratio))


def _is_useful(value: acb) -> bool:
    """Whether flint's enclosure is tight; on wide arguments the bounds below are better.

    For m in a box with |m| <= H and Re m >= L > 0: |Q(T, m)| <= e^(H-L) Q(T, H); |gamma(s, m)| <=
    (H/L)^s gamma(s, L); |Gamma(s, m)| <= e^(H-L) Gamma(s, H) for s >= 1, <= Gamma(s, L) for s < 1.
    All follow from the integrals, along m + [0, oo) and from 0 to m.
    """
    return bool(value.is_finite()) and bool(value.real.rad() < 1) and bool(value.imag.rad() < 1)


def _disc(centre: acb, radius: arb) -> acb:
    """Encloses every number within the radius of the centre."""
    if not radius.is_finite():
        return acb("nan")
    box = arb(0, radius.upper())
    return centre + acb(box, box)


class StoppingIntegral:
    """Encloses the probabilities of stopping and going on, for given success probabilities.

    Args:
        functions: for each round, acceptance as a function of S = x.
        shared: rate of S.
        bits: working precision; the range is cut where the density falls below 2^-bits.
    """

    def __init__(
        self, functions: Sequence[Callable[[acb], acb]], shared: Rate, bits: int = 128
    ) -> None:
        self._functions = list(functions)
        self._shared = shared
        self._bits = bits
        self._known: dict[_Key, tuple[list[acb], list[acb]]] = {}

    @classmethod
    def of_rounds(
        cls, rounds: Sequence[CountingRound], probabilities: Sequence[Fraction], bits: int = 128
    ) -> "StoppingIntegral":
        """For rounds that share the noise of the first, with cleaned probabilities."""
        with working_precision(bits):
            made: dict[tuple[int, Fraction], Callable[[acb], acb]] = {}
            functions = []
            for round_, probability in zip(rounds, probabilities, strict=True):
                key = (id(round_), probability)
                if key not in made:
                    made[key] = acceptance_function(round_, probability)
                functions.append(made[key])
        return cls(functions, rounds[0].shared, bits)

    def stop(self, t: int, magnitude: Fraction = _ONE) -> arb:
        """Encloses P[tau = t], 1 <= t; a guess of its magnitude asks for relative precision."""
        return self._integrate(
            lambda going, accepts: going[t - 1] * accepts[t - 1], t, magnitude, last=t
        )

    def beyond(self, t: int, magnitude: Fraction = _ONE) -> arb:
        """Encloses P[tau > t], 0 <= t; a guess of its magnitude asks for relative precision."""
        return self._integrate(lambda going, _: going[t], t, magnitude, last=0)

    def _integrate(
        self,
        event: Callable[[list[acb], list[acb]], acb],
        depth: int,
        magnitude: Fraction,
        last: int,
    ) -> arb:
        """The integral up to where the density is negligible, and a bound on the rest.

        Every acceptance function decreases in x, so the event of stopping at ``last`` has at most
        its acceptance at the end as its conditional probability beyond the end.
        """
        with working_precision(self._bits):
            rate, size = self._shared.ball(), ball(magnitude)

            def integrand(x: acb, _: bool) -> acb:  # functions are not finite on a branch cut
                return event(*self._values(x, depth, rate))

            cut = (arb(self._bits) * arb.const_log2() - size.log()) / rate
            end = cut.upper().ceil().mid()
            tolerance = arb(2) ** (-self._bits + 16)
            value = acb.integral(
                integrand, 0, end, abs_tol=tolerance * size, rel_tol=tolerance
            ).real
            rest = (-rate * end).exp()
            if last:
                rest *= self._functions[last - 1](acb(end)).real
            half = rest.upper() / 2
            return value + arb(half.mid(), half.upper())

    def _values(self, x: acb, depth: int, rate: arb) -> tuple[list[acb], list[acb]]:
        """Density times prefix products of rejections, and acceptances, at x; kept for reuse."""
        key = _ball_key(x)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = [rate * (-rate * x).exp()], []
        going, accepts = known
        for function in self._functions[len(accepts) : depth]:
            accept = function(x)
            accepts.append(accept)
            going.append(going[-1] * (1 - accept))
        return known


def _ball_key(x: acb) -> _Key:
    real, imaginary = x.real, x.imag
    return (
        real.mid().man_exp(),
        real.rad().man_exp(),
        imaginary.mid().man_exp(),
        imaginary.rad().man_exp(),
    )


def stopping_law(
    rounds: Sequence[CountingRound], probabilities: Sequence[Fraction], *, bits: int = 128
) -> StoppingLaw:
    """Encloses the law of the first accepting round.

    Args:
        rounds: the rounds, all with the same shared rate.
        probabilities: cleaned success probability of each round's black box, in [0, 1].
        bits: working precision; the enclosures are some 2^-(bits - 20) wide.

    Raises:
        ParameterError: for no rounds, unequal lengths, or a probability outside [0, 1].
    """
    if not rounds or len(rounds) != len(probabilities):
        raise ParameterError(f"probabilities: {len(probabilities)} given for {len(rounds)} rounds")
    for t, probability in enumerate(probabilities, 1):
        if not 0 <= probability <= 1:
            raise ParameterError(f"probabilities: p_{t} = {probability} is not in [0, 1]")
    integral = StoppingIntegral.of_rounds(rounds, probabilities, bits)
    stops = tuple(Interval(*ball_bounds(integral.stop(t))) for t in range(1, len(rounds) + 1))
    return StoppingLaw(stops, Interval(*ball_bounds(integral.beyond(len(rounds)))))
